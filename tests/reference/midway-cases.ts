// What is changed while a request is under way: settings of traces, regions of shared memory and what lies in them, models
// that are unloaded behind a trace or a stream of events, clients that leave.

import http from 'node:http';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { countsOf } from './flow-counts.ts';
import { hangUpAfter } from './give-up.ts';
import { grpcCall } from './grpc-exchange.ts';
import { get, post } from './http-calls.ts';
import { ask, floats, infer, load, unload, wait } from './life-calls.ts';
import { hideVolatile } from './normalise.ts';
import { answering, ONE_TO_ONE, playing, pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import { ensemble, step } from './span-cases.ts';
import { traced } from './trace-cases.ts';
import type { WireCase } from './wire-cases.ts';

/** Takes two seconds, and answers what its input holds at the end of them. */
const SLEEPS = answering(`time.sleep(2)
response = pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request) + 1)])`);
const PLAYS = playing('if request.is_cancelled():\n    break');
const CPU = `${ONE_TO_ONE}\ninstance_group [ { kind: KIND_CPU } ]`;
const files: RepositoryFiles = {
  ...pythonFiles('sleeps', SLEEPS, CPU),
  ...pythonFiles('other', SLEEPS, CPU),
  ...pythonFiles('goes', SLEEPS, CPU),
  ...pythonFiles('plays', PLAYS, `${CPU}\nmodel_transaction_policy { decoupled: true }`),
  ...pythonFiles('left', PLAYS, `${CPU}\nmodel_transaction_policy { decoupled: true }`),
  ...ensemble('chain', step('sleeps', 'INPUT0', 'x'), step('other', 'x', 'OUTPUT0')),
};

const ON = { trace_level: ['TIMESTAMPS'] };
const hidden = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/\\"trace_file\\":\\"[^"]*\\"/g, '\\"trace_file\\":\\"#\\"'));
const setting = async (target: Target, body: object, model?: string): Promise<unknown> =>
  hidden(await ask(target, post(`/v2${model === undefined ? '' : `/models/${model}`}/trace/setting`, body)));
/** Changes come 0.7 s after the requests were sent, one after another. */
const changing =
  (calls: readonly WireCase[], ...changes: readonly ((target: Target) => Promise<unknown>)[]) =>
  async (target: Target): Promise<unknown> => {
    const running = calls.map((call) => ask(target, call));
    const answers: unknown[] = [];
    for (const change of changes) {
      await wait(700);
      answers.push(await change(target));
    }
    return [...(await Promise.all(running)), ...answers];
  };
const set =
  (body: object, model?: string) =>
  (target: Target): Promise<unknown> =>
    setting(target, body, model);
const asking =
  (call: WireCase) =>
  (target: Target): Promise<unknown> =>
    ask(target, call);
const one = infer('sleeps', floats([1]));

const TRACES: readonly ReferenceCase[] = [
  traced('a request while they are switched off', ON, changing([one], set({ trace_level: ['OFF'] }))),
  traced('a request while they are switched on', { trace_level: ['OFF'] }, changing([one], set(ON))),
  traced('a request while tensors are added', ON, changing([one], set({ trace_level: ['TENSORS'] }))),
  traced('a request while the rate changes', ON, changing([one], set({ trace_rate: '1000' }))),
  traced(
    'a request while the frequency changes',
    { ...ON, log_frequency: '3' },
    changing([one], set({ log_frequency: '1' }), asking(infer('other', floats([1])))),
  ),
  traced(
    'two requests and a count that changes',
    { ...ON, trace_count: '1' },
    changing([one], set({ trace_count: '2' }), asking(infer('other', floats([1])))),
  ),
  traced('a request while its model gets settings of its own', ON, async (target) => [
    await changing(
      [one],
      set({ trace_level: ['OFF'] }, 'sleeps'),
      asking(get('/v2/models/sleeps/trace/setting')),
    )(target).then(hidden),
    await setting(target, { trace_level: null }, 'sleeps'),
  ]),
  traced('a request while its model is unloaded', ON, async (target) => [
    await changing([infer('goes', floats([1]))], asking(unload('goes')))(target),
    await ask(target, load('goes')),
  ]),
  traced('an ensemble while its step is unloaded', ON, async (target) => [
    await changing([infer('chain', floats([1]))], asking(unload('other')))(target),
    await wait(1000),
    await ask(target, load('other')),
    await ask(target, get('/v2/models/chain/ready')),
  ]),
  traced('an ensemble while its step is switched off', ON, async (target) => [
    await changing([infer('chain', floats([1]))], set({ trace_level: ['OFF'] }, 'other'))(target),
    await setting(target, { trace_level: null }, 'other'),
  ]),
];

interface Region {
  readonly name: string;
  readonly key: string;
  readonly file: string;
}
/** Two objects of a page each, all ones and all twos. */
const regions = (
  name: string,
  act: (target: Target, a: Region, b: Region) => Promise<readonly unknown[]>,
): ReferenceCase => ({
  name: `shared memory midway: ${name}`,
  run: async (target) => {
    const made = await Promise.all(
      [1, 2].map(async (value): Promise<Region> => {
        const key = `conch-midway-${target.side}-${target.pid}-${value}`;
        const file = path.join('/dev/shm', key);
        await writeFile(file, Buffer.from(new Float32Array(1024).fill(value).buffer));
        return { name: `r${value}`, key, file };
      }),
    );
    const [a, b] = made;
    if (a === undefined || b === undefined) throw new Error('no regions');
    try {
      const answers = await act(target, a, b);
      await wait(300);
      const left = await ask(target, get('/v2/systemsharedmemory/status'));
      await ask(target, post('/v2/systemsharedmemory/unregister'));
      const held = await Promise.all(
        made.map(async ({ file }) => [
          ...new Float32Array((await readFile(file)).buffer.slice(0, 64)).values(),
        ]),
      );
      const text = JSON.stringify({ answers, left, held });
      return JSON.parse(text.replaceAll(/conch-midway-\w+-\d+-/g, 'key-')) as unknown;
    } finally {
      await Promise.all(made.map(({ file }) => rm(file)));
    }
  },
});
const register = ({ name, key }: Region, more: object = {}): WireCase =>
  post(`/v2/systemsharedmemory/region/${name}/register`, { key: `/${key}`, byte_size: 4096, ...more });
