// Where things stand in the timeline, what a point hits, and where keys lead.

import { expect, test } from 'vitest';

import { fakeEnsemble, fakeTraces, stampsOf, traceRow } from '../../testing/fake-traces.ts';
import { besideBlock, hitAt } from './timeline-hit.ts';
import { layOutTimeline, MAX_LEVELS, moved, showing, wholeWindow, zoomed } from './timeline-layout.ts';
import { contentHeight, lanePlaces, nsOf, paint, tickStep, xOf } from './timeline-paint.ts';
import type { Palette } from './timeline-paint.ts';

const WIDTH = 1132;

test('requests that ran together are one block on the lane of their instance, and wait above it', () => {
  const layout = layOutTimeline(fakeTraces());
  expect(layout.lanes).toEqual([
    { model: 'resnet', instance: 'resnet_0', levelCount: 3 },
    { model: 'resnet', instance: 'resnet_1', levelCount: 1 },
  ]);
  expect(
    layout.blocks.map(({ id, lane, startNs, endNs, rows }) => [id, lane, startNs, endNs, rows.length]),
  ).toEqual([
    [1, 0, 200_000, 1_200_000, 3],
    [2, 1, 340_000, 740_000, 1],
  ]);
  expect(layout.waits.map(({ row, level, endNs }) => [row.id, level, endNs])).toEqual([
    [1, 0, 200_000],
    [2, 1, 200_000],
    [3, 2, 200_000],
    [4, 0, 340_000],
  ]);
  expect(layout.durationNs).toBe(1_220_000);
});

test('instances are ordered by number, and what ran nowhere has no lane', () => {
  const at = (id: number, instance: string) =>
    traceRow(id, {
      stamps: stampsOf(0, 100, 10),
      execution: { id, instance, requestCount: 1, batchSize: 1, closeReason: undefined },
    });
  const layout = layOutTimeline([at(1, 'm_10'), at(2, 'm_9'), fakeEnsemble()[3] ?? traceRow(9)]);
  expect(layout.lanes.map(({ instance }) => instance)).toEqual(['m_9', 'm_10']);
  expect(layOutTimeline([]).lanes).toEqual([]);
});

test('a queue that is longer than there are lines shares the last one', () => {
  const rows = Array.from({ length: 50 }, (_, index) =>
    traceRow(index + 1, {
      stamps: stampsOf(index, 1000, 100),
      execution: { id: 1, instance: 'm_0', requestCount: 50, batchSize: 50, closeReason: 'full' },
    }),
  );
  const { lanes, waits } = layOutTimeline(rows);
  expect(lanes[0]?.levelCount).toBe(MAX_LEVELS);
  expect(waits.filter(({ level }) => level === MAX_LEVELS - 1)).toHaveLength(50 - MAX_LEVELS + 1);
});

test('zooming keeps the moment under the pointer, and neither zooming nor moving leaves what there is', () => {
  const whole = { fromNs: 0, toNs: 1_000_000 };
  const near = zoomed(whole, 0.5, 250_000, whole);
  expect(near).toEqual({ fromNs: 125_000, toNs: 625_000 });
  expect(xOf(250_000, near, WIDTH)).toBeCloseTo(xOf(250_000, whole, WIDTH));
  expect(zoomed(near, 100, 250_000, whole)).toEqual(whole);
  expect(zoomed(whole, 1e-9, 500_000, whole).toNs - zoomed(whole, 1e-9, 500_000, whole).fromNs).toBeCloseTo(
    2000,
  );
  expect(moved(near, -1e9, whole)).toEqual({ fromNs: 0, toNs: 500_000 });
  expect(moved(near, 1e9, whole)).toEqual({ fromNs: 500_000, toNs: 1_000_000 });
  expect(nsOf(xOf(333_333, near, WIDTH), near, WIDTH)).toBeCloseTo(333_333);
});

test('a block that a key leads to comes into sight', () => {
  const layout = layOutTimeline(fakeTraces());
  const whole = wholeWindow(layout);
  const block = layout.blockById.get(2);
  if (block === undefined) throw new Error('there is no such block');
  const away = { fromNs: 0, toNs: 100_000 };
  const now = showing(away, block, whole);
  expect([now.fromNs < 540_000, now.toNs > 540_000, now.toNs - now.fromNs]).toEqual([true, true, 100_000]);
  expect(showing(whole, block, whole)).toBe(whole);
});

test('a point hits the block or the waiting request under it, also where it is narrow', () => {
  const layout = layOutTimeline(fakeTraces());
  const places = lanePlaces(layout);
  const window = wholeWindow(layout);
  const view = { layout, places, window, width: WIDTH };
  const second = places[1] ?? { top: 0, blockTop: 0, bottom: 0 };
  const blockX = xOf(500_000, window, WIDTH);
  expect(hitAt(view, blockX, second.blockTop + 5)).toMatchObject({ kind: 'block', block: { id: 2 } });
  expect(hitAt(view, xOf(337_000, window, WIDTH), second.blockTop - 4)).toMatchObject({
    kind: 'wait',
    wait: { row: { id: 4 } },
  });
  expect(hitAt(view, xOf(1_100_000, window, WIDTH), second.blockTop + 5)).toBeUndefined();
  expect(hitAt(view, blockX, contentHeight(places) + 50)).toBeUndefined();
});

