import { describe, expect, test } from 'vitest';
import { invalidArg } from '../../src-shared/errors.ts';
import { sequenceBackend } from '../backends/sequence/accumulator-backends.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import { contiguous } from '../inference/tensor-bytes.ts';
import { EnsembleWorld, inputs, outputs, step } from '../testing/ensemble-world.ts';
import type { FakeScript } from '../testing/fake-backend.ts';
import type { SchedulerWorld } from '../testing/scheduler-world.ts';
import { sequenceBatching } from '../testing/sequence-world.ts';
import {
  dynamicBatching,
  inputConfig,
  int32Input,
  int32Values,
  outputConfig,
  type Answer,
} from '../testing/tensors.ts';
import { LocalResponseCache } from './response-cache.ts';

const int32 = (name: string, shape: readonly number[], values: readonly number[]): OutputTensor => {
  return { name, datatype: 'INT32', shape, bytes: new Uint8Array(Int32Array.from(values).buffer) };
};

/** OUT = the sum of all inputs, element by element, plus `offset`. */
const adds = (offset: number, delayMs = 0): FakeScript => ({
  delayMs,
  compute: (request) => {
    const all = request.inputs.map(({ bytes }) => int32Values(contiguous(bytes)));
    const shape = request.inputs[0]?.clientShape ?? [0];
    const sums = (all[0] ?? []).map((_, at) => all.reduce((sum, values) => sum + (values[at] ?? 0), offset));
    return request.requestedOutputs.map((name) => int32(name, shape, sums));
  },
});

function ask(
  ensemble: SchedulerWorld,
  value: number,
  init: Parameters<SchedulerWorld['submit']>[0] = {},
): Answer {
  const names = ensemble.config.input.map(({ name }) => name);
  return ensemble.submit({ inputs: names.map((name) => int32Input(name, [1], [value])), ...init });
}

const value = ({ responses }: Answer, name = 'OUT'): number | undefined => {
  const bytes = responses[0]?.outputs.find((output) => output.name === name)?.bytes;
  return bytes && int32Values(bytes)[0];
};

const executions = (world: EnsembleWorld): Record<string, number> =>
  Object.fromEntries([...world.models].map(([name, { statistics }]) => [name, statistics.executionCount]));

