// What the server did lately: batches that ran, and requests that were captured, up to sending one of them again.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type {
  CapturedRequest,
  CapturedRow,
  CaptureState,
} from '../../../src-shared/contract/capture-calls.ts';
import type { PlaygroundOutput } from '../../../src-shared/contract/playground-answer.ts';
import { notFound, unavailable } from '../../../src-shared/errors.ts';
import { areas } from '../../lib/areas.ts';
import type { ModelTabDefinition } from '../../lib/feature.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderWithHosts, until } from '../../testing/render.tsx';
import { CaptureHost } from './capture-host.tsx';
import { requestsView } from './requests-view.ts';
import { runCommand } from '../../lib/command-registry.ts';
import { RequestsPanel } from './requests-panel.tsx';

let page: Rendered | undefined;
beforeEach(() => workspace.setState(INITIAL_WORKSPACE, true));
afterEach(() => page?.close());

const row = (id: number, changes: Partial<CapturedRow> = {}): CapturedRow => ({
  id,
  atMs: id * 1000,
  model: 'batch_mlp',
  version: '1',
  requestId: undefined,
  parentId: 0,
  stepIndex: -1,
  state: 'ok',
  error: undefined,
  durationMs: 12,
  responseCount: 1,
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 16] }],
  byteSize: 64,
  hasTensors: true,
  ...changes,
});

const tensor = (name: string): PlaygroundOutput => ({
  name,
  datatype: 'FP32',
  shape: [1, 2],
  byteSize: 8,
  preview: ['1.5', '2.5'],
  blob: `blob ${name}`,
  stats: { min: 1.5, max: 2.5, mean: 2, nanCount: 0, infCount: 0 },
  classes: [],
});

const STATE: CaptureState = {
  isOn: false,
  model: undefined,
  endsAtMs: 0,
  count: 3,
  byteSize: 100,
  limitBytes: 1000,
};

async function start(fake = new FakeEngine()): Promise<Rendered> {
  page = await renderWithHosts(<RequestsPanel />, fake);
  return page;
}

async function captured(rows: readonly CapturedRow[], fake = new FakeEngine()): Promise<Rendered> {
  fake.overrides['capture/state'] = () => ({ ...STATE, count: rows.length });
  fake.overrides['capture/list'] = () => rows;
  const rendered = await start(fake);
  const tabs = [...rendered.get('requests-view').querySelectorAll<HTMLElement>('button, [role=radio]')];
  await click(tabs.find(({ textContent }) => textContent === 'Captured requests') as HTMLElement);
  await until(() => rendered.get('captured-table'));
  return rendered;
}

test('batches of all ready models are listed, the newest first; one model that cannot tell hides no other', async () => {
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([
    fakeModel('a'),
    fakeModel('b'),
    fakeModel('c'),
    fakeModel('ensemble', { isEnsemble: true }),
    fakeModel('idle', { state: 'unloaded' }),
  ]);
  fake.overrides['observe/executions'] = ({ model }) => {
    if (model === 'c') throw unavailable('gone');
    const atMs = model === 'a' ? 1000 : 2000;
    return [
      {
        atMs,
        instance: `${model}_0`,
        requestCount: 3,
        batchSize: 8,
        closeReason: 'delay',
        queueLength: 0,
        oldestQueueUs: 210,
        inferUs: 4200,
      },
    ];
  };
  const { get } = await start(fake);
  const rows = await until(() => {
    const found = [...get('requests-table').querySelectorAll('[data-testid^=requests-open-]')];
    expect(found.map(({ textContent }) => textContent)).toEqual(['b', 'a']);
    return found;
  });
  const text = get('requests-table').textContent;
  for (const words of ['delay', '210 µs', '4.2 ms', 'a_0']) expect(text).toContain(words);
  expect(new Set(fake.argsOf('observe/executions').map(({ model }) => model))).toEqual(
    new Set(['a', 'b', 'c']),
  );
  await click(rows[0] as HTMLElement);
  expect(activeTab()?.address).toMatchObject({ model: 'b', tab: 'statistics' });
});

test('captured requests say what came of them, and which step of which ensemble they are', async () => {
  const { get } = await captured([
    row(3, { state: 'failed', error: 'bad shape', requestId: 'r-3' }),
    row(2, { model: 'step', parentId: 1, stepIndex: 1, hasTensors: false }),
    row(1, { model: 'pipeline', state: 'running' }),
  ]);
  expect((await until(() => get('captured-3'))).textContent).toContain('Failed: bad shape');
  expect(get('captured-3').textContent).toContain('r-3');
  expect(get('captured-2').textContent).toContain('step 2 of pipeline');
  expect(get('captured-2').textContent).toContain('too large to keep');
  expect(get('captured-1').textContent).toContain('Running');
  expect(get('captured-1').textContent).toContain('INPUT0 [1,16]');
  expect(await accessibilityFaults()).toEqual([]);
});

