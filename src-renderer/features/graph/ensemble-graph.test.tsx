// The steps of an ensemble on the screen: what is said of each state, and what buttons, lists and keys write into its text
// or ask of the engine.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ConfigFile } from '../../../src-shared/contract/config-calls.ts';
import type { EnsembleActivity } from '../../../src-shared/contract/graph-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { internal, ServerError } from '../../../src-shared/errors.ts';
import { draftOf, drafts, dropDrafts, setDraftText } from '../../config/drafts/config-drafts.ts';
import { registerCommand, runCommand } from '../../lib/command-registry.ts';
import { setLiveIssues } from '../../lib/live-problems.ts';
import { workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, press, renderWithHosts, until } from '../../testing/render.tsx';
import { EnsembleGraph } from './ensemble-graph.tsx';
import { changeView, graphViews, viewOf } from './graph-views.ts';
import { layouts } from './layouts.ts';
import { textSteps } from './text-undo.ts';

vi.mock('./layout-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).FakeLayoutWorker,
}));

vi.mock('../../config/language/config-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).SilentWorker,
}));

const TEXT = `name: "pair"
platform: "ensemble"
input [ { name: "RAW" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "CLASS" data_type: TYPE_FP32 dims: [ 4 ] } ]
ensemble_scheduling {
  step [
    { model_name: "first" model_version: 3
      input_map { key: "IN" value: "RAW" }
      output_map { key: "OUT" value: "mid" } },
    { model_name: "second" model_version: -1
      input_map { key: "IN" value: "mid" }
      output_map { key: "OUT" value: "CLASS" } }
  ]
}
`;

const stepConfig = (name: string): string => `name: "${name}" backend: "onnxruntime"
  input [ { name: "IN" data_type: TYPE_FP32 dims: [ 4 ] } ]
  output [ { name: "OUT" data_type: TYPE_FP32 dims: [ 4 ] }, { name: "EXTRA" data_type: TYPE_FP32 dims: [ 2 ] } ]`;

const ACTIVITY: EnsembleActivity = {
  ...{ runCount: 4, failureCount: 0, meanUs: 4000, lastError: '', lastAtMs: 1 },
  steps: [
    { stepIndex: 0, model: 'first', runCount: 4, failureCount: 0, meanUs: 1000, hasFailedLast: false },
    { stepIndex: 1, model: 'second', runCount: 4, failureCount: 2, meanUs: 3000, hasFailedLast: false },
  ],
};

let fake: FakeEngine;
let file: ConfigFile;
let activity: EnsembleActivity;
let shown: Rendered | undefined;

beforeEach(() => {
  fake = new FakeEngine();
  activity = ACTIVITY;
  file = {
    exists: true,
    text: TEXT,
    hash: 'h1',
    path: '/m/pair/config.pbtxt',
    readOnlyReason: '',
    refusal: '',
  };
  fake.overrides['config/read'] = () => file;
  fake.overrides['graph/ensemble'] = () => activity;
  fake.overrides['config/context'] = ({ model }) => ({
    ...{ modelName: model, versions: [], descriptions: [], gpuIds: [], backends: [], physicalCores: 8 },
    ...{ isAutoCompleteEnabled: true, defaultMaxBatchSize: 4, files: [], inspectedEntries: [] },
    models: ['first', 'second'].map((name) => ({ name, configText: stepConfig(name) })),
  });
});

afterEach(async () => {
  await shown?.close();
  shown = undefined;
  setLiveIssues('pair', []);
  dropDrafts([...drafts.getState().byDocument.keys()]);
  textSteps.setState({ byDocument: {} });
  graphViews.setState({ byModel: {} });
  layouts.forget(() => true);
});

const pair = (changes: Partial<ModelView> = {}): ModelView =>
  fakeModel('pair', { isEnsemble: true, backend: '', kind: 'ensemble', state: 'ready', ...changes });

async function show(
  ensemble = pair(),
  steps: Readonly<Record<string, Partial<ModelView>>> = { first: {}, second: {} },
  query: Readonly<Record<string, string>> = {},
): Promise<Rendered> {
  const models = Object.entries(steps).map(([name, changes]) =>
    fakeModel(name, { state: 'ready', ...changes }),
  );
  fake.snapshot = { ...fake.snapshot, models: [ensemble, ...models] };
  shown = await renderWithHosts(<EnsembleGraph model={ensemble} query={query} />, fake);
  return shown;
}

async function drawn(...args: Parameters<typeof show>): Promise<Rendered> {
  const page = await show(...args);
  await until(() => expect(page.get('graph-step-1').dataset['state']).toBeDefined());
  await until(() => expect(page.get('graph-connections').textContent).toContain('FP32 [4]'));
  return page;
}

