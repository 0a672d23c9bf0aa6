import { describe, expect, test } from 'vitest';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { Backend } from '../../inference/backend.ts';
import { InferInput } from '../../inference/inference-request.ts';
import { bytesOf } from '../../inference/tensor-bytes.ts';
import { createScheduler } from '../../scheduling/create-scheduler.ts';
import { fakeSpec } from '../../testing/fake-backend.ts';
import { SchedulerWorld } from '../../testing/scheduler-world.ts';
import {
  encodeTexts,
  inputConfig,
  int32Input,
  int32Values,
  modelConfig,
  outputConfig,
  textInput,
  type Answer,
} from '../../testing/tensors.ts';
import { identityBackend } from '../identity/identity-backend.ts';
import { repeatBackend } from '../repeat/repeat-backend.ts';
import { squareBackend } from '../square/square-backend.ts';

const decoupled = { modelTransactionPolicy: { decoupled: true } } as const;

async function world(
  backend: Backend,
  config: Partial<ModelConfig>,
  parameters: Record<string, string> = {},
  instanceCount = 1,
): Promise<SchedulerWorld> {
  const complete = modelConfig({
    maxBatchSize: 0,
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([key, stringValue]) => [key, { stringValue }]),
    ),
    ...config,
  });
  return SchedulerWorld.create({
    config: complete,
    createScheduler,
    instanceCount,
    createInstance: async (ordinal, { clock, statistics }) => {
      const { signal } = new AbortController();
      const model = await backend.load({
        modelName: 'M',
        version: '1',
        modelDir: '',
        versionDir: '',
        config: complete,
        clock,
        backendConfig: new Map(),
        reporter: statistics,
        invoker: undefined,
        signal,
      });
      return model.createInstance(fakeSpec({ ordinal }), { signal });
    },
  });
}

const uint32 = (name: string, values: readonly number[]): InferInput =>
  new InferInput(name, 'UINT32', [values.length], bytesOf(new Uint8Array(Uint32Array.from(values).buffer)));

const numbers = ({ responses }: Answer, name: string): number[] =>
  responses.flatMap(({ outputs }) =>
    outputs.filter((output) => output.name === name).flatMap(({ bytes }) => int32Values(bytes)),
  );

describe('identity', () => {
  test('copies every pair and says its parameters', async () => {
    const text = { dataType: 'TYPE_STRING' } as const;
    const model = await world(identityBackend, {
      input: [inputConfig(), inputConfig({ name: 'INPUT1', ...text, optional: true })],
      output: [outputConfig(), outputConfig({ name: 'OUTPUT1', ...text })],
    });
    const both = model.submit({
      inputs: [int32Input('INPUT0', [2], [1, 2]), textInput('INPUT1', [1], ['x'])],
    });
    const one = model.submit({ inputs: [int32Input('INPUT0', [0], [])] });
    await model.clock.advance(1);
    expect(numbers(both, 'OUTPUT0')).toEqual([1, 2]);
    expect(both.responses[0]?.outputs[1]?.bytes).toEqual(encodeTexts(['x']));
    expect(one.responses[0]?.outputs.map(({ name, shape }) => [name, shape])).toEqual([
      ['OUTPUT0', [0]],
      ['OUTPUT1', [1]],
    ]);
    expect(one.responses[0]?.outputs[1]?.bytes).toEqual(new Uint8Array(4));
    expect([...(one.responses[0]?.parameters ?? [])]).toEqual([
      ['param0', 'an example string parameter'],
      ['param1', 42n],
      ['param2', false],
      ['param3', 123.123],
    ]);
  });

  test('answers zeros of the configured shape for an optional input that was not sent', async () => {
    const fp16 = { dataType: 'TYPE_FP16', dims: [-1, 3] } as const;
    const model = await world(identityBackend, {
      maxBatchSize: 4,
      input: [inputConfig(), inputConfig({ name: 'INPUT1', ...fp16, optional: true })],
      output: [outputConfig(), outputConfig({ name: 'OUTPUT1', ...fp16 })],
    });
    const answer = model.submit({ inputs: [int32Input('INPUT0', [2, 1], [1, 2])] });
    await model.clock.advance(1);
    expect(answer.responses[0]?.outputs[1]).toEqual({
      name: 'OUTPUT1',
      datatype: 'FP16',
      shape: [2, 1, 3],
      bytes: new Uint8Array(12),
    });
  });

  test.each<[number[], number[], number[]]>([
    [[2, 12], [24], [2, 12]],
    [[1], [], [1]],
  ])('shows clients %j through a reshape to %j', async (dims, shape, seen) => {
    const reshape = { shape };
    const model = await world(identityBackend, {
      maxBatchSize: 4,
      input: [inputConfig({ dims, reshape })],
      output: [outputConfig({ dims, reshape })],
    });
    const count = dims.reduce((product, dim) => product * dim, 1);
    const answer = model.submit({
      inputs: [int32Input('INPUT0', [1, ...dims], new Array<number>(count).fill(1))],
    });
    await model.clock.advance(1);
    expect(answer.responses[0]?.outputs[0]?.shape).toEqual([1, ...seen]);
  });

  test('sleeps execute_delay_ms, later instances longer', async () => {
    const model = await world(
      identityBackend,
      {},
      { execute_delay_ms: '100', instance_wise_delay_multiplier: '4' },
      2,
    );
    const answers = [1, 2].map(() => model.submit({ inputs: [int32Input('INPUT0', [1], [1])] }));
    await model.clock.advance(100);
    expect(answers.filter(({ isDone }) => isDone)).toHaveLength(1);
    await model.clock.advance(300);
    expect(answers.filter(({ isDone }) => isDone)).toHaveLength(2);
  });
});

