// Checklist: endurance, in the short. `npm run soak` keeps a server under load for as long as wanted.

import net from 'node:net';
import zlib from 'node:zlib';
import { afterAll, beforeAll, expect } from 'vitest';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { wireCall } from '../../../src-main/testing/wire-http.ts';
import type { ServedProcess } from '../../../tools/served-process.ts';
import { serveConch } from '../../../tools/served-process.ts';
import { checklist } from './checklist.ts';
import { configText, DECOUPLED, echo } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { GrpcCaller, int32Bytes, int32Request } from './grpc-caller.ts';

const CONTROLS = ['START', 'END', 'READY']
  .map(
    (kind) => `{ name: "${kind}" control [ { kind: CONTROL_SEQUENCE_${kind} int32_false_true: [ 0, 1 ] } ] }`,
  )
  .join(', ');

const files = {
  ...echo('m', 'INT32', [-1]),
  ...echo('slow', 'INT32', [1], {
    more: 'parameters { key: "execute_delay_ms" value { string_value: "20" } }',
  }),
  'repeat/config.pbtxt': configText({
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
  'repeat/1/': '',
  'sums/config.pbtxt': configText({
    backend: 'sequence',
    maxBatchSize: 8,
    inputs: [['INPUT', 'INT32', [1]]],
    outputs: [['OUTPUT', 'INT32', [1]]],
    more: `sequence_batching { direct {} control_input [ ${CONTROLS} ] }`,
  }),
  'sums/1/': '',
};

let repository: TempRepository;
let conch: ServedProcess;
let grpc: GrpcCaller;
const httpPort = (): number => Number(conch.http.split(':').at(-1));

beforeAll(async () => {
  repository = await TempRepository.create(files);
  conch = await serveConch([`--model-repository=${repository.path}`, '--allow-gpu-metrics=false']);
  grpc = new GrpcCaller(conch.grpc);
}, 60_000);
afterAll(async () => {
  grpc.close();
  expect(await conch.stop()).toBe(0);
  await repository.close();
}, 60_000);

async function residentMiB(): Promise<number> {
  const { text } = await wireCall(Number(conch.metrics.split(':').at(-1)), { path: '/metrics' });
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20;
}

const sequence = (id: number, value: number, flags: { start?: boolean; end?: boolean } = {}) => ({
  model_name: 'sums',
  inputs: [{ name: 'INPUT', datatype: 'INT32', shape: [1, 1] }],
  raw_input_contents: [int32Bytes(value)],
  parameters: {
    sequence_id: { int64_param: id },
    sequence_start: { bool_param: flags.start === true },
    sequence_end: { bool_param: flags.end === true },
  },
});
const sum = async (request: object): Promise<unknown> => {
  const { code, details, response } = await grpc.call('ModelInfer', { ...request });
  return code === 0 ? (response?.['raw_output_contents'] as Buffer[])[0]?.readInt32LE() : details;
};

async function inParallel(
  width: number,
  count: number,
  run: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) await run((next += 1));
    }),
  );
}

checklist('Endurance', {
  '100 compressed infer requests that all fail on the header length: memory stays': async () => {
    const body = zlib.gzipSync(Buffer.alloc(8 * 2 ** 20));
    const fail = async (): Promise<void> => {
      const reply = await wireCall(httpPort(), {
        path: '/v2/models/m/infer',
        body,
        headers: { 'Content-Encoding': 'gzip', 'Inference-Header-Content-Length': 64 * 2 ** 20 },
      });
      expect([reply.status, reply.text]).toEqual([
        400,
        `{"error":"inference header size should be in range (0, ${8 * 2 ** 20}), got: ${64 * 2 ** 20}"}`,
      ]);
    };
    await fail();
    const before = await residentMiB();
    for (let i = 0; i < 100; i += 1) await fail();
    expect((await residentMiB()) - before).toBeLessThan(32);
  },
  'steady load at concurrency 20: the second half needs no more memory': async () => {
    const load = () =>
      inParallel(20, 1500, async () => {
        expect((await grpc.call('ModelInfer', int32Request('m', [1, 2, 3]))).code).toBe(0);
      });
    await load();
    const before = await residentMiB();
    await load();
    expect((await residentMiB()) - before).toBeLessThan(100);
  },
  'a client killed in the middle of calls, again and again: others undisturbed': async () => {
    const body = '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[1]}]}';
    const whole = `POST /v2/models/slow/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (let i = 0; i < 30; i += 1) {
      const socket = net.connect(httpPort(), '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise<void>((resolve) => socket.on('connect', resolve));
      // Cut at another place each time: within the head, within the body, while the model runs.
      socket.write(whole.slice(0, whole.length - (i % 3) * 60), () => socket.resetAndDestroy());
      const cut = new AbortController();
      const call = grpc.call('ModelInfer', int32Request('slow', [i]), { signal: cut.signal });
      cut.abort();
      expect((await call).code).toBe(1);
      expect((await grpc.call('ModelInfer', int32Request('m', [i]))).code).toBe(0);
    }
    expect((await grpc.call('ServerReady', {})).response).toEqual({ ready: true });
  },
  'valid and faulty sequences side by side: exact sums, nothing leaks': async () => {
    const start = { start: true };
    const words = (id: number) =>
      `inference request for sequence ${id} to model 'sums' must specify the START flag on the first request of the sequence`;
    // Never ended.
    expect(await sum(sequence(900, 5, start))).toBe(5);
    await Promise.all(
      Array.from({ length: 6 }, async (_, index) => {
        const id = index + 1;
        expect(await sum(sequence(id, id, start))).toBe(id);
        expect(await sum(sequence(500 + id, 1))).toBe(words(500 + id));
        expect(await sum(sequence(id, 10))).toBe(id + 10);
        expect(await sum(sequence(id, 100, { end: true }))).toBe(id + 110);
        expect(await sum(sequence(id, 1))).toBe(words(id));
      }),
    );
    expect(await sum(sequence(900, 1))).toBe(6);
    expect(await sum({ ...sequence(0, 1) })).toBe(
      "inference request to model 'sums' must specify a non-zero or non-empty correlation ID",
    );
  },
  'calls that finish, are cancelled, time out or are cut by the end of the server: all state released':
    async () => {
      const server = await ChecklistServer.start(files);
      await server.grpc.call('ModelInfer', int32Request('slow', [1]));
      expect((await server.grpc.call('ModelInfer', int32Request('slow', [1]), { deadlineMs: 1 })).code).toBe(
        4,
      );
      const repeat = {
        model_name: 'repeat',
        inputs: [
          { name: 'IN', datatype: 'INT32', shape: [2] },
          { name: 'DELAY', datatype: 'UINT32', shape: [2] },
          { name: 'WAIT', datatype: 'UINT32', shape: [1] },
        ],
        raw_input_contents: [int32Bytes(1, 2), int32Bytes(0, 60), int32Bytes(0)],
      };
      expect((await server.grpc.streamAll([repeat])).values).toEqual([1, 2]);
      const cancelled = server.grpc.stream();
      cancelled.send(repeat);
      await cancelled.received(1);
      cancelled.cancel();
      await cancelled.status;
      const left = server.grpc.stream();
      left.send(repeat);
      await left.received(1);
      left.end();
      // Unclean when a request is still held at the end of the time.
      expect(await server.engine.close()).toMatchObject({ isClean: true });
      expect((await left.status).code).toBe(0);
      expect(left.values).toEqual([1, 2]);
      await server.close();
    },
});
