// The tensor of the newest captured request at a place of the drawing: what is said while there is none, and why.

import { afterEach, expect, test } from 'vitest';

import type {
  CapturedRequest,
  CapturedRow,
  CaptureState,
} from '../../../src-shared/contract/capture-calls.ts';
import { notFound } from '../../../src-shared/errors.ts';
import { workspace } from '../../lib/workspace-store.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { click, renderWithHosts, until } from '../../testing/render.tsx';
import { CapturedTensor, RunStepAgain } from './components/captured-tensor.tsx';

let shown: Rendered | undefined;

afterEach(async () => {
  await shown?.close();
  shown = undefined;
});

const STATE: CaptureState = {
  ...{ isOn: true, model: 'chain', endsAtMs: 9e12, count: 2, byteSize: 8, limitBytes: 1000 },
};

function row(id: number, model: string, changes: Partial<CapturedRow> = {}): CapturedRow {
  return {
    ...{
      id,
      model,
      parentId: 0,
      stepIndex: -1,
      atMs: id,
      version: '1',
      requestId: undefined,
      state: 'ok',
      error: undefined,
    },
    ...{ durationMs: 1, responseCount: 1, inputs: [], byteSize: 4, hasTensors: true },
    ...changes,
  };
}

const step = (changes: Partial<CapturedRow> = {}): CapturedRow =>
  row(7, 'head', { parentId: 6, stepIndex: 0, ...changes });

const tensor = (name: string) => ({
  ...{ name, datatype: 'INT32', shape: [1], byteSize: 4, preview: ['42'], blob: 'b' },
  ...{ stats: undefined, classes: [] },
});

async function show(rows: readonly CapturedRow[], state: Partial<CaptureState> = {}) {
  const fake = new FakeEngine();
  fake.overrides['capture/state'] = () => ({ ...STATE, ...state });
  fake.overrides['capture/list'] = () => rows;
  fake.overrides['capture/open'] = ({ id }) =>
    ({
      row: rows.find((known) => known.id === id),
      inputs: [],
      responses: [{ outputs: [tensor('OUT')], error: undefined }],
    }) as unknown as CapturedRequest;
  shown = await renderWithHosts(
    <>
      <CapturedTensor ensemble="chain" place={{ step: 0, side: 'outputs', name: 'OUT' }} />
      <RunStepAgain ensemble="chain" step={0} model="head" />
    </>,
    fake,
  );
  return { ...shown, fake };
}

const text = (): string => shown?.query('graph-captured')?.textContent ?? '';

test('a tensor that was captured is shown', async () => {
  const { fake, get } = await show([step(), row(6, 'chain')]);
  await until(() => expect(text()).toContain('42'));
  expect(fake.argsOf('capture/open')).toEqual([{ id: 7 }]);
  // Its classes have the names that the step's model gives them.
  expect(fake.argsOf('playground/labels')).toEqual([{ model: 'head', version: '1', output: 'OUT' }]);
  expect(text()).toContain('Request of');
  await click(get('graph-run-step'));
  const tab = workspace.getState().tabs.at(-1)?.address;
  expect([tab?.query['captured']]).toEqual(['7']);
});

test('without a request it says how to get one, or that it waits', async () => {
  const off = await show([], { isOn: false, count: 0 });
  await until(() => expect(text()).toContain('Start capturing, then send a request'));
  expect(off.query('graph-run-step')).toBeNull();
  await off.close();
  await show([], {});
  await until(() => expect(text()).toContain('Waiting for a request'));
});

test('a request that is still running is not said to have missed the place', async () => {
  const { fake, query } = await show([
    step({ state: 'running', hasTensors: false }),
    row(6, 'chain', { state: 'running' }),
  ]);
  await until(() => expect(text()).toContain('still running'));
  expect(text()).not.toContain('did not get here');
  expect(fake.argsOf('capture/open')).toEqual([]);
  expect(query('graph-run-step')).toBeNull();
});

test('a step that a request did not reach, and tensors that were too large, are told apart', async () => {
  const failed = row(6, 'chain', { state: 'failed', error: 'step 1 broke' });
  const first = await show([failed]);
  await until(() => expect(text()).toContain('did not get here'));
  expect(text()).toContain('step 1 broke');
  await first.close();
  await show([step({ hasTensors: false }), row(6, 'chain')]);
  await until(() => expect(text()).toContain('too large to keep'));
});

test('a request that newer ones took the place of says so', async () => {
  const { fake } = await show([step(), row(6, 'chain')]);
  await until(() => expect(text()).toContain('42'));
  await shown?.close();
  fake.overrides['capture/open'] = () => {
    throw notFound('request 7 is no longer kept');
  };
  shown = await renderWithHosts(
    <CapturedTensor ensemble="chain" place={{ step: 0, side: 'outputs', name: 'OUT' }} />,
    fake,
  );
  await until(() => expect(text()).toContain('request 7 is no longer kept'));
  expect(text()).not.toContain('did not get here');
});

test('capturing is switched on for this ensemble alone, and off', async () => {
  const { fake, get } = await show([], { isOn: false, count: 0 });
  let isOn = false;
  fake.overrides['capture/state'] = () => ({ ...STATE, isOn });
  fake.overrides['capture/start'] = () => ({ ...STATE, isOn: (isOn = true) });
  fake.overrides['capture/stop'] = () => ({ ...STATE, isOn: (isOn = false) });
  await until(() => get('capture-start'));
  await click(get('capture-start'));
  await until(() => get('capture-stop'));
  expect(fake.argsOf('capture/start')).toEqual([{ model: 'chain' }]);
  await until(() => expect(text()).toContain('Capturing requests to chain'));
  await click(get('capture-stop'));
  await until(() => get('capture-start'));
});
