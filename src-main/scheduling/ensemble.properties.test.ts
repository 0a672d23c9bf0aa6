// Random ensembles over models with different schedulers, with failures, full queues and cancellations: every request
// is answered once and released once, values are those of the graph, and no model stays in use.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { internal } from '../../src-shared/errors.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { EnsembleWorld, inputs, outputs, step } from '../testing/ensemble-world.ts';
import { dynamicBatching, int32Input, int32Values, outputConfig, queuePolicy } from '../testing/tensors.ts';
import { contiguous } from '../inference/tensor-bytes.ts';

const POISON = 13;

const modelPlan = fc.record({
  /** Tensors the step reads, by number modulo those there are; one or two. */
  reads: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 2 }),
  batching: fc.constantFrom('none', 'dynamic', 'short queue'),
  instanceCount: fc.integer({ min: 1, max: 2 }),
  executeMs: fc.nat({ max: 9 }),
  /** Fails requests whose sum is a multiple of POISON. */
  isTouchy: fc.boolean(),
});
type ModelPlan = typeof modelPlan extends fc.Arbitrary<infer T> ? T : never;

const arrivals = fc.array(
  fc.record({
    afterMs: fc.nat({ max: 5 }),
    value: fc.nat({ max: 40 }),
    cancelAfterMs: fc.option(fc.nat({ max: 30 }), { nil: undefined, freq: 4 }),
  }),
  { minLength: 1, maxLength: 25 },
);

function configOf(plan: ModelPlan, names: readonly string[]): Partial<ModelConfig> {
  const maxQueueSize = plan.batching === 'short queue' ? 2 : 0;
  return {
    maxBatchSize: 4,
    input: inputs(...names),
    output: outputs('OUT'),
    dynamicBatching:
      plan.batching === 'none'
        ? undefined
        : dynamicBatching({
            preferredBatchSize: [4],
            maxQueueDelayMicroseconds: 1000n,
            defaultQueuePolicy: queuePolicy({ maxQueueSize }),
          }),
  };
}

interface Built {
  readonly world: EnsembleWorld;
  /** What the ensemble computes; undefined = a step of it fails. */
  readonly expected: (value: number) => number | undefined;
}

/** Step k adds up what it reads, plus k + 1, into tensor k + 1; the last tensor is the output. */
async function build(plans: readonly ModelPlan[], limit: number): Promise<Built> {
  const world = new EnsembleWorld();
  const reads = plans.map((plan, k) =>
    [...new Set([k, ...plan.reads.map((read) => read % (k + 1))])].slice(0, 2),
  );
  for (const [k, plan] of plans.entries()) {
    const names = (reads[k] ?? []).map((_, at) => `IN${at}`);
    await world.model(`m${k}`, {
      config: configOf(plan, names),
      instanceCount: plan.instanceCount,
      script: {
        delayMs: plan.executeMs,
        compute: (request) => {
          const sum = request.inputs.reduce(
            (total, { bytes }) => total + (int32Values(contiguous(bytes))[0] ?? 0),
            k + 1,
          );
          if (plan.isTouchy && sum % POISON === 0) throw internal(`m${k} cannot have ${sum}`);
          const bytes = new Uint8Array(Int32Array.of(sum).buffer);
          return [{ name: 'OUT', datatype: 'INT32', shape: [1, 1], bytes }];
        },
      },
    });
  }
  const steps = plans.map((_, k) =>
    step(`m${k}`, Object.fromEntries((reads[k] ?? []).map((tensor, at) => [`IN${at}`, `t${tensor}`])), {
      OUT: `t${k + 1}`,
    }),
  );
  await world.ensemble(
    'E',
    steps,
    { maxBatchSize: 4, input: inputs('t0'), output: [outputConfig({ name: `t${plans.length}` })] },
    { maxInflightRequests: limit },
  );
  const expected = (value: number): number | undefined => {
    const tensors: number[] = [value];
    for (const [k, plan] of plans.entries()) {
      const sum = (reads[k] ?? []).reduce((total, tensor) => total + (tensors[tensor] ?? 0), k + 1);
      if (plan.isTouchy && sum % POISON === 0) return undefined;
      tensors.push(sum);
    }
    return tensors.at(-1);
  };
  return { world, expected };
}

test('every request is answered once with the value of the graph, or once with an error of a step', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(modelPlan, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(0, 0, 1, 3),
      arrivals,
      async (plans, limit, list) => {
        const { world, expected } = await build(plans, limit);
        const ensemble = world.models.get('E');
        if (ensemble === undefined) throw new Error('no ensemble');
        for (const { afterMs, value, cancelAfterMs } of list) {
          await world.clock.advance(afterMs);
          const answer = ensemble.submit({ inputs: [int32Input('t0', [1, 1], [value])] });
          if (cancelAfterMs !== undefined) world.clock.after(cancelAfterMs, () => answer.request.cancel());
        }
        await world.clock.advance(60_000);
        for (const [at, answer] of ensemble.book.answers.entries()) {
          expect([answer.finalCount, answer.releaseCount, answer.responses.length]).toEqual([1, 1, 1]);
          const value = expected(list[at]?.value ?? 0);
          if (answer.outcome === 'ok') {
            const bytes = answer.responses[0]?.outputs[0]?.bytes ?? new Uint8Array(4);
            expect(int32Values(bytes)[0]).toBe(value);
          } else expect(answer.error?.message.startsWith(`in ensemble 'E', `)).toBe(true);
          if (value === undefined) expect(answer.outcome).not.toBe('ok');
        }
        const okCount = ensemble.book.outcomes.filter((outcome) => outcome === 'ok').length;
        const { inference, inferenceCount, executionCount } = ensemble.statistics.snapshot();
        expect([inference.success.count, inferenceCount, executionCount]).toEqual([
          okCount,
          okCount,
          okCount,
        ]);
        // A failed ensemble request counts twice, as clients' tests expect.
        expect(inference.fail.count).toBe(2 * (list.length - okCount));
        for (const { scheduler, statistics } of world.models.values()) {
          expect([scheduler.inflightCount, statistics.pendingCount]).toEqual([0, 0]);
        }
        expect([world.useCount, world.clock.timerCount]).toEqual([0, 0]);
      },
    ),
    { numRuns: 60 },
  );
});
