// The rate limiter: models that share resources run in the order of their priorities and never beyond what there is.
// The order of the answers tells it.

import { post } from './http-calls.ts';
import { ask, wait } from './life-calls.ts';
import { ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

/** Sleeps as many tenths of a second as its value says; answers with the requests of its batch. */
const SLEEPS = `class TritonPythonModel:
    def execute(self, requests):
        time.sleep(float(max(np.max(first(request)) for request in requests)) / 10)
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.full(first(request).shape, len(requests), np.float32))]) for request in requests]
`;
const limited = (count: number, priority: number, resources: string, more = ''): string =>
  `${ONE_TO_ONE}\nmax_batch_size: 4\n${more}
instance_group [ { kind: KIND_CPU count: ${count} rate_limiter { priority: ${priority} resources [ ${resources} ] } } ]`;
const r1 = (count: number): string => `{ name: "R1" count: ${count} }`;

const models: RepositoryFiles = {
  ...pythonFiles('first', SLEEPS, limited(2, 1, r1(1))),
  ...pythonFiles('second', SLEEPS, limited(1, 2, r1(2))),
  ...pythonFiles('third', SLEEPS, limited(1, 4, `${r1(1)}, { name: "R2" count: 1 global: true }`)),
  ...pythonFiles('batches', SLEEPS, limited(1, 1, r1(2), 'dynamic_batching {}')),
};

type Sends = readonly (readonly [model: string, takes: number])[];
const RUNS: Readonly<Record<string, Sends>> = {
  'two that share': [
    ['second', 6],
    ['second', 2],
    ['first', 2],
    ['first', 3],
    ['second', 2],
  ],
  'by priority': [
    ['second', 6],
    // Runs beside the one behind it, and ends after it.
    ['third', 5],
    ['first', 2],
    ['third', 2],
    ['second', 2],
  ],
  'batches while it waits': [
    ['second', 6],
    ['batches', 2],
    ['batches', 2],
    ['batches', 2],
  ],
};

const asked = (title: string): ReferenceCase => ({
  name: `limiter: ${title}`,
  run: async (target) => {
    const order: string[] = [];
    const running = [];
    for (const [index, [model, takes]] of (RUNS[title] ?? []).entries()) {
      await wait(80);
      const inputs = [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [takes] }];
      running.push(
        ask(target, post(`/v2/models/${model}/infer`, { inputs })).then((answer) => {
          order.push(`${index} ${model}`);
          return answer;
        }),
      );
    }
    const answers = await Promise.all(running);
    return { answers, order };
  },
});

export const LIMITER_SCENE: Scene = {
  name: 'limiter',
  repositories: () => [models],
  args: ['--rate-limit=execution_count', '--model-load-thread-count=1'],
  cases: Object.keys(RUNS).map(asked),
};
