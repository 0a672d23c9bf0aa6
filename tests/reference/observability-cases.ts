// Statistics and metrics after known traffic: counts and shapes must agree, times are blanked.

import { exchange } from './exchange.ts';
import { wait } from './life-calls.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';

const post = (path: string, body: object): WireCase => ({
  name: path,
  method: 'POST',
  path,
  body: JSON.stringify(body),
});
const get = (path: string): WireCase => ({ name: path, method: 'GET', path });
const SETTLE_MS = 100;

function ints(shape: readonly number[]): object {
  const count = shape.reduce((product, dim) => product * dim, 1);
  return { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape, data: Array<number>(count).fill(1) }] };
}

async function send(port: number, model: string, bodies: readonly object[]): Promise<void> {
  for (const body of bodies) await exchange(port, post(`/v2/models/${model}/infer`, body));
}

/** Durations and times as "#": present, not compared. */
function blankTimes(text: string): string {
  return text.replace(/"(ns|last_inference)":\d+/g, (_, key: string) => `"${key}":"#"`);
}

function statistics(model: string, bodies: readonly object[]): ReferenceCase {
  return {
    name: `HTTP statistics of ${model} after ${bodies.length} requests`,
    run: async ({ httpPort }: Target) => {
      await send(httpPort, model, bodies);
      // An answer can be there before it is counted.
      for (let last = ''; ;) {
        const { body, ...rest } = await exchange(httpPort, get(`/v2/models/${model}/stats`));
        if (body === last) return { ...rest, body: blankTimes(body) };
        last = body;
        await wait(SETTLE_MS);
      }
    },
  };
}

/** Whose statistics come one after the other, after one model was loaded anew. */
const ALL_MODELS: ReferenceCase = {
  name: 'HTTP statistics of all models, in order',
  run: async ({ httpPort }: Target) => {
    await exchange(httpPort, post('/v2/repository/models/echo_bool/load', {}));
    const { status, body } = await exchange(httpPort, get('/v2/models/stats'));
    const { model_stats } = JSON.parse(body) as { model_stats: { name: string; version: string }[] };
    return { status, models: model_stats.map(({ name, version }) => `${name} ${version}`) };
  },
};

interface Sample {
  readonly labels: string;
  readonly value: string;
}

/** Samples of the model's inference families; times blanked, the order of series free. */
export function samplesOf(text: string, model: string): Readonly<Record<string, readonly Sample[]>> {
  const families: Record<string, Sample[]> = {};
  for (const line of text.split('\n')) {
    const parts = /^(nv_\w+)\{([^}]*)\} (\S+)$/.exec(line);
    const [, name = '', labels = '', value = ''] = parts ?? [];
    // Newer servers also tell how long a load took.
    if (!labels.includes(`model="${model}"`) || name === 'nv_model_load_duration_secs') continue;
    const isTime = /duration|_secs|_us/.test(name);
    (families[name] ??= []).push({ labels, value: isTime ? '#' : value });
  }
  for (const samples of Object.values(families)) samples.sort((a, b) => (a.labels < b.labels ? -1 : 1));
  return Object.fromEntries(Object.entries(families).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function metrics(model: string): ReferenceCase {
  return {
    name: `metrics of ${model}`,
    run: async ({ metricsPort }) => samplesOf((await exchange(metricsPort, get('/metrics'))).body, model),
  };
}

const families: ReferenceCase = {
  name: 'metrics: families of the reference with help and type',
  run: async ({ metricsPort }) => {
    const { body } = await exchange(metricsPort, get('/metrics'));
    const heads = body.split('\n').flatMap((line) => {
      const [, kind, family, text] = SHARED_FAMILIES.exec(line) ?? [];
      return family === undefined ? [] : [[`${kind} ${family}`, text] as const];
    });
    return Object.fromEntries(heads);
  },
};

/** Families of our own, of newer servers and of parts the reference was built without are no difference. */
const SHARED_FAMILIES =
  /^# (HELP|TYPE) (nv_(?:inference_(?:request|count|exec|queue|compute|pending)|cpu|pinned|cache_num|cache_hit_duration|cache_miss_duration)\S*) (.*)$/;

const paths: ReferenceCase = {
  name: 'metrics: paths and methods',
  run: async ({ metricsPort }) => {
    const answers: unknown[] = [];
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['GET', '/'],
      ['GET', '/metrics/'],
      ['POST', '/metrics'],
    ] as const) {
      const { body, ...rest } = await exchange(metricsPort, { name: path, method, path });
      answers.push({ path, ...rest, isEmpty: body === '' });
    }
    return answers;
  },
};

export const OBSERVABILITY_CASES: readonly ReferenceCase[] = [
  ALL_MODELS,
  statistics('counted', [ints([1, 2]), ints([1, 2]), ints([3, 2]), ints([9, 2])]),
  statistics('fails', [ints([1]), ints([1])]),
  statistics('cached', [ints([3]), ints([3]), ints([4])]),
  statistics('chain', [ints([2])]),
  metrics('counted'),
  metrics('fails'),
  metrics('cached'),
  metrics('queue'),
  families,
  paths,
];