describe('repeat', () => {
  const config = {
    ...decoupled,
    input: [
      inputConfig({ name: 'IN' }),
      inputConfig({ name: 'DELAY', dataType: 'TYPE_UINT32' }),
      inputConfig({ name: 'WAIT', dataType: 'TYPE_UINT32', dims: [1] }),
    ],
    output: [outputConfig({ name: 'OUT' }), outputConfig({ name: 'IDX', dataType: 'TYPE_UINT32' })],
  } as const;
  const send = (model: SchedulerWorld, values: number[], delays: number[], waitMs = 0): Answer =>
    model.submit({
      inputs: [int32Input('IN', [values.length], values), uint32('DELAY', delays), uint32('WAIT', [waitMs])],
    });

  test('answers each element after its delay, then the flag; the instance is free after WAIT', async () => {
    const model = await world(repeatBackend, config);
    const first = send(model, [4, 2, 1], [10, 20, 30], 5);
    const second = send(model, [9], [1]);
    await model.clock.advance(15);
    expect(numbers(first, 'OUT')).toEqual([4]);
    expect([second.isDone, first.releaseCount]).toEqual([true, 1]);
    await model.clock.advance(45);
    expect(numbers(first, 'OUT')).toEqual([4, 2, 1]);
    expect(numbers(first, 'IDX')).toEqual([0, 1, 2]);
    expect(first.finalCount).toBe(1);
    expect(model.statistics.inferenceCount).toBe(2);
  });

  test('an empty IN is answered with the flag alone', async () => {
    const model = await world(repeatBackend, config);
    const answer = send(model, [], []);
    await model.clock.advance(1);
    expect([answer.responses.length, answer.finalCount]).toEqual([0, 1]);
  });

  test('refuses shapes that differ', async () => {
    const model = await world(repeatBackend, config);
    const answer = send(model, [1], [1, 2]);
    await model.clock.advance(1);
    expect(answer.error?.message).toBe('expected IN and DELAY shape to match, got [1] and [2]');
  });

  test.each([0, 1, 3])('answers as often in a model that is not decoupled (%i)', async (count) => {
    const model = await world(repeatBackend, { ...config, modelTransactionPolicy: undefined });
    const answer = send(model, new Array<number>(count).fill(7), new Array<number>(count).fill(0));
    await model.clock.advance(1);
    expect([answer.responses.length, answer.finalCount]).toEqual([count, 1]);
  });
});

describe('square', () => {
  const config = {
    ...decoupled,
    input: [inputConfig({ name: 'IN', dims: [1] })],
    output: [outputConfig({ name: 'OUT', dims: [1] })],
  } as const;
  const send = (model: SchedulerWorld, n: number): Answer =>
    model.submit({ inputs: [int32Input('IN', [1], [n])] });

  test('n is answered n times', async () => {
    const model = await world(squareBackend, config);
    const answer = send(model, 3);
    await model.clock.advance(1);
    expect(numbers(answer, 'OUT')).toEqual([3, 3, 3]);
    expect(answer.finalCount).toBe(1);
  });

  const timed = {
    CUSTOM_INFER_DELAY_NS: '400000000',
    CUSTOM_OUTPUT_DELAY_NS: '200000000',
    CUSTOM_FAIL_COUNT: '2',
    CUSTOM_EMPTY_COUNT: '1',
  };

  test('response statistics add up per index over requests of 4, 6 and 3', async () => {
    const model = await world(squareBackend, config, timed);
    const answers = [4, 6, 3].map((n) => send(model, n));
    await model.clock.advance(20_000);
    expect(answers.map(({ responses }) => responses.map(({ error }) => error?.message ?? 'ok'))).toEqual([
      ['ok', 'simulated failure', 'simulated failure'],
      ['ok', 'ok', 'ok', 'simulated failure', 'simulated failure'],
      ['simulated failure', 'simulated failure'],
    ]);
    const { responses } = model.statistics.snapshot();
    const counts = Object.entries(responses).map(([index, { success, fail, emptyResponse }]) => [
      index,
      success.count,
      fail.count,
      emptyResponse.count,
    ]);
    expect(counts).toEqual([
      ['0', 2, 1, 0],
      ['1', 1, 2, 0],
      ['2', 1, 1, 1],
      ['3', 0, 1, 1],
      ['4', 0, 1, 0],
      ['5', 0, 0, 1],
    ]);
    expect(responses['0']?.success.ns).toBe(2 * 600e6);
    expect(responses['0']?.computeInfer).toEqual({ count: 3, ns: 3 * 400e6 });
    expect(responses['5']?.emptyResponse).toEqual({ count: 1, ns: 400e6 });
  });

  test('a cancellation at the third response leaves two successes and one cancel', async () => {
    const model = await world(squareBackend, config, { ...timed, CUSTOM_FAIL_COUNT: '0' });
    const answer = send(model, 6);
    await model.clock.advance(1000);
    answer.request.cancel();
    await model.clock.advance(5000);
    const { responses } = model.statistics.snapshot();
    expect(Object.keys(responses)).toEqual(['0', '1', '2']);
    expect([responses['0'], responses['1']].map((each) => each?.success.count)).toEqual([1, 1]);
    expect(responses['2']?.cancel.count).toBe(1);
    expect(answer.error?.code).toBe('CANCELLED');
  });
});
