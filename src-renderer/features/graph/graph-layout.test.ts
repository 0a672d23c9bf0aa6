// Layout, its jobs, keys, the first view, and the picture.

import { expect, test } from 'vitest';

import { nodeByKey } from './graph-keys.ts';
import type { LayoutInput } from './graph-layout.ts';
import { layOut } from './graph-layout.ts';
import { pictureScale, pictureSvg } from './graph-picture.ts';
import type { LayoutWorker } from './layout-jobs.ts';
import { LayoutJobs } from './layout-jobs.ts';
import { startViewport, wholeViewport } from './start-viewport.ts';

const size = { width: 100, height: 40 };

const diamond: LayoutInput = {
  direction: 'TB',
  nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id, ...size })),
  edges: [
    { id: 'ab', from: 'a', to: 'b' },
    { id: 'ac', from: 'a', to: 'c' },
    { id: 'bd', from: 'b', to: 'd' },
    { id: 'cd', from: 'c', to: 'd' },
    { id: 'lost', from: 'a', to: 'nowhere' },
  ],
};

test('data flows downwards, nodes of one layer stand side by side, lines have a way', () => {
  const { nodes, edges, width, height } = layOut(diamond);
  const at = (id: string) => nodes[id] ?? { x: NaN, y: NaN };
  expect(at('a').y).toBeLessThan(at('b').y);
  expect(at('b').y).toBe(at('c').y);
  expect(Math.abs(at('b').x - at('c').x)).toBeGreaterThanOrEqual(size.width);
  expect(edges['bd']?.length).toBeGreaterThan(1);
  expect(edges['lost']).toBeUndefined();
  expect(width).toBeGreaterThan(2 * size.width);
  expect(height).toBeGreaterThan(3 * size.height);
});

test('a circle, and a chain as long as a drawing may be, can be laid out', () => {
  const circle = layOut({
    direction: 'LR',
    nodes: ['a', 'b'].map((id) => ({ id, ...size })),
    edges: [
      { id: 'ab', from: 'a', to: 'b' },
      { id: 'ba', from: 'b', to: 'a' },
    ],
  });
  expect(Object.keys(circle.edges)).toEqual(['ab', 'ba']);
  const ids = Array.from({ length: 800 }, (_, at) => String(at));
  const chain = layOut({
    direction: 'TB',
    nodes: ids.map((id) => ({ id, ...size })),
    edges: ids.slice(1).map((id, at) => ({ id, from: String(at), to: id })),
  });
  expect(Number.isFinite(chain.nodes['799']?.y)).toBe(true);
});

test('a label has room of its own on its line, and lines without one stay short', () => {
  const label = { width: 120, height: 34 };
  const { nodes, labels } = layOut({
    direction: 'LR',
    gaps: 'close',
    nodes: ['a', 'b', 'c'].map((id) => ({ id, ...size })),
    edges: [
      { id: 'ab', from: 'a', to: 'b' },
      { id: 'bc', from: 'b', to: 'c', label },
    ],
  });
  const at = (id: string) => nodes[id] ?? { x: NaN, y: NaN };
  const middle = labels['bc'] ?? { x: NaN, y: NaN };
  expect(middle.x - label.width / 2).toBeGreaterThan(at('b').x + size.width);
  expect(middle.x + label.width / 2).toBeLessThan(at('c').x);
  expect(at('b').x - at('a').x).toBeLessThan(at('c').x - at('b').x);
  expect(labels['ab']).toBeUndefined();
});

test.each(['TB', 'LR'] as const)(
  'what stands beside each other keeps the order it was given in, %s',
  (direction) => {
    const { nodes, edges } = layOut({
      direction,
      nodes: ['in0', 'in1', 'id0', 'id1', 'add', 'sub', 'out0', 'out1'].map((id) => ({ id, ...size })),
      edges: [
        { id: '1', from: 'in0', to: 'id0' },
        { id: '2', from: 'in1', to: 'id1' },
        { id: '3', from: 'id0', to: 'add' },
        { id: '4', from: 'id1', to: 'add' },
        { id: '5', from: 'id0', to: 'sub' },
        { id: '6', from: 'id1', to: 'sub' },
        { id: '7', from: 'add', to: 'out0' },
        { id: '8', from: 'sub', to: 'out1' },
      ],
    });
    const across = (id: string): number => nodes[id]?.[direction === 'TB' ? 'x' : 'y'] ?? NaN;
    expect(across('in0')).toBeLessThan(across('in1'));
    expect(across('out0')).toBeLessThan(across('out1'));
    const begin = edges['1']?.[0]?.[direction === 'TB' ? 'x' : 'y'] ?? NaN;
    expect(begin - across('in0')).toBeLessThanOrEqual(size.width);
  },
);

class HandWorker implements LayoutWorker {
  onmessage: LayoutWorker['onmessage'] = null;
  onerror: LayoutWorker['onerror'] = null;
  input: LayoutInput | undefined;
  isTerminated = false;

