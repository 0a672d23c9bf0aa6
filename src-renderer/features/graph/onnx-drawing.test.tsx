// The drawing of a file's graph with its list, search and details: what keys and buttons do, and what is said when
// there is too much to draw or nothing to show.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { OnnxGraphData } from '../../../src-shared/contract/graph-calls.ts';
import { internal } from '../../../src-shared/errors.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { answerGraph, fakeChain, fakeGraphData, fakeOperator } from '../../testing/fake-graph.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import { layoutThreads } from '../../testing/fake-workers.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, press, renderWithHosts, type, until } from '../../testing/render.tsx';
import { graphSources } from './graph-source.ts';
import { changeView, graphViews, viewOf } from './graph-views.ts';
import { layouts } from './layouts.ts';
import { OnnxGraph } from './onnx-graph.tsx';

vi.mock('./layout-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).FakeLayoutWorker,
}));

const SMALL = fakeGraphData(
  [
    fakeOperator('Constant', [], ['k'], {
      scope: 'folded',
      attributes: [{ name: 'value', value: 'float[2]', isTensor: true }],
    }),
    fakeOperator('Conv', ['x', 'w', ''], ['a'], { name: '/stem/Conv', scope: 'stem' }),
    fakeOperator('Relu', ['a'], ['b'], { name: '/stem/Relu', scope: 'stem' }),
    fakeOperator('Add', ['b', 'k'], ['c'], { name: '/body/one/Add', scope: 'body/one' }),
    fakeOperator('Gelu', ['c'], ['y'], {
      name: '/body/two/Gelu',
      scope: 'body/two',
      domain: 'com.microsoft',
    }),
  ],
  { initializers: [{ name: 'w', type: 'float', shape: '[3,3]', byteSize: 36 }] },
);

let fake: FakeEngine;
let shown: Rendered | undefined;

beforeEach(() => {
  fake = new FakeEngine();
  layoutThreads.mode = 'answer';
  layoutThreads.ended = 0;
  fake.overrides['graph/constant'] = () => ({
    type: 'float',
    shape: '[900]',
    elementCount: 900,
    values: ['0.25', '1'],
  });
});

afterEach(async () => {
  await shown?.close();
  shown = undefined;
  graphSources.setState({ byFile: new Map() });
  graphViews.setState({ byModel: {} });
  layouts.forget(() => true);
});

async function show(read: (version: string) => OnnxGraphData, version = ''): Promise<Rendered> {
  answerGraph(fake, read);
  const model = fakeModel('m');
  fake.snapshot = { ...fake.snapshot, models: [model] };
  shown = await renderWithHosts(<OnnxGraph model={model} version={version} />, fake);
  return shown;
}

async function drawn(read: (version: string) => OnnxGraphData, version = ''): Promise<Rendered> {
  const page = await show(read, version);
  await until(() => page.get('graph-canvas'));
  return page;
}

const selected = (): string | undefined => viewOf('m').selected;
const panelText = (): string => shown?.query('graph-panel')?.textContent ?? '';

test('the list is walked by keys: rows, pages, into scopes and out of them', async () => {
  const { get } = await drawn(() => SMALL);
  const outline = get('graph-outline');
  for (const [key, id] of [
    ['ArrowDown', 'in:x'],
    ['End', 'out:y'],
    ['Home', 'in:x'],
    ['PageDown', 'out:y'],
    ['ArrowUp', 'scope:body'],
  ] as const) {
    await press(outline, key);
    await until(() => expect(selected()).toBe(id));
  }
  await press(outline, 'ArrowRight');
  await until(() => expect(get('graph-row-scope:body').getAttribute('aria-expanded')).toBe('true'));
  await press(outline, 'ArrowRight');
  await until(() => expect(selected()).toBe('scope:body/one'));
  await press(outline, 'ArrowLeft');
  await until(() => expect(selected()).toBe('scope:body'));
  await press(outline, 'ArrowLeft');
  await until(() => expect(get('graph-row-scope:body').getAttribute('aria-expanded')).toBe('false'));
  await press(outline, 'Enter');
  await until(() => expect(get('graph-row-scope:body').getAttribute('aria-expanded')).toBe('true'));
  const rowOf = outline.getAttribute('aria-activedescendant') ?? '';
  expect(document.getElementById(rowOf)).toBe(get('graph-row-scope:body'));
  expect(await accessibilityFaults(outline)).toEqual([]);
});

test('keys with a modifier belong to the window: neither list nor drawing takes them', async () => {
  const { get } = await drawn(() => SMALL);
  await press(get('graph-canvas'), 'Home');
  await press(get('graph-canvas'), 'ArrowDown');
  await until(() => expect(selected()).toBe('op:1'));
  for (const target of [get('graph-outline'), get('graph-canvas')]) {
    for (const key of ['ArrowLeft', 'ArrowDown', 'End', '-', '+']) {
      const event = new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true });
      target.dispatchEvent(event);
      expect(event.defaultPrevented, `${key} in ${target.dataset['testid']}`).toBe(false);
    }
  }
  await until(() => expect([selected(), viewOf('m').open]).toEqual(['op:1', undefined]));
});