describe('steps', () => {
  test('run in a chain, whatever their order in the configuration', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(1) });
    await world.model('b', { script: adds(10) });
    const ensemble = await world.ensemble('E', [
      step('b', { IN: 'x' }, { OUT: 'OUT' }),
      step('a', { IN: 'IN' }, { OUT: 'x' }),
    ]);
    const answer = ask(ensemble, 5);
    await world.clock.advance(1);
    expect(value(answer)).toBe(16);
    expect([answer.finalCount, answer.releaseCount, world.useCount]).toEqual([1, 1, 0]);
  });

  test('start as soon as their own inputs are there, in parallel', async () => {
    const world = new EnsembleWorld();
    await world.model('slow', { script: adds(0, 100) });
    await world.model('quick', { script: adds(0, 10) });
    await world.model('late', { script: adds(0, 50) });
    await world.model('sum', { config: { input: inputs('A', 'B') }, script: adds(0) });
    const ensemble = await world.ensemble('E', [
      step('slow', { IN: 'IN' }, { OUT: 'x' }),
      step('quick', { IN: 'IN' }, { OUT: 'y' }),
      step('late', { IN: 'y' }, { OUT: 'z' }),
      step('sum', { A: 'x', B: 'z' }, { OUT: 'OUT' }),
    ]);
    const answer = ask(ensemble, 3);
    await world.clock.advance(99);
    expect(answer.isDone).toBe(false);
    await world.clock.advance(1);
    expect(value(answer)).toBe(6);
    const [run] = ensemble.scheduler.recentRuns?.() ?? [];
    const times = run?.steps.map(({ modelName, startNs, durationNs }) => [
      modelName,
      startNs / 1e6,
      durationNs / 1e6,
    ]);
    expect(times).toEqual([
      ['quick', 0, 10],
      ['late', 10, 50],
      ['slow', 0, 100],
      ['sum', 100, 0],
    ]);
  });

  test('that feed only outputs nobody asked for do not run', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(1) });
    await world.model('b', { script: adds(2) });
    const ensemble = await world.ensemble(
      'E',
      [step('a', { IN: 'IN' }, { OUT: 'OUT_A' }), step('b', { IN: 'IN' }, { OUT: 'OUT_B' })],
      { output: outputs('OUT_A', 'OUT_B') },
    );
    const answer = ask(ensemble, 1, { requestedOutputs: ['OUT_B'] });
    await world.clock.advance(1);
    expect(answer.responses[0]?.outputs.map(({ name }) => name)).toEqual(['OUT_B']);
    expect(executions(world)).toEqual({ a: 0, b: 1, E: 1 });
  });

  test('take the version they name, or the newest', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { version: '3', script: adds(0) });
    const seen: string[] = [];
    const script: FakeScript = {
      compute: (request) => {
        seen.push(`${request.requestedVersion} ${request.actualVersion}`);
        return [int32('OUT', [1], [0])];
      },
    };
    await world.model('b', { version: '7', script });
    const ensemble = await world.ensemble('E', [
      step('a', { IN: 'IN' }, { OUT: 'x' }, -1),
      step('b', { IN: 'x' }, { OUT: 'OUT' }, 7),
    ]);
    const answer = ask(ensemble, 1);
    await world.clock.advance(1);
    expect(answer.outcome).toBe('ok');
    expect(seen).toEqual(['7 7']);
    const steps = ensemble.scheduler.recentRuns?.()[0]?.steps ?? [];
    expect(steps.map(({ modelName, modelVersion }) => `${modelName} ${modelVersion}`)).toEqual([
      'a 3',
      'b 7',
    ]);
  });

  test('inherit id, priority, timeout and parameters, and pass tensors on uncopied', async () => {
    const world = new EnsembleWorld();
    const seen: InferenceRequest[] = [];
    const script: FakeScript = {
      compute: (request) => {
        seen.push(request);
        return [int32('OUT', [1], [1])];
      },
    };
    await world.model('a', { script });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1, {
      id: 'mine',
      priority: 5n,
      timeoutUs: 77,
      parameters: new Map([['key', 'text']]),
    });
    await world.clock.advance(1);
    const [request] = seen;
    expect(request).toMatchObject({ id: 'mine', timeoutUs: 77, requestedOutputs: ['OUT'] });
    expect(request?.parameters.get('key')).toBe('text');
    expect(request?.inputs[0]?.bytes).toBe(answer.request.inputs[0]?.bytes);
  });

  test('may be ensembles, whose errors nest their prefixes', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(1) });
    await world.ensemble('inner', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const outer = await world.ensemble('outer', [step('inner', { IN: 'IN' }, { OUT: 'OUT' })]);
    const good = ask(outer, 1);
    await world.clock.advance(1);
    expect(value(good)).toBe(2);
    world.models.delete('a');
    const bad = ask(outer, 1);
    await world.clock.advance(1);
    expect(bad.error).toMatchObject({
      code: 'NOT_FOUND',
      message: `in ensemble 'outer', in ensemble 'inner', Request for unknown model: 'a' is not found`,
    });
    expect(world.useCount).toBe(0);
  });
});

