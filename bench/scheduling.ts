// Cost of one request through normaliser, scheduler, instance queue and statistics, without sockets and without a
// model: the share of the event loop that scheduling takes. Run: node bench/scheduling.ts

import { systemClock } from '../src-main/base/clock.ts';
import type { ModelInstance } from '../src-main/inference/backend.ts';
import type { Payload } from '../src-main/inference/execution.ts';
import { InferenceRequest, InferInput } from '../src-main/inference/inference-request.ts';
import { createNormalizer } from '../src-main/inference/request-normalizer.ts';
import type { Scheduler } from '../src-main/inference/scheduler.ts';
import { StatisticsCollector } from '../src-main/inference/statistics-collector.ts';
import { bytesOf } from '../src-main/inference/tensor-bytes.ts';
import { createDynamicBatcher } from '../src-main/scheduling/create-dynamic-batcher.ts';
import { DirectScheduler } from '../src-main/scheduling/direct-scheduler.ts';
import { InstanceGroup } from '../src-main/scheduling/instance-group.ts';
import type { SchedulerDeps } from '../src-main/scheduling/scheduler-deps.ts';
import { NO_TEST_HOOKS } from '../src-main/scheduling/scheduler-deps.ts';
import { joinInstance } from '../src-main/testing/scheduler-world.ts';
import { fakeSpec } from '../src-main/testing/fake-backend.ts';
import { dynamicBatching, inputConfig, modelConfig, queuePolicy } from '../src-main/testing/tensors.ts';

const REQUESTS = 400_000;
const IN_FLIGHT = 64;

const clock = systemClock;
const input = inputConfig({ name: 'INPUT0', dims: [16] });
const other = inputConfig({ name: 'INPUT1', dims: [16] });
const bytes = bytesOf(new Uint8Array(64));

/** Answers at once, in a later turn of the event loop as a worker would. */
function instantInstance(statistics: StatisticsCollector): ModelInstance {
  const execute = (payload: Payload): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        const nowNs = clock.nowNs();
        const times = {
          computeStartNs: nowNs,
          computeInputEndNs: nowNs,
          computeOutputStartNs: nowNs,
          computeEndNs: nowNs,
        };
        for (const request of payload.requests) {
          statistics.request(request, true, times);
          void request.respondOutputs([], true);
          request.release();
        }
        statistics.execution(payload.batchSize, times);
        resolve();
      });
    });
  return { spec: fakeSpec(), memoryByteSize: undefined, execute, close: () => Promise.resolve() };
}

async function measure(
  name: string,
  config: ReturnType<typeof modelConfig>,
  make: (deps: SchedulerDeps) => Scheduler,
): Promise<void> {
  const statistics = new StatisticsCollector({ name: 'M', version: '1', clock });
  const instances = new InstanceGroup({ config, clock, statistics, limiter: undefined });
  await joinInstance(instances, instantInstance(statistics));
  const normalize = createNormalizer(config);
  const scheduler = make({
    config,
    files: { modelName: 'M', version: '1', modelDir: '', versionDir: '' },
    clock,
    statistics,
    instances,
    cache: undefined,
    invoker: undefined,
    initialStates: [],
    hooks: NO_TEST_HOOKS,
  });
  const run = (count: number): Promise<void> =>
    new Promise((resolve) => {
      let sent = 0;
      let done = 0;
      const onResponse = (): void => {
        done += 1;
        if (done === count) resolve();
        else if (sent < count) send();
      };
      const send = (): void => {
        sent += 1;
        const request = new InferenceRequest({
          modelName: 'M',
          modelVersion: -1,
          inputs: [
            new InferInput('INPUT0', 'INT32', [1, 16], bytes),
            new InferInput('INPUT1', 'INT32', [1, 16], bytes),
          ],
          onResponse,
        });
        request.times.requestStartNs = clock.nowNs();
        normalize(request);
        scheduler.enqueue(request);
      };
      for (let first = 0; first < IN_FLIGHT; first += 1) send();
    });
  await run(REQUESTS / 4);
  const startNs = clock.nowNs();
  await run(REQUESTS);
  const perRequestUs = (clock.nowNs() - startNs) / REQUESTS / 1000;
  const { inferenceCount, executionCount } = statistics;
  const meanBatch = (inferenceCount / executionCount).toFixed(1);
  process.stdout.write(`${name}: ${perRequestUs.toFixed(2)} us per request, mean batch ${meanBatch}\n`);
  await scheduler.close();
}

const model = modelConfig({ input: [input, other], maxBatchSize: 16 });
const plain = dynamicBatching();
const policies = dynamicBatching({
  priorityLevels: 3n,
  defaultPriorityLevel: 2n,
  maxQueueDelayMicroseconds: 100n,
  defaultQueuePolicy: queuePolicy({ defaultTimeoutMicroseconds: 10_000_000n, maxQueueSize: 1000 }),
});
const ordered = dynamicBatching({ preserveOrdering: true });

await measure('default', model, (deps) => new DirectScheduler(deps));
await measure('dynamic', { ...model, dynamicBatching: plain }, (deps) => createDynamicBatcher(deps, plain));
await measure('dynamic, ordered', { ...model, dynamicBatching: ordered }, (deps) =>
  createDynamicBatcher(deps, ordered),
);
await measure('dynamic, priorities, timeout, delay', { ...model, dynamicBatching: policies }, (deps) =>
  createDynamicBatcher(deps, policies),
);
