import { beforeEach, expect, test } from 'vitest';

import type { CallName, CallResult } from '../../../src-shared/contract/contract.ts';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { fillFromCommand } from './fill-form.ts';
import { changePlan, chooseModel, INITIAL_PERF, perfUi } from './perf-store.ts';

type Parsed = CallResult<'perf/parseCommand'>;

/** A client whose answer comes when the test says so. */
function slowClient() {
  const { promise, resolve } = Promise.withResolvers<Parsed>();
  const client = {
    call: <N extends CallName>() => promise as unknown as Promise<CallResult<N>>,
  } satisfies Pick<EngineClient, 'call'>;
  const answer = (plan: PerfPlan, problems: readonly string[] = []): void =>
    resolve({ plan, unknown: ['--what'], problems, warnings: [] });
  return { client, answer };
}

const form = defaultPerfPlan('m');
const pasted: PerfPlan = { ...form, batchSize: 4 };

beforeEach(() => perfUi.setState({ ...INITIAL_PERF, model: 'm', plan: form }));

test('a line fills the form', async () => {
  const { client, answer } = slowClient();
  const filling = fillFromCommand(client, 'perf_analyzer -m m -b 4');
  answer(pasted);
  expect(await filling).toEqual({ isFilled: true, unknown: ['--what'], problems: [], warnings: [] });
  expect(perfUi.getState().plan).toEqual(pasted);
});

test('an answer that comes after an edit changes nothing, and says so', async () => {
  const { client, answer } = slowClient();
  const filling = fillFromCommand(client, 'perf_analyzer -m m -b 4');
  changePlan({ protocol: 'grpc' });
  answer(pasted);
  const { isFilled, problems } = await filling;
  expect([isFilled, problems.length]).toEqual([false, 1]);
  expect(perfUi.getState().plan).toEqual({ ...form, protocol: 'grpc' });
});

test('an answer that comes after another model was chosen changes nothing', async () => {
  const { client, answer } = slowClient();
  const filling = fillFromCommand(client, 'perf_analyzer -m m -b 4');
  chooseModel('other');
  answer(pasted);
  expect((await filling).isFilled).toBe(false);
  expect(perfUi.getState()).toMatchObject({ model: 'other', plan: undefined });
});

test('a line that cannot be used leaves the form as it is', async () => {
  const { client, answer } = slowClient();
  const filling = fillFromCommand(client, 'perf_analyzer -b 4');
  answer(pasted, ['no model']);
  expect(await filling).toMatchObject({ isFilled: false, problems: ['no model'] });
  expect(perfUi.getState().plan).toBe(form);
});

test('JSON text in the form stays when the line names the file it stands for', async () => {
  const source = { kind: 'json', text: '{"data":[]}' } as const;
  perfUi.setState({ plan: { ...form, data: { ...form.data, source } } });
  const { client, answer } = slowClient();
  const filling = fillFromCommand(client, 'perf_analyzer -m m --input-data data.json -b 4');
  answer({ ...pasted, data: { ...form.data, source: { kind: 'path', path: 'data.json' } } });
  await filling;
  expect(perfUi.getState().plan).toMatchObject({ batchSize: 4, data: { source } });
});