const textNow = (): string => draftOf('pair')?.text ?? '';
const panel = (): HTMLElement => {
  const found = shown?.query('graph-panel');
  if (found === null || found === undefined) throw new Error('no panel');
  return found;
};

async function choose(trigger: HTMLElement, label: string): Promise<void> {
  await click(trigger);
  const option = await until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="option"]')].find(({ textContent }) =>
      textContent?.startsWith(label),
    );
    if (found === undefined) throw new Error(`no choice '${label}'`);
    return found;
  });
  await click(option);
}

test('a text that cannot be read says why, and is read again when asked', async () => {
  fake.overrides['config/read'] = () => {
    throw internal('the disk is gone');
  };
  const { get } = await show();
  await until(() => expect(document.body.textContent).toContain('the disk is gone'));
  fake.overrides['config/read'] = () => file;
  const again = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Retry');
  await click(again as HTMLElement);
  await until(() => get('graph-step-0'));
});

test('an ensemble without steps leads to its config', async () => {
  file = { ...file, text: 'name: "pair"\nplatform: "ensemble"\n' };
  await show();
  await until(() => expect(document.body.textContent).toContain('no steps yet'));
});

test('a step shows its time, its share and its failures, in the drawing and in its details', async () => {
  const complaints = vi.spyOn(console, 'error');
  const { get } = await drawn();
  await until(() => expect(get('graph-step-1').textContent).toContain('3 ms · 75'));
  expect(get('graph-step-0').dataset['critical']).toBe('true');
  changeView('pair', { selected: 'step:1' });
  await until(() => expect(panel().textContent).toContain('Failures'));
  for (const text of ['2 · second', 'ready', 'newest', '3 ms', 'EXTRA', 'not mapped']) {
    expect(panel().textContent).toContain(text);
  }
  changeView('pair', { selected: 'step:0' });
  await until(() => expect(panel().textContent).toContain('1 · first'));
  expect(panel().textContent).not.toContain('Failures');
  expect(complaints.mock.calls).toEqual([]);
  complaints.mockRestore();
  expect(await accessibilityFaults(panel())).toEqual([]);
});

test('a source is chosen from a list: connected elsewhere, disconnected, and taken back by key', async () => {
  const { get } = await drawn();
  changeView('pair', { selected: 'step:1' });
  await until(() => get('graph-source-1-IN'));
  await choose(get('graph-source-1-IN'), 'RAW: input');
  await until(() =>
    expect(textNow()).toContain(
      'input_map { key: "IN" value: "RAW" }\n      output_map { key: "OUT" value: "CLASS" }',
    ),
  );
  await until(() => expect(get('graph-dirty').dataset['dirty']).toBe('true'));
  await choose(get('graph-source-1-IN'), '(not connected)');
  await until(() => expect(get('graph-source-1-IN').textContent).toContain('(not connected)'));
  await press(get('graph-tab'), 'z', { ctrlKey: true });
  await until(() => expect(get('graph-source-1-IN').textContent).toContain('RAW'));
  await press(get('graph-tab'), 'z', { ctrlKey: true });
  expect(textNow()).toBe(TEXT);
  await press(get('graph-tab'), 'Z', { ctrlKey: true, shiftKey: true });
  await until(() => expect(get('graph-source-1-IN').textContent).toContain('RAW'));
  await click(get('graph-undo'));
  await until(() => expect(get('graph-undo').getAttribute('aria-disabled')).toBe('true'));
  await click(get('graph-redo'));
  expect(textNow()).not.toBe(TEXT);
});

test('Delete takes the selected line away, and other keys with it do nothing', async () => {
  const { get } = await drawn();
  changeView('pair', { selected: 'edge:step:1/IN' });
  await until(() => expect(panel().textContent).toContain('step 1 · OUT'));
  await press(get('graph-canvas'), 'x');
  expect(textNow()).toBe(TEXT);
  await press(get('graph-canvas'), 'Delete');
  await until(() =>
    expect(textNow()).not.toContain('value: "mid" }\n      output_map { key: "OUT" value: "CLASS"'),
  );
  expect(viewOf('pair').selected).toBe('');
});

test('a text that cannot be changed says why instead, in every way to change it', async () => {
  file = { ...file, readOnlyReason: 'the repository is read-only' };
  const { get } = await drawn();
  changeView('pair', { selected: 'edge:step:1/IN' });
  await until(() => get('graph-disconnect'));
  await click(get('graph-disconnect'));
  await until(() => expect(document.body.textContent).toContain('the repository is read-only'));
  expect(textNow()).toBe(TEXT);
  expect(get('graph-save').getAttribute('aria-disabled')).toBe('true');
  expect(runCommand('file.save')).toBe(false);
  expect(fake.argsOf('config/write')).toEqual([]);
});

