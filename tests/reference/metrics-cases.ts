// Families of metrics and their series under each setting, before and after requests, a load and an unload.

import { get, reply } from './http-calls.ts';
import { ask, floats, infer, load, unload, wait } from './life-calls.ts';
import { answering, ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';

const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL, `${ONE_TO_ONE}\nmetric_tags { key: "team" value: "a\\"b" }`),
  ...pythonFiles('cached', ECHO_MODEL, `${ONE_TO_ONE}\nresponse_cache { enable: true }`),
  ...pythonFiles('raises', answering('raise ValueError("on purpose")')),
  'chain/config.pbtxt': `platform: "ensemble"\n${ONE_TO_ONE}
ensemble_scheduling { step [ { model_name: "echo" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } } ] }\n`,
  'chain/1/': '',
};

const FAMILIES = [
  ...['success', 'failure', 'duration_us'].map((one) => `nv_inference_request_${one}`),
  ...['count', 'exec_count', 'queue_duration_us', 'pending_request_count'].map(
    (one) => `nv_inference_${one}`,
  ),
  ...['input', 'infer', 'output'].map((one) => `nv_inference_compute_${one}_duration_us`),
  ...['num_hits', 'num_misses', 'hit_duration', 'miss_duration'].map((one) => `nv_cache_${one}_per_model`),
  ...['hit', 'miss'].map((one) => `nv_cache_${one}_summary_per_model`),
  ...['request', 'queue', 'compute_input', 'compute_infer', 'compute_output'].map(
    (one) => `nv_inference_${one}_summary_us`,
  ),
  'nv_inference_first_response_histogram_ms',
  'nv_pinned_memory_pool_total_bytes',
  'nv_cpu_utilization',
  'nv_cpu_memory_total_bytes',
];

/** Durations, and what the machine has, are blanked; counts stay. */
async function familiesOf(target: Target): Promise<readonly string[]> {
  const { body } = await reply(target.metricsPort, get('/metrics'));
  return body
    .split('\n')
    .filter((line) => /^(# (HELP|TYPE) )?nv_/.test(line) && !/nv_(gpu|energy)/.test(line))
    .map((line) =>
      line.replace(
        /^(nv_\w*(_us|_sum|_duration\w*|_secs|utilization|bytes|quantile|summary\w*|_bucket)\{?.*) \S+$/,
        '$1 #',
      ),
    );
}

const step =
  (name: string, act: (target: Target) => Promise<unknown>) =>
  async (target: Target): Promise<readonly unknown[]> => {
    await act(target);
    await wait(300);
    const lines = await familiesOf(target);
    const names = lines.filter((line) => line.startsWith('# TYPE')).map((line) => line.split(' ')[2]);
    // In which order the models of a family stand is chance.
    const of = (family: string): readonly string[] =>
      lines.filter((line) => new RegExp(`^(# \\w+ )?${family}(_count|_sum|_bucket)?[ {]`).test(line)).sort();
    return [
      { step: `${name} > families in order`, names },
      ...FAMILIES.map((family) => ({ step: `${name} > ${family}`, lines: of(family) })),
    ];
  };

const steps = [
  step('at the start', async () => undefined),
  step('after requests', async (target) => {
    for (const model of ['echo', 'echo', 'cached', 'cached', 'raises', 'chain'])
      await ask(target, infer(model, floats([1])));
  }),
  step('after an unload', async (target) => {
    await ask(target, unload('cached'));
    await wait(2000);
  }),
  step('after a load', async (target) => ask(target, load('cached'))),
];

const asked = (name: string): ReferenceCase => ({
  name: `metrics, ${name}`,
  run: async (target) => {
    const answers: unknown[] = [];
    for (const one of steps) answers.push(...(await one(target)));
    return answers;
  },
});

const scene = (name: string, args: readonly string[]): Scene => ({
  name: `metrics ${name}`,
  repositories: () => [models],
  args: [
    '--model-control-mode=explicit',
    ...['echo', 'cached', 'raises', 'chain'].map((model) => `--load-model=${model}`),
    ...args,
  ],
  together: 'metrics',
  cases: [asked(name)],
});

const CACHE = '--cache-config=local,size=1048576';
const on = (family: string): string => `--metrics-config=${family}_latencies=true`;

export const METRICS_SCENES: readonly Scene[] = [
  scene('plain', []),
  scene('all', [CACHE, on('summary'), on('histogram')]),
  scene('without durations', [CACHE, '--metrics-config=counter_latencies=false', on('summary')]),
  scene('of quantiles', [on('summary'), '--metrics-config=summary_quantiles=0.25:0.1,2:0.1,x:1']),
];
