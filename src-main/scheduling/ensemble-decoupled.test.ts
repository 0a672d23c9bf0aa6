import { describe, expect, test } from 'vitest';
import { repeatBackend } from '../backends/repeat/repeat-backend.ts';
import { InferInput } from '../inference/inference-request.ts';
import { bytesOf, contiguous, copied } from '../inference/tensor-bytes.ts';
import { decoupled, EnsembleWorld, inputs, outputs, step } from '../testing/ensemble-world.ts';
import type { FakeScript } from '../testing/fake-backend.ts';
import type { SchedulerWorld } from '../testing/scheduler-world.ts';
import {
  dynamicBatching,
  inputConfig,
  int32Input,
  int32Values,
  queuePolicy,
  type Answer,
} from '../testing/tensors.ts';
import { InflightLimit } from './ensemble-inflight-limit.ts';

const repeatInputs = [
  inputConfig({ name: 'IN' }),
  inputConfig({ name: 'DELAY', dataType: 'TYPE_UINT32' }),
  inputConfig({ name: 'WAIT', dataType: 'TYPE_UINT32', dims: [1] }),
];

const uint32 = (name: string, values: readonly number[]): InferInput =>
  new InferInput(name, 'UINT32', [values.length], bytesOf(new Uint8Array(Uint32Array.from(values).buffer)));

/** OUT = IN + offset, after a delay that may depend on the value. */
const adds = (offset: number, delayMs: (value: number) => number = () => 0): FakeScript => ({
  delayMs: ({ requests: [request] }) => {
    const bytes = request?.inputs[0]?.bytes;
    return delayMs((bytes && int32Values(contiguous(bytes))[0]) ?? 0);
  },
  compute: ({ inputs: [input] }) => {
    const values = input === undefined ? [] : int32Values(contiguous(input.bytes));
    const bytes = new Uint8Array(Int32Array.from(values, (value) => value + offset).buffer);
    return [{ name: 'OUT', datatype: 'INT32', shape: [values.length], bytes }];
  },
});

async function streaming(
  consumer: Parameters<EnsembleWorld['model']>[1],
  maxInflightRequests = 0,
): Promise<{ world: EnsembleWorld; ensemble: SchedulerWorld }> {
  const world = new EnsembleWorld();
  await world.model('repeat', {
    backend: repeatBackend,
    config: { ...decoupled, input: repeatInputs, output: outputs('OUT', 'IDX') },
  });
  await world.model('add', consumer);
  const ensemble = await world.ensemble(
    'E',
    [
      step('repeat', { IN: 'IN', DELAY: 'DELAY', WAIT: 'WAIT' }, { OUT: 'x' }),
      step('add', { IN: 'x' }, { OUT: 'OUT' }),
    ],
    { input: repeatInputs, output: outputs('OUT') },
    { maxInflightRequests },
  );
  return { world, ensemble };
}

const repeat = (ensemble: SchedulerWorld, values: readonly number[], delayMs = 0): Answer =>
  ensemble.submit({
    inputs: [
      int32Input('IN', [values.length], values),
      uint32(
        'DELAY',
        values.map(() => delayMs),
      ),
      uint32('WAIT', [0]),
    ],
  });

const streamed = ({ responses }: Answer): number[] =>
  responses.flatMap(({ outputs: tensors }) => tensors.flatMap(({ bytes }) => int32Values(bytes)));

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