test('saving writes once, whichever button was pressed first', async () => {
  const gate = Promise.withResolvers<undefined>();
  fake.overrides['config/write'] = async ({ text, expectedHash }) => {
    if (expectedHash !== file.hash) throw new ServerError('ALREADY_EXISTS', 'config.pbtxt changed');
    await gate.promise;
    file = { ...file, text, hash: 'h2' };
    return file;
  };
  const { get } = await drawn();
  expect(get('graph-save').getAttribute('aria-disabled')).toBe('true');
  setDraftText('pair', `${TEXT}# more\n`);
  await until(() => expect(get('graph-save').getAttribute('aria-disabled')).toBeNull());
  await click(get('graph-save'));
  await until(() => expect(get('graph-save-reload').getAttribute('aria-busy')).toBe('true'));
  await click(get('graph-save-reload'));
  gate.resolve(undefined);
  await until(() => expect(get('graph-dirty').dataset['dirty']).toBe('false'));
  expect(fake.argsOf('config/write')).toHaveLength(1);
  expect(fake.argsOf('repository/reload')).toEqual([]);
  await until(() => expect(get('graph-save-reload').getAttribute('aria-busy')).toBeNull());
  await click(get('graph-save-reload'));
  await until(() => expect(fake.argsOf('repository/reload')).toHaveLength(1));
});

test('a step that keeps the ensemble from running is named, and loaded from there', async () => {
  const gate = Promise.withResolvers<undefined>();
  const { get } = await drawn(pair({ state: 'failed' }), {
    first: {},
    second: { state: 'unloaded', reason: 'unloaded' },
  });
  await until(() =>
    expect(get('graph-blocked').textContent).toContain('Step 2 second is not loaded, so pair cannot run.'),
  );
  fake.overrides['repository/load'] = async ({ model }) => {
    await gate.promise;
    return { model: fake.change(model, { state: 'ready' }) };
  };
  await click(get('graph-load-blocking'));
  await until(() => expect(get('graph-load-blocking').getAttribute('aria-busy')).toBe('true'));
  await click(get('graph-load-blocking'));
  gate.resolve(undefined);
  await until(() => expect(shown?.query('graph-blocked')).toBeNull());
  expect(fake.argsOf('repository/load')).toHaveLength(1);
});

test('a step that failed says in what words, above the drawing and in its details', async () => {
  const failed = { state: 'failed', reason: 'no such file' } as const;
  const { get } = await drawn(pair({ state: 'failed' }), { first: failed, second: {} });
  await until(() =>
    expect(get('graph-blocked').textContent).toContain(
      'Step 1 first failed, so pair cannot run: no such file',
    ),
  );
  const toDetails = [...get('graph-blocked').querySelectorAll('button')].find(
    ({ textContent }) => textContent === 'Details',
  );
  await click(toDetails as HTMLElement);
  await until(() => expect(panel().textContent).toContain('no such file'));
  expect(get('graph-load-step').textContent).toContain('Load first');
});

test('a load that runs belongs to its step: the next step that is looked at can be loaded', async () => {
  fake.overrides['repository/load'] = () => Promise.withResolvers<never>().promise;
  const unloaded = { state: 'unloaded' } as const;
  const { get } = await drawn(pair({ state: 'unloaded' }), { first: unloaded, second: unloaded });
  changeView('pair', { selected: 'step:0' });
  await until(() => expect(get('graph-load-step').textContent).toContain('Load first'));
  await click(get('graph-load-step'));
  await until(() => expect(get('graph-load-step').getAttribute('aria-busy')).toBe('true'));
  changeView('pair', { selected: 'step:1' });
  await until(() => expect(get('graph-load-step').textContent).toContain('Load second'));
  expect(get('graph-load-step').getAttribute('aria-busy')).toBeNull();
});

test('a step that is being loaded by somebody else is not loaded again', async () => {
  const loading = { state: 'loading', phase: 'session 1 of 2' } as const;
  const { get } = await drawn(pair({ state: 'unloaded' }), { first: loading, second: {} });
  changeView('pair', { selected: 'step:0' });
  await until(() => expect(panel().textContent).toContain('session 1 of 2'));
  expect(get('graph-load-step').getAttribute('aria-busy')).toBe('true');
  await click(get('graph-load-step'));
  expect(fake.argsOf('repository/load')).toEqual([]);
});

