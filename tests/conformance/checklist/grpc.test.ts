// Checklist: gRPC.

import { once } from 'node:events';
import http2 from 'node:http2';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { ServerError } from '../../../src-shared/errors.ts';
import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import { copyInputs, FakeBackend } from '../../../src-main/testing/fake-backend.ts';
import { checklist } from './checklist.ts';
import { DECOUPLED, echo, model } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { field, int32Bytes, int32Request } from './grpc-caller.ts';

let server: ChecklistServer;
const backend = new FakeBackend();
const held: InferenceRequest[] = [];
let arrived: () => void = () => undefined;
const nextHeld = async (): Promise<InferenceRequest> => {
  if (held.length === 0) await new Promise<void>((resolve) => (arrived = resolve));
  return held.shift() as InferenceRequest;
};
const finish = (request: InferenceRequest): void => {
  void request.respondOutputs(copyInputs(request), true);
  request.release();
};

const endCancelled = (request: InferenceRequest): void => {
  void request.respondError(new ServerError('CANCELLED', ''));
  request.release();
};

/**
 * A call whose request runs when its deadline passes. On a busy machine a short deadline passes before the server has
 * the request: then it is begun again with a longer one.
 */
async function heldAtDeadline<Call>(
  begin: (deadlineMs: number) => Call,
  ended: (call: Call) => Promise<unknown>,
): Promise<readonly [Call, InferenceRequest]> {
  for (let deadlineMs = 100; ; deadlineMs *= 3) {
    const call = begin(deadlineMs);
    const arrival = nextHeld();
    const request = await Promise.race([arrival, ended(call).then(() => undefined)]);
    if (request !== undefined) return [call, request];
    void arrival.then(endCancelled);
    // Answered on the same connection, hence after the server was told of the end of the call.
    await server.grpc.call('ServerLive', {});
  }
}

/** Keeps its instance busy until the test has released every request. */
const HELD = {
  execute: async ({ requests }: { readonly requests: readonly InferenceRequest[] }) => {
    const released = requests.map(
      (request) => new Promise<void>((resolve) => request.onRelease(() => resolve())),
    );
    held.push(...requests);
    arrived();
    await Promise.all(released);
  },
};

beforeAll(async () => {
  for (const name of ['held', 'held_stream', 'one_at_a_time']) backend.scripts.set(name, HELD);
  backend.scripts.set('failing', {
    compute: () => {
      throw new ServerError('UNSUPPORTED', 'cannot do that');
    },
  });
  server = await ChecklistServer.start(
    {
      ...echo('m', 'INT32', [-1]),
      ...echo('texts', 'BYTES', [-1]),
      ...echo('held', 'INT32', [1], { backend: 'fake' }),
      ...echo('held_stream', 'INT32', [1], { backend: 'fake', more: DECOUPLED }),
      ...echo('failing', 'INT32', [1], { backend: 'fake' }),
      ...echo('one_at_a_time', 'INT32', [1], {
        backend: 'fake',
        maxBatchSize: 1,
        more: 'dynamic_batching {}',
      }),
      ...model('repeat', {
        backend: 'repeat',
        inputs: [
          ['IN', 'INT32', [-1]],
          ['DELAY', 'UINT32', [-1]],
          ['WAIT', 'UINT32', [1]],
        ],
        outputs: [
          ['OUT', 'INT32', [1]],
          ['IDX', 'UINT32', [1]],
        ],
        more: DECOUPLED,
      }),
    },
    {},
    { backends: [backend] },
  );
});
afterAll(() => server.close());

const repeat = (values: readonly number[], change: object = {}) => ({
  model_name: 'repeat',
  inputs: [
    { name: 'IN', datatype: 'INT32', shape: [values.length] },
    { name: 'DELAY', datatype: 'UINT32', shape: [values.length] },
    { name: 'WAIT', datatype: 'UINT32', shape: [1] },
  ],
  raw_input_contents: [int32Bytes(...values), int32Bytes(...values.map(() => 0)), int32Bytes(0)],
  ...change,
});
const FINAL = 'triton_final_response';
const failureCount = async (name: string, reason: string): Promise<number> => {
  const start = `nv_inference_request_failure{model="${name}",reason="${reason}",version="1"} `;
  const line = (await server.metrics()).find((text) => text.startsWith(start));
  return Number(line?.slice(start.length));
};