describe('a decoupled step', () => {
  test.each([0, 1, 5])(
    'with %i responses gives as many ensemble responses and one final flag',
    async (count) => {
      const { world, ensemble } = await streaming({ script: adds(100) });
      const answer = repeat(ensemble, range(count));
      await world.clock.advance(10);
      expect(streamed(answer)).toEqual(range(count).map((value) => value + 100));
      expect([answer.finalCount, answer.releaseCount, answer.error, world.useCount]).toEqual([
        1,
        1,
        undefined,
        0,
      ]);
    },
  );

  test('joins its branches by response, although one branch overtakes', async () => {
    const world = new EnsembleWorld();
    await world.model('repeat', {
      backend: repeatBackend,
      config: { ...decoupled, input: repeatInputs, output: outputs('OUT', 'IDX') },
    });
    await world.model('slow', { script: adds(1000, (value) => 100 - value), instanceCount: 8 });
    await world.model('join', {
      config: { input: inputs('A', 'B') },
      script: {
        compute: (request) => {
          const [a, b] = request.inputs.map(({ bytes }) => int32Values(contiguous(bytes))[0] ?? 0);
          const bytes = new Uint8Array(Int32Array.of((a ?? 0) - (b ?? 0)).buffer);
          return [{ name: 'OUT', datatype: 'INT32', shape: [1], bytes }];
        },
      },
    });
    const ensemble = await world.ensemble(
      'E',
      [
        step('repeat', { IN: 'IN', DELAY: 'DELAY', WAIT: 'WAIT' }, { OUT: 'x' }),
        step('slow', { IN: 'x' }, { OUT: 'y' }),
        step('join', { A: 'y', B: 'x' }, { OUT: 'OUT' }),
      ],
      { input: repeatInputs },
    );
    const answer = repeat(ensemble, [10, 50, 90]);
    await world.clock.advance(200);
    expect(streamed(answer)).toEqual([1000, 1000, 1000]);
  });

  test('cancelled in the middle ends CANCELLED with the responses sent so far', async () => {
    const { world, ensemble } = await streaming({ script: adds(0) });
    const answer = repeat(ensemble, range(10), 10);
    await world.clock.advance(35);
    answer.request.cancel();
    await world.clock.advance(200);
    expect(streamed(answer)).toEqual([0, 1, 2]);
    expect(answer.error?.code).toBe('CANCELLED');
    expect([answer.finalCount, answer.releaseCount]).toEqual([1, 1]);
    const later = repeat(ensemble, [7]);
    await world.clock.advance(20);
    expect(streamed(later)).toEqual([7]);
  });

  test('a full queue behind it ends the stream with one error; later requests work', async () => {
    const { world, ensemble } = await streaming({
      config: {
        maxBatchSize: 1,
        dynamicBatching: dynamicBatching({ defaultQueuePolicy: queuePolicy({ maxQueueSize: 1 }) }),
      },
      script: adds(0, () => 10),
    });
    const answer = repeat(ensemble, range(8));
    await world.clock.advance(500);
    const errors = answer.responses.filter(({ error }) => error !== undefined);
    expect(errors).toHaveLength(1);
    expect(answer.responses.at(-1)?.error?.message).toContain('Exceeds maximum queue size');
    expect(answer.finalCount).toBe(1);
    const later = repeat(ensemble, [3]);
    await world.clock.advance(100);
    expect(streamed(later)).toEqual([3]);
  });
});

describe('max_inflight_requests', () => {
  test.each([0, 1, 4])('%i: all responses arrive, the limit holds', async (limit) => {
    let running = 0;
    let most = 0;
    const { world, ensemble } = await streaming(
      {
        instanceCount: 64,
        script: {
          execute: async ({ requests }, { clock }) => {
            running += 1;
            most = Math.max(most, running);
            await clock.wait(10);
            running -= 1;
            for (const request of requests) {
              const [input] = request.inputs;
              const bytes = input === undefined ? new Uint8Array(4) : copied(contiguous(input.bytes));
              void request.respondOutputs([{ name: 'OUT', datatype: 'INT32', shape: [1], bytes }], true);
              request.release();
            }
          },
        },
      },
      limit,
    );
    const answers = [repeat(ensemble, range(16)), repeat(ensemble, range(16))];
    await world.clock.advance(1000);
    expect(answers.map(({ finalCount }) => finalCount)).toEqual([1, 1]);
    for (const answer of answers) expect(streamed(answer).sort((a, b) => a - b)).toEqual(range(16));
    if (limit === 0) expect(most).toBeGreaterThan(4);
    else expect(most).toBeLessThanOrEqual(limit);
  });

  test('a cancelled request does not wait for a slot', async () => {
    const { world, ensemble } = await streaming({ script: adds(0, () => 100_000) }, 1);
    const answer = repeat(ensemble, range(4));
    await world.clock.advance(10);
    answer.request.cancel();
    await world.clock.advance(100_000);
    expect(answer.error?.code).toBe('CANCELLED');
    expect(world.models.get('add')?.statistics.executionCount).toBe(1);
  });

  test('a wait of five minutes goes on over the limit, and its slot is still counted', async () => {
    const { clock } = new EnsembleWorld();
    const limit = new InflightLimit({ limit: 1, clock, label: 'step' });
    expect(limit.acquire()).toBeUndefined();
    let isOn = false;
    void limit.acquire()?.done.then(() => {
      isOn = true;
    });
    await clock.advance(299_999);
    expect(isOn).toBe(false);
    await clock.advance(1);
    expect([isOn, limit.inflight, clock.timerCount]).toEqual([true, 2, 0]);
  });
});
