// How large the map beside a drawing is.

import { expect, test } from 'vitest';

import { mapScale, mapSize } from './map-size.ts';

const PANE = { width: 880, height: 560 };

test('a drawing of usual sides has a small picture of itself, lying or standing', () => {
  expect(mapSize({ width: 900, height: 400 }, PANE)).toEqual({ width: 200, height: 80 });
  expect(mapSize({ width: 400, height: 900 }, PANE)).toEqual({ width: 120, height: 160 });
});

test('a network of hundreds of layers has a band along the pane, wide enough to be hit', () => {
  const tall = mapSize({ width: 700, height: 40_000 }, PANE);
  expect(tall).toEqual({ width: 20, height: 500 });
  const wide = mapSize({ width: 40_000, height: 4000 }, PANE);
  expect(wide).toEqual({ width: 820, height: 82 });
});

test('a band is wide enough for the view of a pane that is wider than the drawing', () => {
  const size = { width: 200, height: 4500 };
  const tall = mapSize(size, PANE) ?? { width: 0, height: 0 };
  expect(tall).toEqual({ width: 98, height: 500 });
  expect(PANE.width / tall.width).toBeLessThan(1.1 * mapScale(size, tall));
});

test('a band leaves a low pane to the drawing', () => {
  const map = mapSize({ width: 1300, height: 120 }, { width: 864, height: 320 });
  expect(map).toEqual({ width: 260, height: 64 });
});

test('a pane too low for a picture has none', () => {
  expect(mapSize({ width: 900, height: 400 }, { width: 864, height: 190 })).toBeUndefined();
  expect(mapSize({ width: 400, height: 900 }, { width: 864, height: 190 })).toBeUndefined();
});

test('a band is no longer than what is in it', () => {
  expect(mapSize({ width: 200, height: 2000 }, PANE)).toEqual({ width: 120, height: 273 });
});

test('there is none where it would show nothing or cover the pane', () => {
  expect(mapSize({ width: 10, height: 40_000 }, PANE)).toBeUndefined();
  expect(mapSize({ width: 700, height: 40_000 }, { width: 300, height: 100 })).toBeUndefined();
  expect(mapSize({ width: 0, height: 0 }, PANE)).toBeUndefined();
});

test('the side that fits worse gives the scale of the map', () => {
  expect(mapScale({ width: 600, height: 40_000 }, { width: 20, height: 800 })).toBe(50);
  expect(mapScale({ width: 4000, height: 100 }, { width: 200, height: 80 })).toBe(20);
});
