// Checklist: size limits over HTTP, and a queue that is full. Gigabytes are only sent when CONCH_LARGE is set: they need
// some 12 GB of memory.

import http from 'node:http';
import zlib from 'node:zlib';
import { afterAll, beforeAll, expect } from 'vitest';
import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import { copyInputs, FakeBackend } from '../../../src-main/testing/fake-backend.ts';
import { identityModel } from '../../../src-main/testing/onnx-test-models.ts';
import { checklist } from './checklist.ts';
import { configText, echo } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { field } from './grpc-caller.ts';

const LIMIT = 4096;
const held: InferenceRequest[] = [];
let arrived: () => void = () => undefined;
const backend = new FakeBackend();
let server: ChecklistServer;

beforeAll(async () => {
  backend.scripts.set('held', {
    execute: async ({ requests }) => {
      const released = requests.map(
        (request) => new Promise<void>((done) => request.onRelease(() => done())),
      );
      held.push(...requests);
      arrived();
      await Promise.all(released);
    },
  });
  server = await ChecklistServer.start(
    {
      ...echo('bytes', 'UINT8', [-1]),
      ...echo('doubles', 'FP64', [-1]),
      ...echo('held', 'INT32', [1], {
        backend: 'fake',
        maxBatchSize: 1,
        more: 'dynamic_batching { default_queue_policy { max_queue_size: 1 } }',
      }),
      'onnx/config.pbtxt': configText({
        backend: 'onnxruntime',
        inputs: [['INPUT', 'UINT8', [-1]]],
        outputs: [['OUTPUT', 'UINT8', [-1]]],
      }),
      'onnx/1/model.onnx': identityModel('UINT8', ['n']),
    },
    { http: { maxInputByteSize: LIMIT } },
    { backends: [backend] },
  );
});
afterAll(() => server.close(), 60_000);

const TOO_LARGE = /exceeds the maximum allowed .* Use --http-max-input-size to increase the limit\./;
const doubles = (count: number): string =>
  `{"inputs":[{"name":"INPUT0","datatype":"FP64","shape":[${count}],"data":[${Array(count).fill(1).join(',')}]}]}`;
const padded = (text: string, size: number): string => text + ' '.repeat(size - text.length);

async function expectTooLarge(
  reply: Promise<{ readonly status: number; readonly text: string }>,
): Promise<void> {
  const { status, text } = await reply;
  expect([status, text]).toEqual([400, expect.stringMatching(TOO_LARGE)]);
}

checklist('Sizes', {
  'a JSON tensor at the limit and one above': async () => {
    expect((await server.post('doubles/infer', doubles(LIMIT / 8))).status).toBe(200);
    await expectTooLarge(server.post('doubles/infer', doubles(LIMIT / 8 + 1)));
  },
  'a JSON body at the limit and one byte above': async () => {
    expect((await server.post('doubles/infer', padded(doubles(1), LIMIT))).status).toBe(200);
    await expectTooLarge(server.post('doubles/infer', padded(doubles(1), LIMIT + 1)));
    for (const path of ['/v2/repository/index', '/v2/logging', '/v2/trace/setting']) {
      expect((await server.http({ path, body: padded('{}', LIMIT) })).status).toBe(200);
      await expectTooLarge(server.http({ path, body: padded('{}', LIMIT + 1) }));
    }
  },
  'a raw body at the limit and one byte above': async () => {
    const raw = (size: number) =>
      server.http({
        path: '/v2/models/bytes/infer',
        body: Buffer.alloc(size),
        headers: { 'Inference-Header-Content-Length': 0 },
      });
    expect((await raw(LIMIT)).status).toBe(200);
    await expectTooLarge(raw(LIMIT + 1));
  },
  'an inflated body at the limit and one byte above': async () => {
    const packed = (size: number) =>
      server.http({
        path: '/v2/models/doubles/infer',
        body: zlib.deflateSync(padded(doubles(1), size)),
        headers: { 'Content-Encoding': 'deflate' },
      });
    expect((await packed(LIMIT)).status).toBe(200);
    await expectTooLarge(packed(LIMIT + 1));
  },
  'binary tensors behind the JSON part are not limited': async () => {
    const size = LIMIT * 4;
    const head = `{"inputs":[{"name":"INPUT0","datatype":"UINT8","shape":[${size}],"parameters":{"binary_data_size":${size}}}],"parameters":{"binary_data_output":true}}`;
    const reply = await server.http({
      path: '/v2/models/bytes/infer',
      body: Buffer.concat([Buffer.from(head), Buffer.alloc(size, 7)]),
      headers: { 'Inference-Header-Content-Length': head.length },
    });
    expect([reply.status, reply.body.subarray(-size).every((byte) => byte === 7)]).toEqual([200, true]);
  },
  'a load above the limit': async () => {
    const body = JSON.stringify({ parameters: { config: '{}', 'file:1/model.onnx': 'A'.repeat(LIMIT) } });
    const { status, text } = await server.http({ path: '/v2/repository/models/bytes/load', body });
    expect([status, text]).toEqual([
      400,
      `{"error":"request JSON size of ${body.length} bytes exceeds the maximum allowed input size of ${LIMIT} bytes. Use --http-max-input-size to increase the limit."}`,
    ]);
  },
  'queue size 1: a request while another is queued is 503': async () => {
    const infer = () =>
      server.post('held/infer', {
        inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1, 1], data: [1] }],
      });
    const taken = new Promise<void>((resolve) => (arrived = resolve));
    const replies = [infer()];
    await taken;
    // One runs, one waits for the instance, one is in the queue; whatever else comes is refused.
    for (let i = 0; i < 4; i += 1) replies.push(infer());
    const refused = await Promise.race(replies);
    expect([refused.status, refused.text]).toEqual([
      503,
      '{"error":"[request id: <id_unknown>] Exceeds maximum queue size"}',
    ]);
    arrived = () => {
      for (const request of held.splice(0)) {
        void request.respondOutputs(copyInputs(request), true);
        request.release();
      }
    };
    arrived();
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(statuses[0]).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  },
});

