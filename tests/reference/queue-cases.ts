// Queues of models under bursts: priorities and their policies, both actions of a timeout, timeouts of requests, delays
// for larger batches, several instances and the order of answers. Each answer tells in which execution it was, and of
// how many requests and rows that was; times are not looked at.

import { exchange } from './exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, load, unload, wait } from './life-calls.ts';
import { ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';

const GAP_MS = 60;

/** Sleeps as many tenths of a second as the first value says; answers execution, requests and rows. */
const RECORDER = `class TritonPythonModel:
    def initialize(self, args):
        self.runs = 0

    def execute(self, requests):
        self.runs += 1
        rows = sum(first(request).shape[0] for request in requests)
        time.sleep(float(max(np.max(first(request)) for request in requests)) / 10)
        responses = []
        for request in requests:
            told = np.full(first(request).shape, self.runs * 10000 + len(requests) * 100 + rows, np.float32)
            responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", told)]))
        return responses
`;

interface Send {
  readonly rows?: number;
  readonly width?: number;
  /** Tenths of a second that its execution takes at least; default 4. */
  readonly takes?: number;
  readonly parameters?: Readonly<Record<string, number | boolean | string>>;
  /** Waited for before it is sent, beside the gap. */
  readonly after?: number;
}

interface Queue {
  readonly config: string;
  readonly sends: readonly Send[];
}

const policy = (text: string): string => `default_queue_policy { ${text} }`;
const levels = (more = ''): string => `priority_levels: 3 default_priority_level: 2 ${more}`;
const of = (key: number, text: string): string => `priority_queue_policy { key: ${key} value { ${text} } }`;
const batching = (more: string, size = 1, instances = 1): string =>
  `${ONE_TO_ONE}\nmax_batch_size: ${size}\ninstance_group [ { kind: KIND_CPU count: ${instances} } ]\ndynamic_batching { ${more} }`;
const level = (priority: number | string, more: Send = {}): Send => ({ ...more, parameters: { priority } });
const timed = (timeout: number | string, more: Send = {}): Send => ({ ...more, parameters: { timeout } });
const times = (count: number, send: Send = {}): readonly Send[] => Array.from({ length: count }, () => send);
const PLUG: Send = { takes: 8 };

const QUEUES: Readonly<Record<string, Queue>> = {
  priorities: {
    config: batching(levels()),
    sends: [PLUG, level(3), level(2), level(1), level(0), {}, level(3), level(1)],
  },
  'priorities in batches': {
    config: batching(levels(), 4),
    sends: [PLUG, level(3), level(2), level(1), level(3), level(1, { rows: 2 }), level(2)],
  },
  'priorities of odd values': {
    config: batching(levels()),
    sends: [
      level(4, { takes: 0 }),
      level(-1, { takes: 0 }),
      level('2', { takes: 0 }),
      level('x', { takes: 0 }),
      { takes: 0, parameters: { priority: true } },
      { takes: 0, parameters: { priority: 1.5 } },
      timed(-1, { takes: 0 }),
      timed('7', { takes: 0 }),
      timed(1.5, { takes: 0 }),
      timed('x', { takes: 0 }),
    ],
  },
  'a priority without levels': {
    config: batching(''),
    sends: [level(1, { takes: 0 }), level(9, { takes: 0 })],
  },
  'full levels': {
    config: batching(levels(`${of(1, 'max_queue_size: 1')} ${of(3, 'max_queue_size: 2')}`)),
    sends: [PLUG, ...[1, 1, 3, 3, 3, 2, 2, 2].map((one) => level(one, { takes: 1 }))],
  },
  'levels by default policy': {
    config: batching(levels(`${policy('max_queue_size: 1')} ${of(3, '')}`)),
    sends: [PLUG, ...[1, 1, 2, 2, 3, 3, 3].map((one) => level(one, { takes: 1 }))],
  },
  'late ones wait behind the others': {
    config: batching(policy('timeout_action: DELAY default_timeout_microseconds: 300000')),
    sends: [PLUG, ...times(3, { takes: 2 }), { takes: 1, after: 400 }, { takes: 1 }],
  },
  'late ones of levels wait behind the others': {
    config: batching(levels(of(1, 'timeout_action: DELAY default_timeout_microseconds: 200000'))),
    sends: [
      PLUG,
      level(1, { takes: 2 }),
      level(1, { takes: 2 }),
      level(2, { takes: 2 }),
      level(3, { takes: 2 }),
    ],
  },
  'delayed ones fill batches': {
    config: batching(policy('timeout_action: DELAY default_timeout_microseconds: 200000'), 4),
    sends: [PLUG, ...times(3, { takes: 1 }), { takes: 1, after: 450 }, { takes: 1 }],
  },
  'late ones are refused in levels': {
    config: batching(levels(of(2, 'default_timeout_microseconds: 200000'))),
    sends: [PLUG, level(1), level(2), level(2), level(3)],
  },
  'timeouts of requests': {
    config: batching(policy('allow_timeout_override: true default_timeout_microseconds: 20000000')),
    sends: [PLUG, timed(100_000), timed(0), timed(30_000_000), {}, timed(200_000)],
  },
  'timeouts of requests that may not': {
    config: batching(policy('default_timeout_microseconds: 20000000')),
    sends: [PLUG, timed(100_000), timed(0), {}],
  },
  'timeouts of requests without a default': {
    config: batching(policy('allow_timeout_override: true')),
    sends: [PLUG, timed(100_000), timed(0), {}],
  },
  'timeouts of requests, delayed': {
    config: batching(policy('allow_timeout_override: true timeout_action: DELAY'), 2),
    sends: [PLUG, timed(100_000), timed(100_000), {}, {}, timed(5_000_000)],
  },
  'a full queue of late ones': {
    config: batching(policy('timeout_action: DELAY default_timeout_microseconds: 100000 max_queue_size: 2')),
    sends: [PLUG, ...times(4, { takes: 1 }), { takes: 1, after: 300 }, { takes: 1 }],
  },
  'a delay that fills a batch': {
    config: batching('max_queue_delay_microseconds: 700000', 4),
    sends: times(6, { takes: 1 }),
  },
  'a delay that ends': {
    config: batching('max_queue_delay_microseconds: 300000', 8),
    sends: [...times(3, { takes: 1 }), { takes: 1, after: 800 }, { takes: 1 }],
  },
  'a delay and preferred sizes': {
    config: batching('max_queue_delay_microseconds: 500000 preferred_batch_size: [ 3, 6 ]', 8),
    sends: [...times(4, { takes: 1 }), { takes: 1, rows: 2 }, ...times(2, { takes: 1 })],
  },
  'preferred sizes that rows pass': {
    config: batching('max_queue_delay_microseconds: 500000 preferred_batch_size: [ 4 ]', 8),
    sends: [
      { rows: 3, takes: 1 },
      { rows: 3, takes: 1 },
      { rows: 1, takes: 1 },
      { rows: 8, takes: 1 },
      { rows: 1, takes: 1 },
    ],
  },
  'a preferred size behind a busy instance': {
    config: batching('preferred_batch_size: [ 2 ]', 8),
    sends: [PLUG, ...times(5, { takes: 1 })],
  },
  'a delay and other shapes': {
    config: batching('max_queue_delay_microseconds: 600000', 8),
    sends: [1, 1, 2, 1, 1].map((width) => ({ width, takes: 1 })),
  },
  'a delay and a timeout': {
    config: batching(
      `max_queue_delay_microseconds: 600000 ${policy('default_timeout_microseconds: 200000')}`,
      8,
    ),
    sends: times(3, { takes: 1 }),
  },
  'a delay and levels': {
    config: batching(levels('max_queue_delay_microseconds: 600000'), 3),
    sends: [3, 2, 1, 1, 1].map((one) => level(one, { takes: 1 })),
  },
  'two instances': {
    config: batching('', 2, 2),
    sends: [{ takes: 6 }, { takes: 8 }, ...times(4, { takes: 2 })],
  },
  'two instances that delay': {
    config: batching('max_queue_delay_microseconds: 300000', 2, 2),
    sends: times(5, { takes: 6 }),
  },
  'answers in order': {
    config: batching('preserve_ordering: true', 1, 2),
    sends: [{ takes: 8 }, { takes: 1 }, { takes: 1 }, { takes: 4 }, { takes: 1 }],
  },
  'answers in order in spite of failures': {
    config: batching(`preserve_ordering: true ${policy('default_timeout_microseconds: 200000')}`, 1, 2),
    sends: [{ takes: 8 }, { takes: 7 }, { takes: 1 }, { takes: 1 }],
  },
  'no batcher': {
    config: `${ONE_TO_ONE}\nmax_batch_size: 4\ninstance_group [ { kind: KIND_CPU count: 1 } ]`,
    sends: [PLUG, ...times(3, { takes: 1 }), timed(1, { takes: 1 }), level(1, { takes: 1 })],
  },
  'ragged requests': {
    config: batching('max_queue_delay_microseconds: 500000', 8).replace(
      'dims: [ -1 ] } ]',
      'dims: [ -1 ] allow_ragged_batch: true } ]',
    ),
    sends: [1, 2, 3].map((width) => ({ width, takes: 1 })),
  },
};

const titles = Object.keys(QUEUES);
const nameOf = (title: string): string => `q_${titles.indexOf(title)}`;
const models: RepositoryFiles = Object.assign(
  {},
  ...titles.map((title) => pythonFiles(nameOf(title), RECORDER, QUEUES[title]?.config)),
);

interface Counts {
  readonly inference_count: number;
  readonly execution_count: number;
  readonly inference_stats: Readonly<Record<string, { readonly count: number; readonly ns: number }>>;
  readonly batch_stats: readonly {
    readonly batch_size: number;
    readonly compute_infer: { readonly count: number };
  }[];
}

async function countsOf(target: Target, model: string): Promise<unknown> {
  const { body } = await exchange(target.httpPort, get(`/v2/models/${model}/stats`));
  const [found] = (JSON.parse(body) as { model_stats: Counts[] }).model_stats;
  if (found === undefined) return 'none';
  return {
    inferences: found.inference_count,
    executions: found.execution_count,
    batches: found.batch_stats.map(({ batch_size: size, compute_infer: { count } }) => [size, count]),
    of: Object.fromEntries(
      Object.entries(found.inference_stats).map(([name, { count, ns }]) => [name, [count, ns > 0]]),
    ),
  };
}

/** Execution, requests and rows out of an answer, or the error. */
function told([status, body]: [number, string]): unknown {
  const [, value = ''] = /"data":\[([0-9]+)/.exec(body) ?? [];
  if (status !== 200 || value === '') return [status, body];
  const code = Number(value);
  return { run: Math.floor(code / 10_000), requests: Math.floor(code / 100) % 100, rows: code % 100 };
}

const asked = (title: string): ReferenceCase => ({
  name: `queue: ${title}`,
  run: async (target) => {
    const model = nameOf(title);
    await ask(target, load(model));
    const ends: number[] = [];
    const running: Promise<unknown>[] = [];
    for (const [index, { rows = 1, width = 1, takes = 4, parameters = {}, after = 0 }] of (
      QUEUES[title]?.sends ?? []
    ).entries()) {
      await wait(GAP_MS + after);
      const data = Array<number>(rows * width).fill(takes);
      const inputs = [{ name: 'INPUT0', datatype: 'FP32', shape: [rows, width], data }];
      running.push(
        ask(target, post(`/v2/models/${model}/infer`, { parameters, inputs })).then((answer) => {
          ends.push(index);
          return told(answer as [number, string]);
        }),
      );
    }
    const answers = await Promise.all(running);
    await wait(200);
    const counts = await countsOf(target, model);
    await ask(target, unload(model));
    return [
      ...answers.map((answer, index) => ({ step: `request ${index}`, answer })),
      { step: 'order', ends: title.includes('in order') ? ends : [] },
      { step: 'counts', counts },
    ];
  },
});

export const QUEUE_SCENE: Scene = {
  name: 'queues',
  repositories: () => [models],
  args: ['--model-control-mode=explicit'],
  atOnce: 4,
  cases: titles.map(asked),
};
