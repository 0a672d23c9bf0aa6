// Random models, instances, needs and arrivals under the rate limiter: nothing runs without its resources, nothing is
// lost or starved, and nothing is left.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { SchedulerWorld } from '../testing/scheduler-world.ts';
import { dynamicBatching, modelConfig } from '../testing/tensors.ts';
import { createScheduler } from './create-scheduler.ts';
import { RateLimiter } from './rate-limiter.ts';

const AVAILABLE = 4;

const modelPlan = fc.record({
  needs: fc.record({ R: fc.nat({ max: AVAILABLE }), S: fc.nat({ max: AVAILABLE }) }),
  priority: fc.nat({ max: 3 }),
  instanceCount: fc.integer({ min: 1, max: 3 }),
  executeMs: fc.nat({ max: 9 }),
  isBatching: fc.boolean(),
});
type ModelPlan = typeof modelPlan extends fc.Arbitrary<infer T> ? T : never;

const arrivals = fc.array(
  fc.record({
    afterMs: fc.nat({ max: 4 }),
    model: fc.nat(),
    cancelAfterMs: fc.option(fc.nat({ max: 20 }), { nil: undefined, freq: 5 }),
  }),
  { minLength: 1, maxLength: 50 },
);

interface Setting {
  readonly clock: FakeClock;
  readonly limiter: RateLimiter;
  readonly isGlobal: boolean;
  /** Called whenever an execution begins. */
  readonly onStart: () => void;
}

function worldOf(plan: ModelPlan, name: string, setting: Setting): Promise<SchedulerWorld> {
  const resources = Object.entries(plan.needs).map(([resource, count]) => ({
    name: resource,
    global: setting.isGlobal,
    count,
  }));
  return SchedulerWorld.create({
    config: modelConfig({
      name,
      maxBatchSize: 4,
      dynamicBatching: plan.isBatching
        ? dynamicBatching({ preferredBatchSize: [4], maxQueueDelayMicroseconds: 2000n })
        : undefined,
      instanceGroup: [
        {
          name,
          kind: 'KIND_CPU',
          count: plan.instanceCount,
          rateLimiter: { priority: plan.priority, resources },
          gpus: [],
          secondaryDevices: [],
          profile: [],
          passive: false,
          hostPolicy: '',
        },
      ],
    }),
    createScheduler,
    instanceCount: plan.instanceCount,
    clock: setting.clock,
    limiter: setting.limiter,
    script: {
      delayMs: () => {
        setting.onStart();
        return plan.executeMs;
      },
    },
  });
}

test('nothing runs without its resources, every request is answered once, nothing starves', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(modelPlan, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      arrivals,
      async (plans, isGlobal, list) => {
        const clock = new FakeClock();
        const limiter = new RateLimiter({
          clock,
          resources: ['R', 'S'].map((name) => ({ name, count: AVAILABLE, deviceId: undefined })),
        });
        const worlds: SchedulerWorld[] = [];
        const peak = { R: 0, S: 0 };
        const onStart = (): void => {
          for (const name of ['R', 'S'] as const) {
            const taken = worlds.map(({ fakes }, at) => {
              const running = fakes.reduce((sum, { runningCount }) => sum + runningCount, 0);
              return running * (plans[at]?.needs[name] ?? 0);
            });
            peak[name] = Math.max(
              peak[name],
              taken.reduce((sum, each) => sum + each, 0),
            );
          }
        };
        for (const [at, plan] of plans.entries()) {
          worlds.push(await worldOf(plan, `M${at}`, { clock, limiter, isGlobal, onStart }));
        }
        for (const { afterMs, model, cancelAfterMs } of list) {
          await clock.advance(afterMs);
          const answer = worlds[model % worlds.length]?.send(1);
          if (cancelAfterMs !== undefined) clock.after(cancelAfterMs, () => answer?.request.cancel());
        }
        // Far below the five minutes after which a payload runs without its resources.
        await clock.advance(60_000);
        expect(peak.R).toBeLessThanOrEqual(AVAILABLE);
        expect(peak.S).toBeLessThanOrEqual(AVAILABLE);
        for (const { book, scheduler, statistics, fakes } of worlds) {
          for (const { finalCount, releaseCount, responses, outcome } of book.answers) {
            expect([finalCount, releaseCount, responses.length]).toEqual([1, 1, 1]);
            expect(['ok', 'CANCELLED']).toContain(outcome);
          }
          expect([scheduler.inflightCount, statistics.pendingCount]).toEqual([0, 0]);
          expect(fakes.every(({ maxRunningCount }) => maxRunningCount <= 1)).toBe(true);
        }
        expect(clock.timerCount).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});