test('nothing captured is said with the way to capture, and there is nothing to forget', async () => {
  const { get } = await captured([]);
  expect(get('captured-none').textContent).toContain('Switch capturing on');
  expect(
    get('capture-clear').getAttribute('aria-disabled') ?? get('capture-clear').getAttribute('disabled'),
  ).not.toBeNull();
});

const CAPTURED: CapturedRequest = {
  row: row(1),
  request: {
    model: 'batch_mlp',
    version: '',
    protocol: 'http-binary',
    id: '',
    inputs: [],
    outputs: [],
    priority: 0,
    timeoutUs: 0,
    parameters: {},
  },
  inputs: [{ ...tensor('INPUT0'), values: undefined }],
  responses: [{ outputs: [tensor('OUTPUT0')], error: undefined }],
};

async function opened(fake = new FakeEngine(), changes: Partial<CapturedRow> = {}): Promise<Rendered> {
  fake.overrides['capture/open'] ??= () => CAPTURED;
  const rendered = await captured([row(1, changes)], fake);
  await click((await until(() => rendered.get('captured-1'))).querySelector('button') as HTMLElement);
  await until(() => rendered.get('captured-dialog'));
  return rendered;
}

test('an opened request shows what was sent and what was answered', async () => {
  const { get, query } = await opened();
  await until(() => expect(get('captured-dialog').textContent).toContain('OUTPUT0'));
  expect(get('captured-dialog').textContent).toContain('INPUT0');
  expect(query('captured-verdict')).toBeNull();
});

test('a request that was pushed out meanwhile says so', async () => {
  const fake = new FakeEngine();
  fake.overrides['capture/open'] = () => {
    throw notFound('newer requests took its place');
  };
  const { get } = await opened(fake);
  await until(() => expect(get('captured-dialog').textContent).toContain('newer requests took its place'));
});

test('facts alone can be looked at, and not be sent again', async () => {
  const { get } = await opened(new FakeEngine(), { hasTensors: false });
  expect(get('captured-dialog').textContent).toContain('too large to keep');
  const again = get('captured-again');
  await click(again);
  expect(page?.fake.argsOf('playground/send')).toEqual([]);
});

test('sent again, a refusal of now is told', async () => {
  const fake = new FakeEngine();
  fake.overrides['playground/send'] = () =>
    ({ ok: false, error: 'the model is not loaded', responses: [] }) as never;
  const { get } = await opened(fake);
  await until(() => expect(get('captured-dialog').textContent).toContain('OUTPUT0'));
  await click(get('captured-again'));
  await until(() =>
    expect(get('captured-dialog').textContent).toContain('refuses it now: the model is not loaded'),
  );
});

/** What came once more, from the captured answer and a changed one. */
async function sentAgain(now: readonly (readonly string[])[], before = [['OUTPUT0']]): Promise<string> {
  const fake = new FakeEngine();
  const answers = (names: readonly (readonly string[])[]) =>
    names.map((outputs) => ({ outputs: outputs.map((name) => tensor(name)), error: undefined }));
  fake.overrides['capture/open'] = () => ({ ...CAPTURED, responses: answers(before) });
  fake.overrides['playground/send'] = () =>
    ({ ok: true, error: undefined, responses: answers(now) }) as never;
  fake.overrides['playground/compare'] = ({ pairs }) =>
    pairs.map(({ name }) => ({ name, maxAbsolute: 0, maxRelative: 0, firstDiffering: undefined }));
  const { get } = await opened(fake);
  await until(() => expect(get('captured-dialog').textContent).toContain('OUTPUT0'));
  await click(get('captured-again'));
  return (await until(() => get('captured-verdict'))).textContent;
}

test('the same answer is said to be the same', async () => {
  expect(await sentAgain([['OUTPUT0']])).toContain('answers the same now');
});

test.each([
  ['without one of its outputs', [['OUTPUT0']], [['OUTPUT0', 'OUTPUT1']]],
  ['with one output more', [['OUTPUT0', 'OUTPUT1']], [['OUTPUT0']]],
  ['with fewer answers', [['OUTPUT0']], [['OUTPUT0'], ['OUTPUT0']]],
  ['with more answers', [['OUTPUT0'], ['OUTPUT0']], [['OUTPUT0']]],
])('an answer %s is not said to be the same', async (_name, now, before) => {
  expect(await sentAgain(now, before)).toContain('answers something else now');
});

