// Values as colours, and sound as a picture.

import { describe, expect, test } from 'vitest';

import { colourChannels, extentOf, guessRange, maskPixels, pixelsOf } from './pixels.ts';
import { peaksOf, spectrogram } from './sound.ts';

describe('colours of the theme', () => {
  test.each([
    ['#0072b2', [0, 114, 178]],
    ['#fff', [255, 255, 255]],
    [' #14181f', [20, 24, 31]],
    ['#a0c', [170, 0, 204]],
  ])('%s', (text, channels) => {
    expect(colourChannels(text)).toEqual(channels);
  });
});

describe('the range of values', () => {
  test.each([
    ['bytes by their type', [0, 3], 'UINT8', 'bytes'],
    ['shares', [0, 0.9], 'FP32', 'unit'],
    ['bytes as floats', [0, 250], 'FP32', 'bytes'],
    ['both sides of zero', [-0.9, 0.9], 'FP32', 'signed'],
    ['anything else', [-7, 900], 'FP32', 'own'],
    ['shares that go a little beyond', [-0.04, 0.5, 1.04], 'FP32', 'unit'],
    ['bytes that go a little beyond', [-25, 40, 270], 'FP32', 'bytes'],
    ['far beyond', [-60, 40, 300], 'FP32', 'own'],
    ['no number at all', [Number.NaN], 'FP32', 'own'],
  ])('%s', (_name, values, datatype, range) => {
    expect(guessRange(Float64Array.from(values), datatype)).toBe(range);
  });

  test('leaves out what is no number', () => {
    expect(extentOf(Float64Array.of(Number.NaN, 4, -1, Infinity))).toEqual({ min: -1, max: 4 });
    expect(extentOf(Float64Array.of(Number.NaN))).toBeUndefined();
  });
});

describe('pictures', () => {
  const layout = { width: 2, height: 1, channels: 3, order: 'NCHW' } as const;

  test('three planes become pixels, in either order of colours', () => {
    const values = Float64Array.of(255, 0, 0, 0, 0, 51);
    expect([...pixelsOf(values, layout, { range: 'bytes', colours: 'RGB' })]).toEqual([
      255, 0, 0, 255, 0, 0, 51, 255,
    ]);
    expect([...pixelsOf(values, layout, { range: 'bytes', colours: 'BGR' })]).toEqual([
      0, 0, 255, 255, 51, 0, 0, 255,
    ]);
  });

  test('one plane is grey over its own range', () => {
    const grey = { width: 3, height: 1, channels: 1, order: 'NCHW' } as const;
    const pixels = pixelsOf(Float64Array.of(-1, 0, 1), grey);
    expect([pixels[0], pixels[4], pixels[8]]).toEqual([0, 128, 255]);
  });

  test('a mask has one colour for each number, and neighbours differ', () => {
    const pixels = maskPixels(Float64Array.of(0, 1, 2, 1), 4);
    const colour = (at: number) => [...pixels.subarray(at * 4, at * 4 + 3)];
    expect(colour(0)).toEqual([0, 0, 0]);
    expect(colour(1)).toEqual(colour(3));
    expect(colour(1)).not.toEqual(colour(2));
  });
});

describe('sound', () => {
  const RATE = 16_000;
  const tone = (hertz: number): Float64Array =>
    Float64Array.from({ length: RATE }, (_, at) => Math.sin((2 * Math.PI * hertz * at) / RATE));

  test('a tone is one line of the spectrogram at its height', () => {
    const { rows, values } = spectrogram(tone(1000), 10);
    const column = Array.from({ length: rows }, (_, row) => values[row * 10 + 5] ?? Number.NaN);
    const loudest = column.indexOf(Math.max(...column));
    // 512 samples: 31.25 Hz a row, low ones last.
    expect(rows - 1 - loudest).toBe(32);
    expect(column[loudest]).toBeCloseTo(0, 3);
    expect(column[0]).toBe(-80);
  });

  test('is never louder than the loudest, and silence is not', () => {
    const loud = spectrogram(tone(440), 20).values;
    expect(Math.max(...loud)).toBeLessThanOrEqual(0);
    const silence = spectrogram(new Float64Array(4000), 4).values;
    expect([Math.max(...silence), Math.min(...silence)]).toEqual([-80, -80]);
  });

  test('shorter than a window, it has a picture all the same', () => {
    expect(spectrogram(Float64Array.of(1, -1), 3).values.every((value) => value <= 0 && value >= -80)).toBe(
      true,
    );
  });

  test('peaks hold the extremes of each piece', () => {
    expect(peaksOf(Float64Array.of(1, -2, 3, 0), 2)).toEqual([
      { low: -2, high: 1 },
      { low: 0, high: 3 },
    ]);
    expect(peaksOf(new Float64Array(), 1)).toEqual([{ low: 0, high: 0 }]);
  });
});
