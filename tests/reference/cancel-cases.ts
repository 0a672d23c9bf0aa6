// Requests that clients give up while they run or wait, over HTTP and gRPC: what the others get, and what is counted.

import { Client, credentials } from '@grpc/grpc-js';
import net from 'node:net';
import { serviceMethods } from '../../src-main/grpc-wire/messages.ts';
import { exchange } from './exchange.ts';
import { connected } from './give-up.ts';
import { get } from './http-calls.ts';
import { ask, infer, load, unload, wait } from './life-calls.ts';
import { pythonFiles } from './python-models.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

/** Sleeps as many tenths of a second as its value says; below zero it looks for a cancellation meanwhile. */
const SLEEPER = `class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            value = float(first(request).reshape(-1)[0])
            end = time.time() + abs(value) / 10
            is_cancelled = False
            while time.time() < end and not is_cancelled:
                time.sleep(0.02)
                is_cancelled = value < 0 and request.is_cancelled()
            if is_cancelled:
                stopped = pb_utils.TritonError("stopped", pb_utils.TritonError.CANCELLED)
                responses.append(pb_utils.InferenceResponse(error=stopped))
            else:
                responses.append(pb_utils.InferenceResponse([pb_utils.Tensor("OUTPUT0", first(request))]))
        return responses
`;
const config = (more: string): string => `max_batch_size: 1
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
instance_group [ { kind: KIND_CPU } ]
${more}`;
/** Each case has a model of its own, so that its counts are its own. */
const MODELS: Readonly<Record<string, string>> = {
  plain: config(''),
  batched: config('dynamic_batching {}'),
  looking: config(''),
  late: config(''),
  middle: config('sequence_batching { max_sequence_idle_microseconds: 60000000 }'),
  backlog: config('sequence_batching { max_sequence_idle_microseconds: 60000000 }'),
  overdue: config('sequence_batching { max_sequence_idle_microseconds: 60000000 }'),
};

const tensor = (value: number): object => ({
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], data: [value] }],
});

/** Sends a request over HTTP and closes the connection after some time. */
function givenUp(port: number, model: string, value: number, afterMs: number): Promise<void> {
  const body = JSON.stringify(tensor(value));
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /v2/models/${model}/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      setTimeout(() => socket.destroy(), afterMs);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

interface Flags {
  readonly id?: number;
  readonly isStart?: boolean;
  readonly isEnd?: boolean;
  readonly timeout?: number;
}
interface Running {
  readonly answer: Promise<unknown>;
  cancel(): void;
}

/** One call over gRPC, once it has left. `deadlineMs` is the client's own. */
async function call(
  port: number,
  model: string,
  value: number,
  flags: Flags = {},
  deadlineMs = 20_000,
): Promise<Running> {
  const method = serviceMethods('inference.GRPCInferenceService').get('ModelInfer');
  if (method === undefined) throw new Error('no call');
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  await connected(client);
  let cancel = (): void => undefined;
  const message = {
    model_name: model,
    inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 1], contents: { fp32_contents: [value] } }],
    parameters: {
      ...(flags.id === undefined ? {} : { sequence_id: { int64_param: flags.id } }),
      ...(flags.isStart === true ? { sequence_start: { bool_param: true } } : {}),
      ...(flags.isEnd === true ? { sequence_end: { bool_param: true } } : {}),
      ...(flags.timeout === undefined ? {} : { timeout: { int64_param: flags.timeout } }),
    },
  };
  const answer = new Promise((resolve) => {
    const deadline = Date.now() + deadlineMs;
    const sent = client.makeUnaryRequest(
      method.path,
      method.request.encode,
      method.response.decode,
      message,
      { deadline },
      (error) => {
        client.close();
        // A call that its client ended has a text of the client's own.
        const isOwn = error !== null && [1, 4].includes(error.code);
        resolve(error === null ? 'answered' : [error.code, isOwn ? '' : error.details]);
      },
    );
    cancel = () => sent.cancel();
  });
  return { answer, cancel };
}

const answered = async (...of: Parameters<typeof call>): Promise<unknown> => (await call(...of)).answer;

