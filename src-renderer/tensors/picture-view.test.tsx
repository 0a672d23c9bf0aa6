// A picture with more pixels than a screen shows is read in part, says so, and is saved as a whole.

import { afterEach, expect, test } from 'vitest';

import { FakeEngine } from '../testing/fake-engine.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, renderView, until } from '../testing/render.tsx';
import { gridsOf, stepOf } from './picture-sample.ts';
import { enlargement, isReducible } from './picture-size.ts';
import { PictureView } from './picture-view.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

const output = (shape: number[]) => ({
  ...{ name: 'sky', datatype: 'UINT8', shape, byteSize: shape.reduce((product, dim) => product * dim, 1) },
  ...{ preview: [], blob: 'b', stats: undefined, classes: [] },
});

test('of 4096 × 4096 pixels one of sixteen is read, and the page says so', async () => {
  let [read, isWhole] = [0, false];
  const fake = new FakeEngine();
  fake.overrides['blob/readGrid'] = ({ unit, columns, rows }) => {
    read += unit * columns * rows;
    return { base64: Buffer.alloc(unit * columns * rows).toString('base64') };
  };
  fake.overrides['blob/read'] = () => {
    isWhole = true;
    return { base64: '', totalByteSize: 0 };
  };
  page = await renderView(<PictureView output={output([3, 4096, 4096])} kind="image" />, fake);
  const { get } = page;
  await until(() => expect(get('tensor-reduced-sky').textContent).toBe('Shown at 1/4: all of it is saved'));
  expect([read, isWhole]).toEqual([3 * 1024 * 1024, false]);
  expect(get('pg-picture-sky').getAttribute('width')).toBe('1024');
  expect(get('tensor-png-sky').textContent).toBe('Save as PNG');
  expect(await accessibilityFaults()).toEqual([]);
});

test('a picture that fits a screen is read as it is', async () => {
  const fake = new FakeEngine();
  const bytes = Buffer.alloc(3 * 64 * 64);
  fake.overrides['blob/read'] = ({ offset, byteSize }) => ({
    base64: bytes.subarray(offset, offset + byteSize).toString('base64'),
    totalByteSize: bytes.byteLength,
  });
  page = await renderView(<PictureView output={output([1, 3, 64, 64])} kind="image" />, fake);
  await until(() => expect(page?.get('pg-picture-sky').getAttribute('width')).toBe('64'));
  expect(page.query('tensor-reduced-sky')).toBeNull();
  expect(page.query('tensor-by-pixel-sky')).toBeNull();
});

test('a large picture is shown as a whole, and pixel by pixel when that is asked for', async () => {
  const fake = new FakeEngine();
  const bytes = Buffer.alloc(3 * 512 * 1024);
  fake.overrides['blob/read'] = ({ offset, byteSize }) => ({
    base64: bytes.subarray(offset, offset + byteSize).toString('base64'),
    totalByteSize: bytes.byteLength,
  });
  page = await renderView(<PictureView output={output([1, 3, 512, 1024])} kind="image" />, fake);
  const { get } = page;
  const { style } = await until(() => get('pg-picture-sky'));
  expect([style.width, style.maxWidth, style.height]).toEqual(['768px', '100%', 'auto']);
  const button = get('tensor-by-pixel-sky');
  expect(button.getAttribute('aria-pressed')).toBe('false');
  await click(button);
  expect(button.getAttribute('aria-pressed')).toBe('true');
  expect([style.width, style.height]).toEqual(['1024px', '512px']);
});

test.each([
  [64, 64, 5, false],
  [360, 20, 1, false],
  [512, 512, 1, true],
  [3000, 80, 1, false],
  [4, 2, 24, false],
])('%d × %d: each pixel %d times, reduced: %s', (width, height, times, isReduced) => {
  expect(enlargement({ width, height })).toBe(times);
  expect(isReducible({ width, height })).toBe(isReduced);
});

test.each([
  [1920, 1080, 1],
  [3840, 2160, 2],
  [4096, 4096, 4],
  [10_000_000, 1, 2048],
])('of %d × %d pixels one of %d is shown in a row', (width, height, step) => {
  expect(stepOf({ width, height, channels: 1, order: 'NCHW' })).toBe(step);
});

test('colours lie beside each other or in planes', () => {
  const sides = { width: 5, height: 4, channels: 3 } as const;
  const place = { start: 60, size: 2 };
  expect(gridsOf({ ...sides, order: 'NHWC' }, 2, place)).toEqual([
    { offset: 120, unit: 6, columns: 3, columnStep: 12, rows: 2, rowStep: 60 },
  ]);
  expect(gridsOf({ ...sides, order: 'NCHW' }, 2, place).map(({ offset }) => offset)).toEqual([120, 160, 200]);
});