const forget = ({ name }: Region): WireCase => post(`/v2/systemsharedmemory/region/${name}/unregister`);
const status = ({ name }: Region): WireCase => get(`/v2/systemsharedmemory/region/${name}/status`);
const at = ({ name }: Region, offset: number): object => ({
  shared_memory_region: name,
  shared_memory_byte_size: 8,
  shared_memory_offset: offset,
});
const shared = (input: object, output?: object): WireCase =>
  infer('sleeps', {
    inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2], parameters: input }],
    ...(output === undefined ? {} : { outputs: [{ name: 'OUTPUT0', parameters: output }] }),
  });
const ALL = post('/v2/systemsharedmemory/unregister');

const REGIONS: readonly ReferenceCase[] = [
  regions('an input that is forgotten', async (target, a) => [
    await ask(target, register(a)),
    await changing([shared(at(a, 0))], asking(forget(a)), asking(status(a)))(target),
    await ask(target, status(a)),
  ]),
  regions('an output that is forgotten', async (target, a, b) => [
    await ask(target, register(a)),
    await ask(target, register(b)),
    await changing([shared(at(a, 0), at(b, 16))], asking(forget(b)), asking(register(b)))(target),
    await ask(target, register(b)),
  ]),
  regions('all forgotten', async (target, a, b) => [
    await ask(target, register(a)),
    await ask(target, register(b)),
    await changing(
      [shared(at(a, 0), at(a, 16))],
      asking(ALL),
      asking(get('/v2/systemsharedmemory/status')),
    )(target),
    await ask(target, shared(at(a, 0))),
  ]),
  regions('forgotten twice, and asked for in between', async (target, a) => [
    await ask(target, register(a)),
    await changing(
      [shared(at(a, 0))],
      asking(forget(a)),
      asking(shared(at(a, 8))),
      asking(forget(a)),
    )(target),
    await ask(target, status(a)),
  ]),
  regions('what waits behind it', async (target, a, b) => [
    await ask(target, register(a)),
    await ask(target, register(b)),
    await changing(
      [shared(at(b, 0)), shared(at(a, 0), at(b, 24))],
      asking(forget(a)),
      asking(forget(b)),
    )(target),
  ]),
  regions('values that change while it waits', async (target, a) => [
    await ask(target, register(a)),
    await changing([infer('sleeps', floats([5, 5])), shared(at(a, 0))], () =>
      writeFile(a.file, Buffer.from(new Float32Array(1024).fill(9).buffer), { flag: 'r+' }),
    )(target),
  ]),
  regions('over gRPC', async (target, a) => [
    await ask(target, register(a)),
    ...(await Promise.all([
      grpcCall(target.grpcPort, 'ModelInfer', {
        model_name: 'sleeps',
        inputs: [
          {
            name: 'INPUT0',
            datatype: 'FP32',
            shape: [2],
            parameters: {
              shared_memory_region: { string_param: a.name },
              shared_memory_byte_size: { int64_param: 8 },
            },
          },
        ],
      }),
      wait(700).then(() => grpcCall(target.grpcPort, 'SystemSharedMemoryUnregister', { name: a.name })),
      wait(1000).then(() => grpcCall(target.grpcPort, 'SystemSharedMemoryStatus', {})),
    ])),
  ]),
];

/** A stream of events that the client leaves after so many milliseconds, or reads to its end. */
function events(target: Target, model: string, leaves?: number): Promise<unknown> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const told = (end: string): void =>
      resolve([end, hideVolatile(Buffer.concat(chunks).toString(), target)]);
    const request = http.request(
      {
        host: '127.0.0.1',
        port: target.httpPort,
        method: 'POST',
        path: `/v2/models/${model}/generate_stream`,
        agent: false,
      },
      (response) => {
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => told(String(response.statusCode)));
        response.on('error', () => told('cut off'));
      },
    );
    request.on('error', () => told('cut off'));
    request.end('{"INPUT0":[1]}');
    if (leaves !== undefined) hangUpAfter(request, leaves);
  });
}

const EVENTS: readonly ReferenceCase[] = [
  {
    name: 'events midway: the model is unloaded',
    run: async (target) => {
      const running = events(target, 'plays');
      await wait(1200);
      const answers = [await ask(target, unload('plays')), await events(target, 'plays'), await running];
      await wait(2000);
      return [...answers, ...(await countsOf(target, ['plays'])), await ask(target, load('plays'))];
    },
  },
  {
    name: 'events midway: the client leaves',
    run: async (target) => {
      const answer = await events(target, 'left', 1200);
      await wait(4000);
      return [answer, await events(target, 'left'), ...(await countsOf(target, ['left']))];
    },
  },
];

export const MIDWAY_SCENE: Scene = {
  name: 'changes midway',
  repositories: sameFor(files),
  args: ['--model-control-mode=explicit', '--load-model=*'],
  argsOf: (_, [folder = '']) => [
    `--trace-config=triton,file=${path.join(folder, '..', `${path.basename(folder)}-trace.json`)}`,
  ],
  cases: [...REGIONS, ...EVENTS, ...TRACES],
};