async function counts(target: Target, model: string): Promise<unknown> {
  const stats = await exchange(target.httpPort, get(`/v2/models/${model}/stats`));
  const metrics = await exchange(target.metricsPort, get('/metrics'));
  const failures = [...metrics.body.matchAll(/nv_inference_request_failure\{([^}]*)\} (\d+)/g)]
    .filter(([, labels = '', count]) => labels.includes(`"${model}"`) && count !== '0')
    .map(([, labels = '', count]) => `${/reason="(\w+)"/.exec(labels)?.[1]} ${count}`);
  const [found] = (
    JSON.parse(stats.body) as {
      model_stats: { inference_count: number; inference_stats: Record<string, { count: number }> }[];
    }
  ).model_stats;
  const { success, fail } = found?.inference_stats ?? {};
  return { inferences: found?.inference_count, success: success?.count, fail: fail?.count, failures };
}

const scenario = (
  model: string,
  title: string,
  play: (target: Target) => Promise<unknown>,
): ReferenceCase => ({
  name: `given up: ${title}`,
  run: async (target) => {
    await ask(target, load(model));
    const seen = await play(target);
    await wait(400);
    const counted = await counts(target, model);
    await ask(target, unload(model));
    return [
      { step: 'answers', seen },
      { step: 'counts', counted },
    ];
  },
});

const CASES: readonly ReferenceCase[] = [
  scenario('plain', 'a running one, over HTTP', async (target) => {
    await givenUp(target.httpPort, 'plain', 6, 200);
    await wait(600);
    return ask(target, infer('plain', tensor(0)));
  }),
  scenario('batched', 'a running one before others, over HTTP', async (target) => {
    const gone = givenUp(target.httpPort, 'batched', 6, 200);
    await wait(100);
    const others = [1, 1].map((value) => ask(target, infer('batched', tensor(value))));
    await gone;
    return Promise.all(others);
  }),
  scenario('looking', 'a model that looks for it', async ({ grpcPort }) => {
    const one = await call(grpcPort, 'looking', -9);
    await wait(300);
    one.cancel();
    const answer = await one.answer;
    await wait(900);
    return [answer, await answered(grpcPort, 'looking', 0)];
  }),
  scenario('late', 'a deadline of the client', async ({ grpcPort }) => {
    const answer = await answered(grpcPort, 'late', -9, {}, 300);
    await wait(1000);
    return [answer, await answered(grpcPort, 'late', 0)];
  }),
  scenario('middle', 'a request in the middle of a sequence', async ({ grpcPort }) => {
    const send = (value: number, flags: Flags): Promise<Running> =>
      call(grpcPort, 'middle', value, { id: 5, ...flags });
    const first = await send(6, { isStart: true });
    await wait(150);
    const second = await send(1, {});
    await wait(80);
    const third = await send(1, {});
    await wait(80);
    second.cancel();
    const answers = await Promise.all([first, second, third].map(({ answer }) => answer));
    await wait(300);
    answers.push(await (await send(1, {})).answer);
    answers.push(await (await send(1, { isStart: true, isEnd: true })).answer);
    return answers;
  }),
  scenario('backlog', 'a sequence that waits for a place', async ({ grpcPort }) => {
    const send = (id: number, flags: Flags): Promise<Running> =>
      call(grpcPort, 'backlog', 1, { id, ...flags });
    const started = await send(6, { isStart: true });
    await started.answer;
    const waiting = await send(7, { isStart: true });
    await wait(80);
    const behind = await send(7, { isEnd: true });
    await wait(80);
    const next = await send(8, { isStart: true, isEnd: true });
    await wait(80);
    waiting.cancel();
    await wait(300);
    const end = await send(6, { isEnd: true });
    return Promise.all([waiting, behind, next, end].map(({ answer }) => answer));
  }),
  scenario('overdue', 'a timeout of a sequence that waits for a place', async ({ grpcPort }) => {
    const send = (id: number, flags: Flags): Promise<Running> =>
      call(grpcPort, 'overdue', 1, { id, ...flags });
    await (
      await send(16, { isStart: true })
    ).answer;
    const overdue = await (await send(17, { isStart: true, timeout: 200_000 })).answer;
    const later = await (await send(17, {})).answer;
    return [overdue, later, await (await send(16, { isEnd: true })).answer];
  }),
];

export const CANCEL_SCENE: Scene = {
  name: 'given up',
  repositories: sameFor(
    Object.assign({}, ...Object.entries(MODELS).map(([name, text]) => pythonFiles(name, SLEEPER, text))),
  ),
  args: ['--model-control-mode=explicit'],
  atOnce: 4,
  cases: CASES,
};
