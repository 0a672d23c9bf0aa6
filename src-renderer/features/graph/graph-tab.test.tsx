// The Graph tab with an engine from memory: what is shown when there is nothing to draw, a file's graph, an ensemble.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { invalidArg, notFound } from '../../../src-shared/errors.ts';
import { draftOf, dropDrafts, drafts } from '../../config/drafts/config-drafts.ts';
import { modelAddress } from '../../lib/address.ts';
import { setLiveIssues } from '../../lib/live-problems.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { answerGraph, fakeGraphData, fakeOperator } from '../../testing/fake-graph.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, press, renderView, type, until } from '../../testing/render.tsx';
import { graphSources } from './graph-source.ts';
import { GraphTab } from './graph-tab.tsx';
import { graphViews } from './graph-views.ts';
import { layouts } from './layouts.ts';

vi.mock('./layout-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).FakeLayoutWorker,
}));

vi.mock('../../config/language/config-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).SilentWorker,
}));

const GRAPH = fakeGraphData(
  [
    fakeOperator('Conv', ['x', 'w'], ['a'], { name: '/stem/Conv', scope: 'stem' }),
    fakeOperator('Relu', ['a'], ['y'], {
      name: '/stem/Relu',
      scope: 'stem',
      attributes: [{ name: 'alpha', value: '0.5', isTensor: false }],
    }),
  ],
  { initializers: [{ name: 'w', type: 'float', shape: '[3,3]', byteSize: 36 }] },
);

const ENSEMBLE = `name: "pair"
platform: "ensemble"
input [ { name: "RAW" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "CLASS" data_type: TYPE_INT64 dims: [ 1 ] } ]
ensemble_scheduling {
  step [
    { model_name: "best" model_version: -1
      input_map { key: "SCORES" value: "nonsense" }
      output_map { key: "CLASS" value: "CLASS" } }
  ]
}
`;

let fake: FakeEngine;
let shown: Rendered | undefined;

beforeEach(() => {
  fake = new FakeEngine();
  answerGraph(fake, () => GRAPH);
  fake.overrides['graph/constant'] = () => ({
    type: 'float',
    shape: '[3,3]',
    elementCount: 9,
    values: ['0.25', '1'],
  });
  fake.overrides['graph/ensemble'] = () => ({
    runCount: 0,
    failureCount: 0,
    meanUs: 0,
    lastError: undefined,
    steps: [],
  });
});

afterEach(async () => {
  await shown?.close();
  shown = undefined;
  dropDrafts([...drafts.getState().byDocument.keys()]);
  graphSources.setState({ byFile: new Map() });
  graphViews.setState({ byModel: {} });
  layouts.forget(() => true);
});

async function show(model: ReturnType<typeof fakeModel>): Promise<Rendered> {
  fake.snapshot = { ...fake.snapshot, models: [model] };
  shown = await renderView(
    <GraphTab model={model.name} version="" address={modelAddress(model.name, 'graph')} />,
    fake,
  );
  return shown;
}

test('a model of code says what there is to see instead', async () => {
  const { get } = await show(
    fakeModel('counter', { backend: 'javascript', kind: 'javascript', format: 'source' }),
  );
  await until(() => expect(get('graph-none').textContent).toContain('written in its code'));
  expect(fake.argsOf('graph/onnx')).toEqual([]);
});

test('a missing file, and one that is no ONNX, say which', async () => {
  fake.overrides['graph/onnx'] = () => {
    throw notFound("version 1 of model 'm' has no file 'model.onnx'");
  };
  const first = await show(fakeModel('m'));
  await until(() => expect(first.get('graph-missing').textContent).toContain("has no file 'model.onnx'"));
  await first.close();
  graphSources.setState({ byFile: new Map() });
  fake.overrides['graph/onnx'] = () => {
    throw invalidArg('it is an HTML page');
  };
  const second = await show(fakeModel('m'));
  await until(() => expect(second.get('graph-failed').textContent).toContain('HTML page'));
});

test('a file is listed and drawn; what is found is shown with its constants on demand', async () => {
  const { get, query } = await show(fakeModel('m'));
  await until(() => expect(get('graph-outline').dataset['count']).toBe('3'));
  await until(() => get('graph-canvas'));
  await type(get('graph-find'), 'conv');
  await until(() => expect(get('graph-found').dataset['count']).toBe('1'));
  await press(get('graph-find'), 'Enter');
  await until(() => expect(get('graph-panel').textContent).toContain('/stem/Conv'));
  expect(query('graph-values')).toBeNull();
  expect(fake.argsOf('graph/constant')).toEqual([]);
  await click(get('graph-show-values'));
  await until(() => expect(get('graph-values').textContent).toContain('0.25'));
  expect(fake.argsOf('graph/constant')).toEqual([
    { model: 'm', version: '', tensor: 'w', attribute: undefined },
  ]);
  expect(await accessibilityFaults()).toEqual([]);
});

test('scopes are closed from the details of an operator, and opened again', async () => {
  const { get } = await show(fakeModel('m'));
  await until(() => get('graph-canvas'));
  await until(() => expect(get('graph-canvas').getAttribute('aria-label')).toContain('4 nodes'));
  get('graph-canvas').focus();
  await press(get('graph-canvas'), 'Home');
  await press(get('graph-canvas'), 'ArrowDown');
  await until(() => expect(get('graph-panel').textContent).toContain('Conv'));
  await click(get('graph-close-scope'));
  await until(() => expect(get('graph-canvas').getAttribute('aria-label')).toContain('3 nodes'));
  await click(get('graph-open-scope'));
  await until(() => expect(get('graph-canvas').getAttribute('aria-label')).toContain('4 nodes'));
});

test('an ensemble is drawn from its text with its findings, and disconnecting is a step that is undone', async () => {
  fake.overrides['config/read'] = () => ({
    exists: true,
    text: ENSEMBLE,
    hash: 'h',
    path: '/models/pair/config.pbtxt',
    readOnlyReason: undefined,
    refusal: undefined,
  });
  const { get } = await show(
    fakeModel('pair', { isEnsemble: true, backend: '', kind: 'ensemble', state: 'unloaded' }),
  );
  await until(() => get('graph-connections'));
  setLiveIssues('pair', [
    {
      code: 'D50',
      severity: 'error',
      message: "ensemble tensor 'nonsense' is unused",
      hint: '',
      path: 'ensemble_scheduling.step[0].input_map["SCORES"]',
      startOffset: 0,
      endOffset: 0,
      line: 8,
      column: 1,
      fixes: [],
    },
  ]);
  await until(() => expect(get('graph-connections').textContent).toContain('D50'));
  await until(() => expect(get('graph-step-0').dataset['state']).toBe('missing'));
  expect(await accessibilityFaults()).toEqual([]);
  await click(get('graph-connection-step:0/SCORES'));
  await until(() => expect(get('graph-issue-D50').textContent).toContain('nonsense'));
  await click(get('graph-disconnect'));
  expect(draftOf('pair')?.text).not.toContain('nonsense');
  await until(() => expect(get('graph-dirty').dataset['dirty']).toBe('true'));
  await click(get('graph-undo'));
  expect(draftOf('pair')?.text).toBe(ENSEMBLE);
});