test('arrows lead along a lane and to the nearest execution of the next one', () => {
  const layout = layOutTimeline([...fakeTraces(), ...fakeEnsemble()]);
  const named = (block: ReturnType<typeof besideBlock>) => block?.execution.instance;
  const first = besideBlock(layout, undefined, 'ArrowRight');
  expect(first).toBe(layout.blocks[0]);
  const block = layout.blockById.get(1);
  expect(layout.lanes.map(({ instance }) => instance)).toEqual([
    'last_0',
    'left_0',
    'resnet_0',
    'resnet_1',
    'right_0',
  ]);
  expect(named(besideBlock(layout, block, 'ArrowDown'))).toBe('resnet_1');
  expect(named(besideBlock(layout, block, 'ArrowUp'))).toBe('left_0');
  expect(besideBlock(layout, layout.blockById.get(13), 'ArrowUp')).toBeUndefined();
  expect(besideBlock(layout, layout.blockById.get(1), 'ArrowRight')).toBeUndefined();
});

const PALETTE: Palette = {
  text: 'text',
  faint: 'faint',
  line: 'line',
  compute: 'compute',
  onCompute: 'onCompute',
  queue: 'queue',
  bad: 'bad',
  chosen: 'chosen',
  font: 'sans-serif',
};

/** What was drawn: rectangles with their colour and strength, and texts. */
function drawing(rows: Parameters<typeof layOutTimeline>[0], lit: { rows: number[]; blocks: number[] }) {
  const layout = layOutTimeline(rows);
  const rectangles: { readonly colour: string; readonly alpha: number; readonly width: number }[] = [];
  const texts: string[] = [];
  const state = { fillStyle: '', globalAlpha: 1 };
  const nothing = (): void => undefined;
  const context = Object.assign(state, {
    fillRect: (_x: number, _y: number, width: number) =>
      rectangles.push({ colour: state.fillStyle, alpha: state.globalAlpha, width }),
    fillText: (text: string) => texts.push(text),
    measureText: (text: string) => ({ width: text.length * 7 }),
    ...{ clearRect: nothing, save: nothing, restore: nothing, beginPath: nothing, rect: nothing },
    ...{ clip: nothing, translate: nothing, strokeRect: nothing },
  });
  paint(context as unknown as CanvasRenderingContext2D, {
    layout,
    places: lanePlaces(layout),
    window: wholeWindow(layout),
    ...{ width: WIDTH, height: 300, scrollTop: 0, palette: PALETTE },
    lit: { rows: new Set(lit.rows), blocks: new Set(lit.blocks) },
  });
  const of = (colour: string) => rectangles.filter((one) => one.colour === colour);
  return { of, texts };
}

test('blocks have the size of their batch, failed ones their own colour, and instances their names', () => {
  const { of, texts } = drawing(fakeTraces(), { rows: [], blocks: [] });
  expect(texts).toEqual(expect.arrayContaining(['6', '2', 'resnet_0', 'resnet_1', '0 µs']));
  expect(of('compute')).toHaveLength(1);
  expect(of('queue')).toHaveLength(3);
  // The block, and the wait before it.
  expect(of('bad')).toHaveLength(2);
});

test('what is not chosen steps back, and a chosen request has a line to its execution', () => {
  const { of } = drawing(fakeTraces(), { rows: [4], blocks: [2] });
  expect(of('compute').every(({ alpha }) => alpha < 1)).toBe(true);
  expect(of('queue').every(({ alpha }) => alpha < 1)).toBe(true);
  expect(of('bad').map(({ alpha, width }) => [alpha, width < 2])).toEqual([
    [1, false],
    [1, true],
    [1, false],
  ]);
});

test('ten thousands of executions that fall on the same pixels are drawn once', () => {
  const rows = Array.from({ length: 20_000 }, (_, index) =>
    traceRow(index + 1, {
      stamps: stampsOf(index * 100, index * 100 + 40, 40),
      execution: { id: index + 1, instance: 'm_0', requestCount: 1, batchSize: 1, closeReason: 'idle' },
    }),
  );
  const { of } = drawing(rows, { rows: [], blocks: [] });
  expect(of('compute').length).toBeLessThan(WIDTH);
  expect(of('queue').length).toBeLessThan(WIDTH);
  expect(of('compute').length).toBeGreaterThan(400);
});

test('ticks are round and do not crowd', () => {
  expect(tickStep({ fromNs: 0, toNs: 1_000_000 }, 1000)).toBe(100_000);
  expect(tickStep({ fromNs: 0, toNs: 1_000_000 }, 300)).toBe(500_000);
  expect(tickStep({ fromNs: 0, toNs: 2000 }, 1000)).toBe(200);
});
