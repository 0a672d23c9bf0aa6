// How much time is counted where: statistics, metrics and traces of models that sleep for whole seconds, told in whole
// seconds. Other scenes look only at whether there is any.

import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { grpcStream } from './grpc-exchange.ts';
import { get, post, reply } from './http-calls.ts';
import { ask, floats, infer, wait } from './life-calls.ts';
import { answering, executing, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { ensemble, step } from './span-cases.ts';

/** Sleeps for its first value; an error below zero. */
const SLEEPS = answering(`value = float(first(request).reshape(-1)[0])
time.sleep(abs(value))
if value < 0:
    response = pb_utils.InferenceResponse(error=pb_utils.TritonError("below zero"))
else:
    response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))])`);
const RAISES = executing(`time.sleep(abs(float(first(requests[0]).reshape(-1)[0])))
raise ValueError("on purpose")`);
/** A pause of so many seconds in front of each response; below zero the response is an error. */
const PLAYS = executing(`for request in requests:
    sender = request.get_response_sender()
    for value in first(request).reshape(-1):
        time.sleep(abs(float(value)))
        if value < 0:
            sender.send(pb_utils.InferenceResponse(error=pb_utils.TritonError("below zero")))
        else:
            sender.send(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", np.array([value], np.float32))]))
    time.sleep(2)
    sender.send(flags=pb_utils.TRITONSERVER_RESPONSE_COMPLETE_FINAL)
return None`);
const CALLS =
  answering(`asked = pb_utils.InferenceRequest(model_name="called", requested_output_names=["OUTPUT0"], inputs=[pb_utils.Tensor("INPUT0", first(request))]).exec()
time.sleep(2)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", asked.output_tensors()[0].as_numpy())])`);
const CPU = `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU } ]`;
const ROWS = `${CPU}\nmax_batch_size: 4`;
const DECOUPLED = `${CPU}\nmodel_transaction_policy { decoupled: true }`;
const plain = (name: string): RepositoryFiles => pythonFiles(name, SLEEPS, CPU);

const files: RepositoryFiles = {
  ...Object.assign({}, ...['one', 'many', 'fails', 'behind', 'part', 'last', 'called', 'traced'].map(plain)),
  ...pythonFiles('raises', RAISES, CPU),
  ...pythonFiles('batch', SLEEPS, `${ROWS}\ndynamic_batching { max_queue_delay_microseconds: 2000000 }`),
  ...pythonFiles(
    'late',
    SLEEPS,
    `${ROWS}\ndynamic_batching { preferred_batch_size: [ 1 ] default_queue_policy { default_timeout_microseconds: 1000000 } }`,
  ),
  ...pythonFiles('cached', SLEEPS, `${CPU}\nresponse_cache { enable: true }`),
  ...pythonFiles(
    'sequence',
    SLEEPS,
    `${ROWS}\nsequence_batching { direct {} max_sequence_idle_microseconds: 60000000 }`,
  ),
  ...pythonFiles('plays', PLAYS, DECOUPLED),
  ...pythonFiles('part_plays', PLAYS, DECOUPLED),
  ...pythonFiles('part_end', SLEEPS, CPU),
  ...pythonFiles('calls', CALLS, CPU),
  ...ensemble('chain', step('part', 'INPUT0', 'x'), step('last', 'x', 'OUTPUT0')),
  ...ensemble('played', step('part_plays', 'INPUT0', 'x'), step('part_end', 'x', 'OUTPUT0')),
};

/** To whole seconds. */
const seconds = (value: number, unit: number): string => `${Math.round(value / unit)} s`;
type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };
/** Times are told in seconds, `last_inference` by how long after the start. */
function inSeconds(value: Json, startedAt: number, key = ''): Json {
  if (key === 'ns') return seconds(Number(value), 1e9);
  if (key === 'last_inference')
    return Number(value) === 0 ? 'never' : seconds(Number(value) - startedAt, 1000);
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => inSeconds(one, startedAt));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inSeconds(member, startedAt, name)]),
  );
}