describe('optional tensors', () => {
  test('an output the composing model leaves out is left out of the response', async () => {
    const world = new EnsembleWorld();
    await world.model('a', {
      config: { output: outputs('OUT', 'EXTRA') },
      script: { compute: () => [int32('OUT', [1], [4])] },
    });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT', EXTRA: 'EXTRA' })], {
      output: outputs('OUT', 'EXTRA'),
    });
    const answer = ask(ensemble, 1);
    await world.clock.advance(1);
    expect(answer.responses[0]?.outputs.map(({ name }) => name)).toEqual(['OUT']);
    expect(answer.outcome).toBe('ok');
  });

  test('an omitted ensemble input is not given to its readers', async () => {
    const world = new EnsembleWorld();
    const optional = [inputConfig({ name: 'IN' }), inputConfig({ name: 'MORE', optional: true })];
    await world.model('a', { config: { input: optional }, script: adds(0) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN', MORE: 'MORE' }, { OUT: 'OUT' })], {
      input: optional,
    });
    const without = ask(ensemble, 2, { inputs: [int32Input('IN', [1], [2])] });
    const withMore = ask(ensemble, 2);
    await world.clock.advance(1);
    expect([value(without), value(withMore)]).toEqual([2, 4]);
  });

  test('an input the step cannot do without gives its message', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { config: { input: inputs('IN', 'MORE') }, script: adds(0) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN', MORE: 'MORE' }, { OUT: 'OUT' })], {
      input: [inputConfig({ name: 'IN' }), inputConfig({ name: 'MORE', optional: true })],
    });
    const answer = ask(ensemble, 2, { inputs: [int32Input('IN', [1], [2])] });
    await world.clock.advance(1);
    expect(answer.error?.message).toMatch(
      /^in ensemble 'E', .*expected 2 inputs but got 1 inputs for model 'a'/,
    );
  });
});

describe('batch dimension', () => {
  test.each<[string, number, number, number[], number[]]>([
    ['batching ensemble over a step without', 4, 0, [1, 1], [1, 1]],
    ['ensemble without over a batching step', 0, 4, [1], [1]],
    ['both batching', 4, 4, [3, 1], [3, 1]],
  ])('%s', async (_name, ensembleBatch, stepBatch, shape, expected) => {
    const world = new EnsembleWorld();
    const dims = {
      input: [inputConfig({ name: 'IN', dims: [1] })],
      output: [outputConfig({ name: 'OUT', dims: [1] })],
    };
    await world.model('a', { config: { maxBatchSize: stepBatch, ...dims }, script: adds(1) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })], {
      maxBatchSize: ensembleBatch,
      ...dims,
    });
    const count = shape.reduce((product, dim) => product * dim, 1);
    const answer = ensemble.submit({
      inputs: [int32Input('IN', shape, new Array<number>(count).fill(1))],
    });
    await world.clock.advance(1);
    expect(answer.error?.message).toBeUndefined();
    expect(answer.responses[0]?.outputs[0]?.shape).toEqual(expected);
  });
});