  postMessage(input: LayoutInput): void {
    this.input = input;
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(): void {
    if (this.input !== undefined) this.onmessage?.({ data: { layout: layOut(this.input) } } as MessageEvent);
  }
}

function withWorkers() {
  const workers: HandWorker[] = [];
  const jobs = new LayoutJobs(() => {
    const worker = new HandWorker();
    workers.push(worker);
    return worker;
  });
  return { jobs, workers, stateOf: (place: string) => jobs.store.getState().byPlace.get(place)?.state };
}

test('a layout is made once per drawing, and its worker ends with it', () => {
  const { jobs, workers, stateOf } = withWorkers();
  jobs.start('m', 'one', diamond);
  jobs.start('m', 'one', diamond);
  expect(workers).toHaveLength(1);
  expect(stateOf('m')).toBe('running');
  workers[0]?.answer();
  expect(stateOf('m')).toBe('done');
  expect(workers[0]?.isTerminated).toBe(true);
  jobs.start('m', 'one', diamond);
  expect(workers).toHaveLength(1);
});

test('another drawing takes the place of one that is on its way', () => {
  const { jobs, workers, stateOf } = withWorkers();
  jobs.start('m', 'one', diamond);
  jobs.start('m', 'two', diamond);
  expect(workers[0]?.isTerminated).toBe(true);
  workers[0]?.answer();
  expect(stateOf('m')).toBe('running');
  workers[1]?.answer();
  expect(jobs.store.getState().byPlace.get('m')).toMatchObject({ key: 'two', state: 'done' });
});

test('a cancelled layout stays cancelled until it is asked for again', () => {
  const { jobs, workers, stateOf } = withWorkers();
  jobs.start('m', 'one', diamond);
  jobs.cancel('m');
  expect(workers[0]?.isTerminated).toBe(true);
  expect(stateOf('m')).toBe('cancelled');
  jobs.start('m', 'one', diamond);
  expect(stateOf('m')).toBe('cancelled');
  jobs.start('m', 'one', diamond, true);
  expect(stateOf('m')).toBe('running');
});

test('a worker that fails says so, and what is forgotten is ended', () => {
  const { jobs, workers } = withWorkers();
  jobs.start('m', 'one', diamond);
  workers[0]?.onmessage?.({ data: { error: 'too deep' } } as MessageEvent);
  expect(jobs.store.getState().byPlace.get('m')).toMatchObject({ state: 'failed', error: 'too deep' });
  jobs.start('n', 'one', diamond);
  jobs.forget((place) => place === 'n');
  expect(workers[1]?.isTerminated).toBe(true);
  expect(jobs.store.getState().byPlace.has('n')).toBe(false);
});

test('arrow keys follow lines along the flow and go to the neighbour across it', () => {
  const { nodes } = layOut(diamond);
  const placed = diamond.nodes.map(({ id }) => ({ id, ...(nodes[id] ?? { x: 0, y: 0 }), ...size }));
  const graph = { nodes: placed, edges: diamond.edges, direction: 'TB' as const };
  const [left, right] = (nodes['b']?.x ?? 0) < (nodes['c']?.x ?? 0) ? ['b', 'c'] : ['c', 'b'];
  expect(nodeByKey(graph, undefined, 'ArrowDown')).toBe('a');
  expect(['b', 'c']).toContain(nodeByKey(graph, 'a', 'ArrowDown'));
  expect(nodeByKey(graph, left ?? '', 'ArrowRight')).toBe(right);
  expect(nodeByKey(graph, left ?? '', 'ArrowLeft')).toBe(left);
  expect(nodeByKey(graph, 'd', 'ArrowUp')).not.toBe('d');
  expect(nodeByKey(graph, 'd', 'ArrowDown')).toBe('d');
  expect(nodeByKey(graph, 'a', 'End')).toBe('d');
  expect(nodeByKey(graph, 'a', 'x')).toBeUndefined();
  expect(nodeByKey({ ...graph, direction: 'LR' }, 'a', 'ArrowRight')).not.toBe('a');
});

test('a drawing starts as a whole when that can be read, else at its beginning', () => {
  const pane = { width: 800, height: 600 };
  expect(startViewport({ width: 400, height: 300 }, pane, 'TB')).toEqual({ x: 200, y: 150, zoom: 1 });
  const tall = startViewport({ width: 400, height: 50_000 }, pane, 'TB');
  // Labels of 12 px are never drawn below 11.
  expect(tall.zoom * 12).toBeCloseTo(11);
  expect(tall.y).toBe(12);
  const long = startViewport({ width: 2500, height: 100 }, pane, 'LR');
  expect(long.zoom * 12).toBeCloseTo(11);
  expect(long.x).toBe(12);
  // Not even where a little less would show all of it.
  const nearly = startViewport({ width: 880, height: 100 }, pane, 'LR');
  expect(nearly.zoom * 12).toBeCloseTo(11);
  const whole = wholeViewport({ width: 400, height: 50_000 }, pane);
  expect(whole.zoom * 50_000).toBeLessThanOrEqual(pane.height);
  expect(startViewport({ width: 0, height: 0 }, pane, 'LR')).toEqual({ x: 0, y: 0, zoom: 1 });
});

test.each([
  { width: 220, height: 30 },
  { width: 40, height: 40 },
  { width: 0, height: 0 },
])('a pane of $width × $height still shows the drawing the right way round', (pane) => {
  for (const { zoom } of [
    wholeViewport({ width: 500, height: 500 }, pane),
    startViewport({ width: 500, height: 500 }, pane, 'TB'),
  ]) {
    expect(zoom).toBeGreaterThan(0);
  }
});

test('the picture holds every node, with names that cannot break it', () => {
  const colors = {
    background: '#fff',
    surface: '#fff',
    line: '#888',
    text: '#000',
    softText: '#444',
    accent: '#06a',
  };
  const node = {
    id: 'a',
    x: 0,
    y: 0,
    ...size,
    title: '<Conv>&"',
    subtitle: 'n\u0000',
    kind: 'operator',
  };
  const svg = pictureSvg(
    { nodes: [node], edges: [{ points: [], label: '' }], width: 100, height: 40, title: 'm' },
    colors,
  );
  const parsed = /<text[^>]*>([^<]*)<\/text>/.exec(svg);
  expect(parsed?.[1]).toBe('&lt;Conv&gt;&amp;&quot;');
  expect(svg).not.toContain('\u0000');
  expect(pictureScale(100, 40)).toBe(2);
  expect(pictureScale(251, 51_000)).toBeLessThan(0.4);
});