/** Of a sum of durations, in seconds; bounds of histograms and quantiles of summaries are no durations of requests. */
function lineInSeconds(line: string): string {
  const [, name = '', value = ''] = /^(.*) (\S+)$/.exec(line) ?? [];
  if (/_ms_sum\{/.test(name)) return `${name} ${seconds(Number(value), 1e3)}`;
  if (/_(us|duration\w*|us_sum|per_model_sum)\{/.test(name) && !/quantile/.test(name))
    return `${name} ${seconds(Number(value), 1e6)}`;
  if (/quantile=/.test(name)) return `${name} ${seconds(Number(value), 1e6)}`;
  return line;
}

async function amounts(target: Target, models: readonly string[], startedAt: number): Promise<object[]> {
  await wait(300);
  const rows: object[] = [];
  for (const model of models) {
    const { body } = await reply(target.httpPort, get(`/v2/models/${model}/stats`));
    rows.push({ step: `statistics of ${model}`, stats: inSeconds(JSON.parse(body) as Json, startedAt) });
  }
  const { body } = await reply(target.metricsPort, get('/metrics'));
  for (const model of models)
    rows.push({
      step: `metrics of ${model}`,
      lines: body
        .split('\n')
        .filter((line) => line.startsWith('nv_') && line.includes(`model="${model}"`))
        .filter((line) => !/^nv_(model_load|inference_first_response_histogram)/.test(line))
        .map(lineInSeconds)
        .sort(),
    });
  return rows;
}

const counted = (
  name: string,
  models: readonly string[],
  act: (target: Target) => Promise<unknown>,
): ReferenceCase => ({
  name: `amounts of ${name}`,
  run: async (target) => {
    const startedAt = Date.now();
    await act(target);
    return amounts(target, models, startedAt);
  },
});
const asks =
  (...calls: readonly (ReturnType<typeof infer> | number)[]) =>
  async (target: Target): Promise<unknown> => {
    const running: Promise<unknown>[] = [];
    for (const call of calls) {
      if (typeof call === 'number') await wait(call);
      else running.push(ask(target, call));
    }
    return Promise.all(running);
  };
const row = (model: string, value: number, parameters: object = {}): ReturnType<typeof infer> =>
  infer(model, { ...floats([value], [1, 1]), parameters });
const streamed = (model: string, values: readonly number[]) => (target: Target) =>
  grpcStream(target.grpcPort, [
    {
      model_name: model,
      inputs: [
        {
          name: 'INPUT0',
          datatype: 'FP32',
          shape: [String(values.length)],
          contents: { fp32_contents: values },
        },
      ],
    },
  ]);

const CASES: readonly ReferenceCase[] = [
  counted('one', ['one'], asks(infer('one', floats([2])))),
  counted(
    'two behind each other',
    ['behind'],
    asks(infer('behind', floats([2])), 100, infer('behind', floats([1]))),
  ),
  counted('many', ['many'], async (target) => {
    for (const value of [1, 3, 0, 2, 0, 1, 0, 0, 2, 0, 1, 0])
      await ask(target, infer('many', floats([value])));
  }),
  counted('an error response', ['fails'], asks(infer('fails', floats([-2])))),
  counted('an exception', ['raises'], asks(infer('raises', floats([2])))),
  counted('a batch', ['batch'], asks(row('batch', 2), 100, row('batch', 1))),
  counted('late ones', ['late'], asks(row('late', 4), 200, row('late', 1), 100, row('late', 1))),
  counted('hits and misses', ['cached'], async (target) => {
    await ask(target, infer('cached', floats([2])));
    await wait(1000);
    await ask(target, infer('cached', floats([2])));
    return ask(target, infer('cached', floats([1])));
  }),
  counted('a sequence', ['sequence'], async (target) => {
    await ask(target, row('sequence', 2, { sequence_id: 1, sequence_start: true }));
    await wait(1000);
    return ask(target, row('sequence', 1, { sequence_id: 1, sequence_end: true }));
  }),
  counted(
    'an ensemble',
    ['chain', 'part', 'last'],
    asks(infer('chain', floats([2])), 100, infer('chain', floats([1]))),
  ),
  counted('a model that calls', ['calls', 'called'], asks(infer('calls', floats([2])))),
  counted('several responses', ['plays'], streamed('plays', [2, 1, -1, 2])),
  counted(
    'an ensemble of several responses',
    ['played', 'part_plays', 'part_end'],
    streamed('played', [2, 2]),
  ),
];

interface Part {
  readonly id: number;
  readonly model_name?: string;
  readonly timestamps?: readonly { readonly name: string; readonly ns: number }[];
}
/**
 * Of each trace of a file: the times behind the first request's start. Since when the server has waited for a call
 * of gRPC hangs on the calls before.
 */
function timesOf(text: string): unknown {
  const parts = JSON.parse(text) as readonly Part[];
  const found = new Map<number, { model?: string; times: { name: string; ns: number }[] }>();
  for (const { id, model_name: model, timestamps = [] } of parts) {
    const one = found.get(id) ?? { times: [] };
    found.set(id, {
      ...one,
      ...(model === undefined ? {} : { model }),
      times: [...one.times, ...timestamps],
    });
  }
  const start = Math.min(
    ...[...found.values()].flatMap(({ times }) =>
      times.filter(({ name }) => name === 'REQUEST_START').map(({ ns }) => ns),
    ),
  );
  return [...found.values()]
    .map(({ model, times }) => ({
      model,
      times: times
        .filter(({ name }) => name !== 'GRPC_WAITREAD_START')
        .map(({ name, ns }) => `${name} ${seconds(ns - start, 1e9)}`)
        .sort(),
    }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
const traced = (name: string, act: (target: Target) => Promise<unknown>): ReferenceCase => ({
  name: `amounts in traces of ${name}`,
  run: async (target) => {
    const base = `${path.basename(target.folders[0] ?? '')}-amounts.json`;
    const folder = path.join(target.folders[0] ?? '', '..');
    const set = (body: object): Promise<unknown> => ask(target, post('/v2/trace/setting', body));
    await set({ trace_rate: '1', trace_count: '-1', log_frequency: '1', trace_level: ['TIMESTAMPS'] });
    await act(target);
    await wait(300);
    await set({ trace_level: ['OFF'] });
    await wait(300);
    const names = (await readdir(folder)).filter((one) => one.startsWith(base));
    const texts = await Promise.all(names.map((one) => readFile(path.join(folder, one), 'utf8')));
    await Promise.all(names.map((one) => rm(path.join(folder, one))));
    return texts
      .map((text) => timesOf(text))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  },
});
const TRACES: readonly ReferenceCase[] = [
  traced('two behind each other', asks(infer('traced', floats([2])), 100, infer('traced', floats([1])))),
  traced('a batch', asks(row('batch', 2), 100, row('batch', 1))),
  traced('an error response', asks(infer('traced', floats([-2])))),
  traced('a hit', async (target) => {
    await ask(target, infer('cached', floats([2.25])));
    return ask(target, infer('cached', floats([2.25])));
  }),
  traced('an ensemble', asks(infer('chain', floats([2])))),
  traced('several responses', streamed('plays', [2, 1])),
];

export const AMOUNT_SCENE: Scene = {
  name: 'amounts of time',
  repositories: sameFor(files),
  args: [
    '--model-control-mode=explicit',
    '--load-model=*',
    '--cache-config=local,size=1048576',
    '--metrics-config=summary_latencies=true',
    '--metrics-config=histogram_latencies=true',
  ],
  argsOf: (_, [folder = '']) => [
    `--trace-config=triton,file=${path.join(folder, '..', `${path.basename(folder)}-amounts.json`)}`,
  ],
  cases: [...CASES, ...TRACES],
};