checklist('gRPC', {
  'health Check is SERVING; Watch is not implemented': async () => {
    expect((await server.grpc.call('Check', { service: '' })).response).toEqual({ status: 'SERVING' });
    const session = http2.connect(`http://127.0.0.1:${server.engine.ports.grpc ?? 0}`);
    const watch = session.request({
      ':method': 'POST',
      ':path': '/grpc.health.v1.Health/Watch',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    watch.end(Buffer.alloc(5));
    watch.resume();
    const [headers] = (await once(watch, 'response')) as [Record<string, string>];
    expect(headers['grpc-status']).toBe('12');
    session.close();
  },
  'a restricted rpc without key; a stream is closed': async () => {
    await using restricted = await ChecklistServer.start(echo('m', 'INT32', [1]), {
      grpc: {
        restricted: [
          { categories: ['model-repository', 'health'], header: 'admin', value: 'secret' },
          { categories: ['inference'], header: 'infer', value: 'v' },
        ],
      },
    });
    const words = (key: string) =>
      `This protocol is restricted, expecting header 'triton-grpc-protocol-${key}'`;
    const metadata = { 'triton-grpc-protocol-admin': 'secret' };
    for (const rpc of ['RepositoryIndex', 'ServerLive', 'ModelReady', 'Check']) {
      expect(await restricted.grpc.call(rpc, {})).toMatchObject({ code: 14, details: words('admin') });
    }
    expect((await restricted.grpc.call('RepositoryIndex', {}, { metadata })).code).toBe(0);
    expect((await restricted.grpc.call('ServerMetadata', {})).code).toBe(0);
    expect(await restricted.grpc.call('ModelInfer', int32Request('m', [1]))).toMatchObject({
      code: 14,
      details: words('infer'),
    });
    const stream = restricted.grpc.stream();
    stream.send(int32Request('m', [1]));
    expect(await stream.status).toEqual({ code: 14, details: words('infer') });
    const allowed = { metadata: { 'triton-grpc-protocol-infer': 'v' } };
    expect((await restricted.grpc.streamAll([int32Request('m', [1])], allowed)).values).toEqual([1]);
  },
  'a stream error with and without `triton_grpc_error`': async () => {
    const requests = [int32Request('failing', [1], { id: 'f' }), int32Request('m', [2])];
    const plain = await server.grpc.streamAll(requests);
    expect(plain.messages.map(({ error_message: message }) => message)).toEqual(['cannot do that', '']);
    expect(plain.messages[0]?.infer_response).toMatchObject({ id: 'f', model_name: 'failing' });
    expect((await plain.status).code).toBe(0);
    const strict = server.grpc.stream({ metadata: { triton_grpc_error: 'true' } });
    strict.send(int32Request('failing', [1]));
    expect(await strict.status).toEqual({ code: 12, details: 'cannot do that' });
    const before = await server.grpc.streamAll([int32Request('nowhere', [1]), int32Request('m', [3])], {
      metadata: { triton_grpc_error: 'true' },
    });
    expect(before.messages[0]?.error_message).toBe("Request for unknown model: 'nowhere' is not found");
    expect([before.values, (await before.status).code]).toEqual([[3], 0]);
  },
  '10 million bytes_contents elements': async () => {
    const count = 10_000_000;
    // Encoded by hand: the general encoder takes half a minute for so many elements.
    const elements = Buffer.alloc(3 * count, field(8, Buffer.from('a')));
    const message = Buffer.concat([
      field(1, Buffer.from('texts')),
      field(
        5,
        Buffer.concat([
          field(1, Buffer.from('INPUT0')),
          field(2, Buffer.from('BYTES')),
          // 10000000 as a varint.
          field(3, Buffer.of(0x80, 0xad, 0xe2, 0x04)),
          field(5, elements),
        ]),
      ),
    ]);
    const { code, response } = await server.grpc.call('ModelInfer', message);
    const [raw] = (response?.['raw_output_contents'] ?? []) as Buffer[];
    expect([code, raw?.length]).toEqual([0, count * 5]);
    expect(raw?.subarray(-5).equals(Buffer.from('\x01\0\0\0a', 'latin1'))).toBe(true);
  },
  'a decoupled stream: order, final flag, opt-in empty final': async () => {
    const plain = await server.grpc.streamAll([repeat([4, 5, 6], { id: 'r' })]);
    expect(plain.values).toEqual([4, 5, 6]);
    expect(plain.messages.map(({ infer_response: r }) => r?.parameters[FINAL]?.['bool_param'])).toEqual([
      false,
      false,
      false,
    ]);
    const parameters = { triton_enable_empty_final_response: { bool_param: true } };
    const asked = await server.grpc.streamAll([
      repeat([7], { id: 'r', parameters }),
      repeat([], { parameters }),
    ]);
    const finals = asked.messages.filter(({ infer_response: r }) => r?.outputs.length === 0);
    expect(finals.length).toBe(2);
    expect(finals[0]?.infer_response).toMatchObject({
      id: 'r',
      model_name: 'repeat',
      raw_output_contents: [],
      parameters: { [FINAL]: { bool_param: true } },
    });
    const single = await server.grpc.streamAll([int32Request('m', [1])]);
    expect(single.messages[0]?.infer_response?.parameters[FINAL]).toMatchObject({ bool_param: true });
  },
  'non-decoupled responses keep the order of the requests': async () => {
    const stream = server.grpc.stream();
    stream.send(int32Request('held', [1]));
    const first = await nextHeld();
    stream.send(int32Request('m', [2]));
    stream.send(repeat([3]));
    // The decoupled one overtakes, the ordinary one behind the held one waits.
    await stream.received(1);
    expect(stream.values).toEqual([3]);
    finish(first);
    stream.end();
    await stream.status;
    expect(stream.values).toEqual([3, 1, 2]);
  },
  'cancel of a running, a queued and a stream request frees everything and is counted': async () => {
    const running = new AbortController();
    const call = server.grpc.call('ModelInfer', int32Request('held', [1]), { signal: running.signal });
    const request = await nextHeld();
    const told = new Promise<void>((resolve) => request.onCancel(resolve));
    running.abort();
    expect((await call).code).toBe(1);
    await told;
    void request.respondError(new ServerError('CANCELLED', ''));
    request.release();

    const stream = server.grpc.stream();
    stream.send(int32Request('held_stream', [1]));
    const streamed = await nextHeld();
    const stopped = new Promise<void>((resolve) => streamed.onCancel(resolve));
    stream.cancel();
    expect((await stream.status).code).toBe(1);
    await stopped;
    void streamed.respond(undefined, true);
    streamed.release();

    const batched = (value: number) =>
      int32Request('one_at_a_time', [value], {
        inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1, 1] }],
      });
    const blocker = server.grpc.call('ModelInfer', batched(1));
    const blocking = await nextHeld();
    const queued = new AbortController();
    const waiting = server.grpc.call('ModelInfer', batched(2), { signal: queued.signal });
    await vi.waitFor(async () =>
      expect(await server.metrics()).toContain(
        'nv_inference_pending_request_count{model="one_at_a_time",version="1"} 1',
      ),
    );
    queued.abort();
    expect((await waiting).code).toBe(1);
    // Answered on the same connection, hence after the server was told of the cancellation.
    await server.grpc.call('ServerLive', {});
    finish(blocking);
    expect((await blocker).code).toBe(0);
    await vi.waitFor(async () => expect(await failureCount('one_at_a_time', 'CANCELED')).toBe(1));
  },
  'a deadline that passes: the client sees it, the server cancels': async () => {
    const [{ ended }, request] = await heldAtDeadline(
      (deadlineMs) => ({
        ended: server.grpc.call('ModelInfer', int32Request('held', [1]), { deadlineMs }),
      }),
      (call) => call.ended,
    );
    const told = new Promise<void>((resolve) => request.onCancel(resolve));
    expect((await ended).code).toBe(4);
    await told;
    endCancelled(request);
  },
  'a deadline of a stream: all its running requests are cancelled': async () => {
    const [stream, request] = await heldAtDeadline(
      (deadlineMs) => {
        const begun = server.grpc.stream({ deadlineMs });
        begun.send(int32Request('m', [1]));
        // Behind the answer to the first.
        void begun.received(1).then(() => begun.send(int32Request('held_stream', [2])));
        return begun;
      },
      ({ status }) => status,
    );
    const told = new Promise<void>((resolve) => request.onCancel(resolve));
    expect((await stream.status).code).toBe(4);
    expect(stream.values).toEqual([1]);
    await told;
    void request.respond(undefined, true);
    request.release();
  },
  'shutdown with an open stream: running requests finish, new ones are told': async () => {
    const own = new FakeBackend();
    own.scripts.set('held', HELD);
    const stopping = await ChecklistServer.start(
      { ...echo('held', 'INT32', [1], { backend: 'fake' }), ...echo('m', 'INT32', [-1]) },
      {},
      { backends: [own] },
    );
    const stream = stopping.grpc.stream();
    stream.send(int32Request('held', [11]));
    const running = await nextHeld();
    const closing = stopping.engine.close();
    // The port is closed: the client's library says so in its own words.
    expect((await stopping.grpc.call('ModelInfer', int32Request('m', [1]))).code).toBe(14);
    stream.send(int32Request('m', [12]));
    finish(running);
    await stream.received(2);
    expect(stream.values).toEqual([11]);
    expect(stream.messages[1]?.error_message).toBe(
      'GRPC server is shutting down and has stopped accepting new requests.',
    );
    stream.end();
    await closing;
    await stopping.close();
  },
});