test('a request that is not there to be sent again says why on its button', async () => {
  const fake = new FakeEngine();
  fake.overrides['capture/open'] = () => {
    throw notFound('newer requests took its place');
  };
  const { get } = await opened(fake);
  await until(() => expect(get('captured-again').getAttribute('aria-disabled')).toBe('true'));
  await click(get('captured-again'));
  expect(fake.argsOf('playground/send')).toEqual([]);
});

test('a step of an ensemble that was pushed out is still said to be one', async () => {
  const { get } = await captured([row(9, { model: 'step', parentId: 4, stepIndex: 0 })]);
  expect((await until(() => get('captured-9'))).textContent).toContain('step 1 of an ensemble');
});

test('an answer that failed where it had no outputs before is not said to be the same', async () => {
  const fake = new FakeEngine();
  fake.overrides['capture/open'] = () => ({ ...CAPTURED, responses: [{ outputs: [], error: undefined }] });
  fake.overrides['playground/send'] = () =>
    ({ ok: true, error: undefined, responses: [{ outputs: [], error: 'out of tokens' }] }) as never;
  const { get } = await opened(fake);
  await until(() => expect(get('captured-again').getAttribute('aria-disabled')).not.toBe('true'));
  await click(get('captured-again'));
  const verdict = await until(() => get('captured-verdict'));
  expect(verdict.textContent).toContain('answers something else now');
  expect(verdict.textContent).toContain('out of tokens');
});

test('capturing is switched on and off, with what it costs, and what was captured is forgotten after a question', async () => {
  const fake = new FakeEngine();
  let isOn = false;
  let rows = [row(1)];
  fake.overrides['capture/state'] = () => ({
    ...STATE,
    ...{ isOn, count: rows.length, byteSize: isOn ? 2048 : 0, endsAtMs: 60_000, limitBytes: 1 << 20 },
  });
  fake.overrides['capture/start'] = () => ((isOn = true), STATE);
  fake.overrides['capture/stop'] = () => ((isOn = false), STATE);
  fake.overrides['capture/clear'] = () => ((rows = []), STATE);
  fake.overrides['capture/list'] = () => rows;
  const { get, query } = await start(fake);
  const tabs = [...get('requests-view').querySelectorAll<HTMLElement>('button, [role=radio]')];
  await click(tabs.find(({ textContent }) => textContent === 'Captured requests') as HTMLElement);
  await until(() => get('captured-1'));
  expect(get('requests-help').textContent).toContain('for ten minutes');
  await click(get('capture-start'));
  await until(() =>
    expect(get('requests-help').textContent).toContain('Capturing all models: 2.0 KiB of 1.0 MiB'),
  );
  expect(fake.argsOf('capture/start')).toEqual([{ model: undefined }]);
  await click(get('capture-stop'));
  await until(() => get('capture-start'));
  await click(get('capture-clear'));
  expect((await until(() => get('confirm'))).textContent).toContain('Forget 1 captured request?');
  await click(get('confirm-cancel'));
  expect(fake.argsOf('capture/clear')).toEqual([]);
  await click(get('capture-clear'));
  await click(await until(() => get('confirm-forget')));
  await until(() => get('captured-none'));
  expect(query('captured-1')).toBeNull();
});

test('a captured request leads to the playground with what was sent', async () => {
  const playground = { id: 'playground' } as unknown as ModelTabDefinition;
  areas.setState({ modelTabs: [playground] });
  const { get, query } = await opened();
  areas.setState({ modelTabs: [] });
  await click(get('captured-open'));
  await until(() => expect(query('captured-dialog')).toBeNull());
  expect(activeTab()?.address).toMatchObject({
    model: 'batch_mlp',
    tab: 'playground',
    query: { captured: '1' },
  });
});

test('the command switches capturing, and shows what was captured', async () => {
  const fake = new FakeEngine();
  let isOn = false;
  const state = (): CaptureState => ({ ...STATE, isOn });
  fake.overrides['capture/state'] = state;
  fake.overrides['capture/list'] = () => [];
  fake.overrides['capture/start'] = () => {
    isOn = true;
    return state();
  };
  fake.overrides['capture/stop'] = () => {
    isOn = false;
    return state();
  };
  requestsView.setState({ view: 'executions' });
  page = await renderWithHosts(
    <>
      <CaptureHost />
      <RequestsPanel />
    </>,
    fake,
  );
  runCommand('requests.capture');
  await until(() => expect(page?.get('requests-help').textContent).toContain('Capturing all models'));
  expect(workspace.getState()).toMatchObject({ isBottomOpen: true, bottomTab: 'requests' });
  runCommand('requests.capture');
  await until(() => expect(isOn).toBe(false));
});
