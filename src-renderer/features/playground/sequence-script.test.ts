// A sequence that is written first and sent in one go: the way that works with the server's own short idle time.

import { afterEach, expect, test } from 'vitest';

import type { ModelInterface, PlaygroundResult } from '../../../src-shared/contract/inference-calls.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { clearPlaygrounds, playgroundOf, setInterface } from './playground-store.ts';
import { addToScript, playSteps } from './send-actions.ts';
import { loadWithLongIdle } from './sequence-idle.ts';

const IO: ModelInterface = {
  inputs: [{ name: 'INPUT', datatype: 'INT32', shape: [1], optional: false, imageLayout: '' }],
  outputs: [{ name: 'OUTPUT', datatype: 'INT32', shape: [1], hasLabels: false }],
  maxBatchSize: 0,
  isSequence: true,
  sequenceIdleMs: 1000,
  isDecoupled: false,
};
const ANSWER = { ok: true, responses: [] } as unknown as PlaygroundResult;
const target = { model: 'simple', version: '' };

afterEach(clearPlaygrounds);

function start() {
  const fake = new FakeEngine();
  const engine = fake.engine();
  const model = fake.snapshot.models.find(({ name }) => name === 'simple');
  engine.state.models.setState({ byName: new Map(model === undefined ? [] : [['simple', model]]) });
  engine.state.server.setState({ view: fake.server });
  const store = playgroundOf('simple');
  setInterface(store, IO);
  return { fake, engine, store };
}

test('a script is sent as one sequence: the first step starts it, the last ends it', async () => {
  const { fake, engine, store } = start();
  fake.overrides['playground/send'] = () => ANSWER;
  for (let step = 0; step < 3; step += 1) addToScript(store, target);
  await playSteps(engine, store);
  expect(fake.argsOf('playground/send').map(({ sequence }) => sequence)).toEqual([
    { id: '2', start: true, end: false },
    { id: '2', start: false, end: false },
    { id: '2', start: false, end: true },
  ]);
  expect(store.getState()).toMatchObject({ script: [], steps: { length: 3 } });
});

test('a script that failed on its way can be played again', async () => {
  const { fake, engine, store } = start();
  fake.overrides['playground/send'] = ({ sequence }) => ({ ...ANSWER, ok: sequence?.start === true });
  addToScript(store, target);
  addToScript(store, target);
  await playSteps(engine, store);
  expect(store.getState().script).toHaveLength(2);
});

test('a longer idle time is loaded as an override, the file stays as it is', async () => {
  const { fake, engine } = start();
  const text = 'name: "simple"\nsequence_batching {\n  direct {}\n}\n';
  fake.overrides['config/read'] = () => ({
    exists: true,
    text,
    hash: '',
    path: '',
    readOnlyReason: undefined,
    refusal: undefined,
  });
  fake.overrides['repository/load'] = () => ({ model: fake.snapshot.models[0]! });
  await loadWithLongIdle(engine.client, 'simple');
  const [load] = fake.argsOf('repository/load');
  expect(load?.configText).toContain('max_sequence_idle_microseconds: 60000000');
  expect(load?.configText).toContain('direct {}');
});