describe('failure', () => {
  const failing: FakeScript = {
    delayMs: 10,
    compute: () => {
      throw invalidArg('bad luck');
    },
  };

  test('names the ensemble once, waits for running steps, starts no others, counts twice', async () => {
    const world = new EnsembleWorld();
    await world.model('bad', { script: failing });
    await world.model('slow', { script: adds(0, 100) });
    await world.model('after', { script: adds(0) });
    const ensemble = await world.ensemble(
      'E',
      [
        step('bad', { IN: 'IN' }, { OUT: 'x' }),
        step('slow', { IN: 'IN' }, { OUT: 'y' }),
        step('after', { IN: 'y' }, { OUT: 'z' }),
      ],
      { output: outputs('x', 'z') },
    );
    const answer = ask(ensemble, 1);
    await world.clock.advance(50);
    expect(answer.isDone).toBe(false);
    await world.clock.advance(50);
    expect(answer.error).toMatchObject({ code: 'INVALID_ARG', message: `in ensemble 'E', bad luck` });
    expect(answer.responses).toHaveLength(1);
    expect(executions(world)).toMatchObject({ slow: 1, after: 0, E: 0 });
    expect(ensemble.statistics.failures.OTHER).toBe(2);
    expect(ensemble.statistics.snapshot().inference.fail.count).toBe(2);
    expect([answer.finalCount, answer.releaseCount, world.useCount]).toEqual([1, 1, 0]);
  });

  test('of a queue that is full comes with its code', async () => {
    const world = new EnsembleWorld();
    const policy = {
      timeoutAction: 'REJECT',
      defaultTimeoutMicroseconds: 0n,
      allowTimeoutOverride: false,
    } as const;
    await world.model('a', {
      config: {
        maxBatchSize: 1,
        dynamicBatching: dynamicBatching({ defaultQueuePolicy: { ...policy, maxQueueSize: 1 } }),
      },
      script: adds(0, 10),
    });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })], {
      maxBatchSize: 1,
    });
    const answers = [1, 2, 3].map((n) => ensemble.submit({ inputs: [int32Input('IN', [1, 1], [n])] }));
    await world.clock.advance(100);
    const errors = answers.flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(errors.length).toBeGreaterThan(0);
    for (const { code, message } of errors) {
      expect(code).toBe('UNAVAILABLE');
      expect(message).toMatch(/^in ensemble 'E', .*Exceeds maximum queue size$/);
    }
  });

  test('of a step that answers nothing is a deadlock', async () => {
    const world = new EnsembleWorld();
    const silent: FakeScript = {
      execute: ({ requests }) => {
        for (const request of requests) {
          void request.respond(undefined, true);
          request.release();
        }
        return Promise.resolve();
      },
    };
    await world.model('a', { script: silent });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1, { id: '7' });
    await world.clock.advance(1);
    expect(answer.error).toMatchObject({
      code: 'INVALID_ARG',
      message: `in ensemble 'E', [request id: 7] unexpected deadlock, at least one output is not set while no more ensemble steps can be made`,
    });
  });

  test.each([
    ['default', undefined],
    ['dynamic', dynamicBatching()],
  ])('cancelled during its first step, the second (%s) does not execute', async (_name, batching) => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(0, 100) });
    await world.model('b', { config: { maxBatchSize: 0, dynamicBatching: batching }, script: adds(0) });
    const ensemble = await world.ensemble('E', [
      step('a', { IN: 'IN' }, { OUT: 'x' }),
      step('b', { IN: 'x' }, { OUT: 'OUT' }),
    ]);
    const answer = ask(ensemble, 1);
    await world.clock.advance(10);
    answer.request.cancel();
    await world.clock.advance(200);
    expect(answer.error?.code).toBe('CANCELLED');
    expect(executions(world)).toMatchObject({ a: 1, b: 0 });
    expect([answer.finalCount, answer.releaseCount]).toEqual([1, 1]);
  });
});

describe('sequences', () => {
  test('flags and ids reach the steps and come back with the responses', async () => {
    const world = new EnsembleWorld();
    await world.model('seq', {
      config: {
        maxBatchSize: 4,
        input: inputs('INPUT'),
        output: outputs('OUTPUT'),
        sequenceBatching: sequenceBatching(),
      },
      backend: sequenceBackend,
    });
    const ensemble = await world.ensemble('E', [step('seq', { INPUT: 'IN' }, { OUTPUT: 'OUT' })], {
      maxBatchSize: 4,
    });
    const send = (flags: number): Answer =>
      ensemble.submit({ correlationId: 9n, flags, inputs: [int32Input('IN', [1, 1], [2])] });
    const answers = [1, 0, 2].map(send);
    await world.clock.advance(1);
    expect(answers.map((answer) => value(answer))).toEqual([2, 4, 6]);
    expect(answers.map(({ responses }) => Object.fromEntries(responses[0]?.parameters ?? []))).toEqual([
      { sequence_id: 9n, sequence_start: true, sequence_end: false },
      { sequence_id: 9n, sequence_start: false, sequence_end: false },
      { sequence_id: 9n, sequence_start: false, sequence_end: true },
    ]);
    expect(ensemble.batchStats).toEqual({ 1: 3 });
    const lost = send(0);
    await world.clock.advance(1);
    expect(lost.error?.message).toMatch(
      /^in ensemble 'E', inference request for sequence 9 to model 'seq' must/,
    );
  });

  test('outside of a sequence the responses carry the id 0', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { config: { input: inputs('IN'), output: outputs('OUT') }, script: adds(1) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1);
    await world.clock.advance(1);
    expect(Object.fromEntries(answer.responses[0]?.parameters ?? [])).toEqual({
      sequence_id: 0n,
      sequence_start: false,
      sequence_end: false,
    });
  });

  const tagging = (parameters: [string, string | bigint | boolean | number][]): FakeScript => ({
    execute: ({ requests }) => {
      for (const request of requests) {
        void request.respondOutputs([int32('OUT', [1], [1])], true, new Map(parameters));
        request.release();
      }
      return Promise.resolve();
    },
  });

  test('a step may override them for those behind it', async () => {
    const world = new EnsembleWorld();
    await world.model('a', {
      script: tagging([
        ['sequence_id', 'other'],
        ['sequence_end', true],
      ]),
    });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1, { correlationId: 4n, flags: 1 });
    await world.clock.advance(1);
    expect(Object.fromEntries(answer.responses[0]?.parameters ?? [])).toEqual({
      sequence_id: 'other',
      sequence_start: false,
      sequence_end: true,
    });
  });

  test.each<[[string, string | number], string]>([
    [
      ['sequence_id', 1.5],
      `expected parameter 'sequence_id' to be TRITONSERVER_PARAMETER_INT or TRITONSERVER_PARAMETER_STRING`,
    ],
    [['sequence_start', 'yes'], `expect parameter 'sequence_start' to be TRITONSERVER_PARAMETER_BOOL`],
  ])('refuses %j', async (parameter, message) => {
    const world = new EnsembleWorld();
    await world.model('a', { script: tagging([parameter]) });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1);
    await world.clock.advance(1);
    expect(answer.error?.message).toBe(`in ensemble 'E', ${message}`);
  });
});