test('the newest request that failed is told while the ensemble runs, and its step is marked', async () => {
  const [first, second] = ACTIVITY.steps;
  activity = {
    ...ACTIVITY,
    lastError: 'in step 2: bad shape',
    steps: [first, { ...second, hasFailedLast: true }] as never,
  };
  const { get } = await drawn();
  await until(() => expect(get('graph-last-error').textContent).toContain('in step 2: bad shape'));
  await until(() => expect(get('graph-step-1').dataset['state']).toBe('failed'));
  expect(get('graph-step-0').dataset['state']).toBe('ready');
});

test('a model that is not there is imported under the name that the step has', async () => {
  fake.overrides['config/context'] = ({ model }) => ({
    ...{ modelName: model, versions: [], descriptions: [], gpuIds: [], backends: [], physicalCores: 8 },
    ...{ isAutoCompleteEnabled: true, defaultMaxBatchSize: 4, files: [], inspectedEntries: [], models: [] },
  });
  const asked: string[] = [];
  const off = registerCommand('repository.importOnnx', {
    run: (name) => void asked.push(name),
    disabledReason: () => '',
  });
  const { get } = await show(pair({ state: 'unloaded' }), {});
  await until(() => expect(get('graph-step-0').textContent).toContain('model first not found'));
  changeView('pair', { selected: 'step:0' });
  await until(() => get('graph-import'));
  await click(get('graph-import'));
  expect(asked).toEqual(['first']);
  off();
});

test('mistakes of the text and changes on disk are told above the drawing', async () => {
  const { get } = await drawn();
  setDraftText('pair', `${TEXT}}`);
  await until(() => expect(get('graph-unreadable').textContent).toContain('The text has mistakes'));
  setDraftText('pair', `${TEXT}# mine\n`);
  await until(() => expect(shown?.query('graph-unreadable')).toBeNull());
  file = { ...file, text: `${TEXT}# theirs\n`, hash: 'h9' };
  fake.publish('config/changedOnDisk', { model: 'pair' } as never);
  await until(() => get('graph-conflict'));
  expect(textNow()).toContain('# mine');
});

test('a finding about a step leads to its line, and its repair is a step that is undone', async () => {
  const { get } = await drawn();
  const at = TEXT.indexOf('"second"');
  setLiveIssues('pair', [
    {
      ...{ code: 'D51', severity: 'error', message: "no model 'second'", hint: 'Is it renamed?' },
      ...{ path: 'ensemble_scheduling.step[1].model_name', line: 10, column: 7 },
      ...{ startOffset: at, endOffset: at + 8 },
      fixes: [{ title: 'Use first', edits: [{ startOffset: at, endOffset: at + 8, newText: '"first"' }] }],
    },
  ]);
  await until(() => expect(get('graph-step-1').dataset['codes']).toBe('D51'));
  changeView('pair', { selected: 'step:1' });
  await until(() => expect(get('graph-issue-D51').textContent).toContain('Is it renamed?'));
  const buttonOf = (text: string): HTMLElement => {
    const found = [...get('graph-issue-D51').querySelectorAll('button')].find(({ textContent }) =>
      textContent?.includes(text),
    );
    if (found === undefined) throw new Error(`no button '${text}'`);
    return found;
  };
  await click(buttonOf('10'));
  await until(() =>
    expect(workspace.getState().tabs.some(({ address }) => address.query['line'] === '10')).toBe(true),
  );
  await click(buttonOf('Use first'));
  expect(textNow()).toBe(TEXT.replace('"second"', '"first"'));
  await click(get('graph-undo'));
  expect(textNow()).toBe(TEXT);
});

test('an address selects the place it points at once: what is selected afterwards stays', async () => {
  const query = { at: 'ensemble_scheduling.step[1].model_name' };
  const { get } = await drawn(pair(), undefined, query);
  const issue = {
    ...{ code: 'D51', severity: 'error' as const, message: 'm', hint: '', fixes: [] },
    ...{ path: query.at, line: 10, column: 7, startOffset: 0, endOffset: 0 },
  };
  setLiveIssues('pair', [issue]);
  await until(() => expect(viewOf('pair').selected).toBe('step:1'));
  changeView('pair', { selected: 'step:0' });
  setLiveIssues('pair', [{ ...issue, message: 'n' }]);
  await until(() => expect(get('graph-step-1').dataset['codes']).toBe('D51'));
  expect(viewOf('pair').selected).toBe('step:0');
});

test('an output is taken from another step in its details', async () => {
  const { get } = await drawn();
  changeView('pair', { selected: 'out:CLASS' });
  await until(() => expect(panel().textContent).toContain('output of the ensemble'));
  await choose(get('graph-source-CLASS'), 'new tensor: EXTRA of step 2');
  await until(() => expect(textNow()).toContain('key: "EXTRA"'));
  expect(textNow()).not.toContain('key: "OUT" value: "CLASS"');
});