const MIB = 2 ** 20;

/** Status of an infer request with that many binary bytes, sent in pieces of the same megabytes; 0 = cut off. */
function sendHuge(
  byteSize: number,
  name: string,
): Promise<{ readonly status: number; readonly byteSize: number }> {
  const json = `{"inputs":[{"name":"INPUT","datatype":"UINT8","shape":[${byteSize}],"parameters":{"binary_data_size":${byteSize}}}],"parameters":{"binary_data_output":true}}`;
  const piece = Buffer.alloc(8 * MIB, 1);
  return new Promise((resolve) => {
    const request = http.request({
      port: server.httpPort,
      host: '127.0.0.1',
      method: 'POST',
      path: `/v2/models/${name}/infer`,
      headers: { 'Content-Length': json.length + byteSize, 'Inference-Header-Content-Length': json.length },
    });
    request.on('error', () => resolve({ status: 0, byteSize: 0 }));
    request.on('response', (response) => {
      let received = 0;
      response.on('data', (chunk: Buffer) => (received += chunk.length));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, byteSize: received }));
    });
    request.write(json);
    let left = byteSize;
    const more = (): void => {
      while (left > 0) {
        const part = piece.subarray(0, Math.min(left, piece.length));
        left -= part.length;
        if (left === 0) request.end(part);
        else if (!request.write(part)) {
          request.once('drain', more);
          return;
        }
      }
    };
    more();
  });
}

checklist(
  'Gigabytes',
  {
    '1.9 GB over HTTP as binary': async () => {
      const reply = await sendHuge(1_900_000_000, 'onnx');
      expect(reply.status).toBe(200);
      expect(reply.byteSize).toBeGreaterThan(1_900_000_000);
    },
    '1.9 GB over gRPC': async () => {
      const size = 1_900_000_000;
      const varint: number[] = [];
      for (let rest = size; rest > 0; rest = Math.floor(rest / 128)) {
        varint.push((rest % 128) | (rest > 127 ? 0x80 : 0));
      }
      const input = Buffer.concat([
        field(1, Buffer.from('INPUT')),
        field(2, Buffer.from('UINT8')),
        field(3, Buffer.from(varint)),
      ]);
      const message = Buffer.concat([
        field(1, Buffer.from('onnx')),
        field(5, input),
        field(7, Buffer.alloc(size, 1)),
      ]);
      const answer = await server.grpc.call('ModelInfer', message);
      expect([answer.code, answer.details]).toEqual([0, '']);
    },
    '2.2 and 3 GB over HTTP fail, the next request succeeds': async () => {
      for (const size of [2_200_000_000, 3_000_000_000]) {
        expect((await sendHuge(size, 'onnx')).status).not.toBe(200);
        expect((await sendHuge(1000, 'onnx')).status).toBe(200);
      }
    },
    'a load of 2 GiB of base64': async () => {
      const reply = await new Promise<string>((resolve) => {
        const request = http.request(
          {
            port: server.httpPort,
            host: '127.0.0.1',
            method: 'POST',
            path: '/v2/repository/models/onnx/load',
          },
          (response) => response.setEncoding('utf8').on('data', resolve),
        );
        const piece = Buffer.alloc(8 * MIB, 'A');
        let left = 2 ** 31;
        request.write('{"parameters":{"config":"{}","file:1/model.onnx":"');
        const more = (): void => {
          while (left > 0) {
            left -= piece.length;
            if (!request.write(piece)) {
              request.once('drain', more);
              return;
            }
          }
          request.end('"}}');
        };
        more();
      });
      expect(reply).toMatch(/request JSON size of \d+ bytes exceeds the maximum allowed input size/);
    },
  },
  process.env['CONCH_LARGE'] === undefined ? 'only with CONCH_LARGE=1' : undefined,
);
