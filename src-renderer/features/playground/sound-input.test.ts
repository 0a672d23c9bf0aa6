import { describe, expect, test } from 'vitest';

import { isSoundShaped, sampleSound, soundBytes, soundShape, takesSound } from './sound-input.ts';

const input = (name: string, template: readonly number[], datatype = 'FP32') => ({
  name,
  template,
  datatype,
  isBatched: false,
});

describe('what is a sound', () => {
  test.each([
    ['a named waveform of any length', input('waveform', [-1, -1]), true],
    ['one second of audio', input('audio_signal', [1, 16_000]), true],
    ['16-bit samples', input('pcm', [-1], 'INT16'), true],
    ['features without such a name', input('features', [-1, 16_000]), false],
    ['a picture', input('audio_picture', [-1, 3, 224, 224]), false],
    ['text', input('speech', [-1], 'BYTES'), false],
    ['a short vector', input('signal', [-1, 64]), false],
  ])('%s', (_name, described, expected) => {
    expect(isSoundShaped(described)).toBe(expected);
  });

  test('any long vector can be filled with one', () => {
    expect(takesSound(input('features', [-1, 16_000]))).toBe(true);
  });

  test('a batch of single numbers is none', () => {
    expect(isSoundShaped({ ...input('audio', [-1]), isBatched: true })).toBe(false);
    expect(isSoundShaped({ ...input('audio', [-1, -1]), isBatched: true })).toBe(true);
  });
});

test('a free length follows the sound, a fixed one does not', () => {
  expect(soundShape({ template: [-1, -1], shape: [1, 1] }, 800)).toEqual([1, 800]);
  expect(soundShape({ template: [-1, 16_000], shape: [2, 16_000] }, 800)).toEqual([2, 16_000]);
});

test('a short sound is followed by silence, a long one is cut, and every item of the batch is the same', () => {
  const samples = Float32Array.of(0.5, -0.5, 1);
  const floats = new Float32Array(soundBytes(samples, { shape: [2, 4], datatype: 'FP32' }).buffer);
  expect([...floats]).toEqual([0.5, -0.5, 1, 0, 0.5, -0.5, 1, 0]);
  const cut = new Float32Array(soundBytes(samples, { shape: [2], datatype: 'FP32' }).buffer);
  expect([...cut]).toEqual([0.5, -0.5]);
});

test('16-bit samples go from -32767 to 32767, and what is louder is cut', () => {
  const bytes = soundBytes(Float32Array.of(1, -1, 2, 0.5), { shape: [4], datatype: 'INT16' });
  expect([...new Int16Array(bytes.buffer)]).toEqual([32_767, -32_767, 32_767, 16_384]);
});

test('the sample sound is a WAV file of one and a half seconds that is neither silent nor cut', () => {
  const file = sampleSound(16_000);
  expect(new TextDecoder().decode(file.subarray(0, 4))).toBe('RIFF');
  const samples = new Int16Array(file.buffer, 44);
  expect(samples).toHaveLength(24_000);
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  expect(loudest).toBeGreaterThan(8000);
  expect(loudest).toBeLessThan(32_767);
});