test('minus closes the scope of the operator, plus opens it again', async () => {
  const { get } = await drawn(() => SMALL);
  const canvas = get('graph-canvas');
  await press(canvas, 'Home');
  await press(canvas, 'ArrowDown');
  await press(canvas, '-');
  await until(() => expect(selected()).toBe('scope:stem'));
  await until(() => get('graph-canvas'));
  await press(get('graph-canvas'), '+');
  await until(() => expect([...(viewOf('m').open ?? [])]).toContain('stem'));
});

test('Enter moves the focus to the details, Escape gives it back to the drawing', async () => {
  const { get } = await drawn(() => SMALL);
  get('graph-canvas').focus();
  await press(get('graph-canvas'), 'Home');
  await press(get('graph-canvas'), 'Enter');
  await until(() => expect(document.activeElement).toBe(get('graph-panel')));
  await press(get('graph-panel'), 'Escape');
  await until(() => expect(document.activeElement).toBe(get('graph-canvas')));
});

test('a search steps through what it found in both directions and around, and Escape ends it', async () => {
  const { get, query } = await drawn(() => SMALL);
  runCommand('find.inView');
  await type(get('graph-find'), 'body');
  await until(() => expect(get('graph-found').textContent).toBe('0 of 2'));
  const finder = get('graph-find');
  await press(finder, 'Enter');
  await until(() => expect(get('graph-found').textContent).toBe('1 of 2'));
  expect(selected()).toBe('op:3');
  await press(finder, 'Enter', { shiftKey: true });
  await until(() => expect([get('graph-found').textContent, selected()]).toEqual(['2 of 2', 'op:4']));
  await press(finder, 'Enter');
  await until(() => expect(selected()).toBe('op:3'));
  await type(finder, 'nothing like it');
  await until(() => expect(get('graph-found').textContent).toBe('None found'));
  await press(finder, 'Enter');
  expect(get('graph-outline').textContent).toContain('None found');
  await press(finder, 'Escape');
  await until(() => expect(query('graph-found')).toBeNull());
  await until(() => expect(get('graph-outline').dataset['count']).toBe('4'));
});

test('an operator says what it reads and writes, and leads to its neighbours', async () => {
  const { get } = await drawn(() => SMALL);
  changeView('m', { selected: 'op:1' });
  await until(() => expect(panelText()).toContain('/stem/Conv'));
  for (const text of [
    'input of the graph',
    'float[3,3]',
    '36 B',
    'left out',
    'to Relu Relu',
    'ONNX',
    'None.',
  ]) {
    expect(panelText()).toContain(text);
  }
  const links = [...get('graph-panel').querySelectorAll('button')];
  const toRelu = links.find(({ textContent }) => textContent === 'to Relu Relu');
  if (toRelu === undefined) throw new Error('no way to the next operator');
  await click(toRelu);
  await until(() => expect(panelText()).toContain('from Conv Conv'));
  changeView('m', { selected: 'op:4' });
  await until(() => expect(panelText()).toContain('com.microsoft'));
  expect(panelText()).toContain('output of the graph');
  expect(await accessibilityFaults(get('graph-panel'))).toEqual([]);
});

test('values of a constant say how many of them are shown, and why there are none', async () => {
  const { get } = await drawn(() => SMALL);
  changeView('m', { selected: 'op:1' });
  await until(() => get('graph-show-values'));
  await click(get('graph-show-values'));
  await until(() => expect(get('graph-values').textContent).toContain('First 2 of 900'));
  fake.overrides['graph/constant'] = () => {
    throw internal('the file is gone');
  };
  // A constant that is folded away is drawn once somebody goes to it.
  changeView('m', { selected: 'op:3' });
  await until(() => expect(panelText()).toContain('from Constant k'));
  const link = [...get('graph-panel').querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'from Constant k',
  );
  await click(link as HTMLElement);
  await until(() => expect(get('graph-tab').dataset['mode']).toBe('around'));
  await until(() => expect(panelText()).toContain('float[2]'));
  await click(get('graph-show-values'));
  await until(() => expect(panelText()).toContain('the file is gone'));
  expect(fake.argsOf('graph/constant').at(-1)).toEqual({
    ...{ model: 'm', version: '', tensor: 'k', attribute: 'value' },
  });
});

test('scopes are opened and closed all at once, and a closed one says what is in it', async () => {
  const { get, query } = await drawn(() => SMALL);
  await click(get('graph-close-all'));
  await until(() => expect(get('graph-canvas').getAttribute('aria-label')).toContain('4 nodes'));
  changeView('m', { selected: 'scope:body' });
  await until(() => expect(panelText()).toContain('Add'));
  expect(query('graph-close-scope')).toBeNull();
  await click(get('graph-open-scope'));
  await until(() => expect(get('graph-canvas').getAttribute('aria-label')).toContain('5 nodes'));
  await click(get('graph-open-below'));
  await until(() => expect(viewOf('m').open).toEqual(new Set(['body', 'body/one', 'body/two'])));
  await click(get('graph-open-all'));
  await until(() => expect(get('graph-canvas').getAttribute('aria-label')).toContain('6 nodes'));
});