describe('statistics and cache', () => {
  test('compute times are the sum over the steps', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(0, 100) });
    await world.model('b', { script: adds(0, 100) });
    await world.ensemble('inner', [step('b', { IN: 'IN' }, { OUT: 'OUT' })]);
    const ensemble = await world.ensemble(
      'E',
      [step('a', { IN: 'IN' }, { OUT: 'x' }), step('inner', { IN: 'IN' }, { OUT: 'y' })],
      { output: outputs('x', 'y') },
    );
    ask(ensemble, 1);
    await world.clock.advance(100);
    const { inference, inferenceCount, executionCount } = ensemble.statistics.snapshot();
    expect(inference.computeInfer).toEqual({ count: 1, ns: 200e6 });
    expect(inference.success).toEqual({ count: 1, ns: 100e6 });
    expect([inferenceCount, executionCount, ensemble.statistics.pendingCount]).toEqual([1, 1, 0]);
  });

  test('a hit answers without running steps', async () => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(1) });
    const cache = new LocalResponseCache({ byteSize: 1e6, clock: world.clock });
    const ensemble = await world.ensemble(
      'E',
      [step('a', { IN: 'IN' }, { OUT: 'OUT' })],
      { responseCache: { enable: true } },
      { cache },
    );
    const answers = [ask(ensemble, 1)];
    await world.clock.advance(1);
    answers.push(ask(ensemble, 1));
    await world.clock.advance(1);
    expect(answers.map((answer) => value(answer))).toEqual([2, 2]);
    expect(executions(world)).toEqual({ a: 1, E: 1 });
    const { inference } = ensemble.statistics.snapshot();
    expect([inference.cacheHit.count, inference.cacheMiss.count, inference.success.count]).toEqual([1, 1, 2]);
  });
});

test('closing cancels what runs and waits for it', async () => {
  const world = new EnsembleWorld();
  await world.model('a', { script: adds(0, 100) });
  await world.model('b', { script: adds(0) });
  const ensemble = await world.ensemble('E', [
    step('a', { IN: 'IN' }, { OUT: 'x' }),
    step('b', { IN: 'x' }, { OUT: 'OUT' }),
  ]);
  const answer = ask(ensemble, 1);
  const closing = ensemble.scheduler.close();
  await world.clock.advance(100);
  await closing;
  expect(answer.outcome).toBe('CANCELLED');
  expect([ensemble.scheduler.inflightCount, world.useCount]).toEqual([0, 0]);
});