test('the details close with what they are of: a scope of constants alone that are folded away', async () => {
  const { get, query } = await drawn(() => SMALL);
  await click(get('graph-constants'));
  await until(() => expect(get('graph-canvas').getAttribute('aria-label')).toContain('7 nodes'));
  changeView('m', { selected: 'scope:folded' });
  await until(() => get('graph-panel'));
  await click(get('graph-constants'));
  await until(() => expect(query('graph-panel')).toBeNull());
  await until(() => expect(document.querySelectorAll('[role="separator"]')).toHaveLength(1));
});

test('another version with fewer operators is drawn from its own beginning', async () => {
  changeView('m', { mode: 'around', center: 700, selected: 'op:700' });
  const { get, query } = await drawn(() => SMALL, '2');
  await until(() => expect(get('graph-canvas').getAttribute('aria-label')).toContain('4 nodes'));
  expect(get('graph-canvas').textContent).toContain('Conv');
  expect(query('graph-panel')).toBeNull();
});

test('an input says what the config says of it, and who reads it', async () => {
  fake.overrides['config/effective'] = () => ({
    text: 'name: "m"\ninput [ { name: "x" data_type: TYPE_FP32 dims: [ 4 ] } ]',
    ...{ origins: [], json: '{}', error: undefined },
  });
  const { get } = await drawn(() => SMALL);
  changeView('m', { selected: 'in:x' });
  await until(() => expect(get('graph-configured').textContent).toBe('TYPE_FP32 [4]'));
  expect(panelText()).toContain('to Conv Conv');
  await until(() => expect(get('graph-canvas').textContent).toContain('FP32 [4]'));
  changeView('m', { selected: 'out:y' });
  await until(() => expect(get('graph-configured').textContent).toBe('not in the config'));
  expect(panelText()).toContain('from Gelu Gelu');
});

test('a scope with too much in it is not opened, and the message says how much', async () => {
  const { get } = await show(() => fakeChain(1200, (at) => `all/s${Math.floor(at / 300)}`));
  await until(() => get('graph-canvas'));
  await click(get('graph-open-all'));
  await until(() => expect(document.body.textContent).toContain('1,200'));
  expect(get('graph-canvas').getAttribute('aria-label')).toContain('3 nodes');
});

test('a graph without scopes is cut into parts and says so', async () => {
  const { get } = await drawn(() => fakeChain(900));
  expect(get('graph-cut').textContent).toContain('grouped in the order of the file');
  await until(() => expect(get('graph-row-scope:1-100').textContent).toContain('100'));
});

test('a large graph opens around one operator, and its scopes are drawn when asked', async () => {
  const { get, query } = await drawn(() => fakeChain(5100, (at) => `s${Math.floor(at / 300)}`));
  expect(get('graph-large').textContent).toContain('5,100');
  expect(get('graph-canvas').getAttribute('aria-label')).toContain('4 nodes');
  await click(get('graph-draw-scopes'));
  await until(() => expect(get('graph-canvas').getAttribute('aria-label')).toContain('19 nodes'));
  expect(query('graph-large')).toBeNull();
});

test('a layout that fails says why and can be asked for again', async () => {
  layoutThreads.mode = 'fail';
  const { get } = await show(() => SMALL);
  await until(() => expect(get('graph-layout-failed').textContent).toContain('too deep'));
  layoutThreads.mode = 'answer';
  await click(get('graph-layout-failed').querySelector('button') as HTMLElement);
  await until(() => get('graph-canvas'));
});

test('a layout can be cancelled, stays so, and can be asked for again', async () => {
  layoutThreads.mode = 'wait';
  const { get, query } = await show(() => SMALL);
  await until(() => expect(get('graph-layout-running').textContent).toContain('6 nodes'));
  await click(get('graph-layout-cancel'));
  await until(() => get('graph-layout-cancelled'));
  expect(layoutThreads.ended).toBe(1);
  changeView('m', { selected: 'in:x' });
  await until(() => get('graph-panel'));
  expect(query('graph-layout-running')).toBeNull();
  layoutThreads.mode = 'answer';
  await click(get('graph-layout-cancelled').querySelector('button') as HTMLElement);
  await until(() => get('graph-canvas'));
});

test('a file without operators says that there is nothing to draw', async () => {
  const empty = fakeGraphData([], { inputs: [], outputs: [] });
  const { get, query } = await show(() => empty);
  await until(() => expect(get('graph-tab').textContent).toContain('has no operators'));
  expect(query('graph-canvas')).toBeNull();
});
