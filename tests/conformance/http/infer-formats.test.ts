// Binary and JSON forms of infer requests and replies over real sockets, and what reaches the request.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SEQUENCE_END, SEQUENCE_START } from '../../../src-main/inference/inference-request.ts';
import { HttpFixture } from '../../../src-main/testing/http-fixture.ts';
import { splitInferReply } from '../../../src-main/testing/wire-http.ts';
import { INFER_FIXTURE, request } from './infer-models.ts';

let fixture: HttpFixture;

beforeAll(async () => {
  fixture = await HttpFixture.start(INFER_FIXTURE);
});

afterAll(async () => {
  await vi.waitFor(() => expect(fixture.service.openUses).toBe(0));
  await fixture.close();
});

const last = () => fixture.service.requests.at(-1);

describe('infer over HTTP', () => {
  test('takes binary inputs in order and mixes reply formats per output', async () => {
    const json = JSON.stringify({
      inputs: [
        { name: 'INPUT0', datatype: 'INT32', shape: [2], parameters: { binary_data_size: 8 } },
        { name: 'INPUT1', datatype: 'FP32', shape: [1], parameters: { binary_data_size: 4 } },
      ],
      outputs: [{ name: 'OUTPUT0', parameters: { binary_data: true } }, { name: 'OUTPUT1' }],
    });
    const binary = Buffer.from(new Uint8Array([1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 63]));
    const reply = await fixture.call({
      path: '/v2/models/two/infer',
      body: Buffer.concat([Buffer.from(json), binary]),
      headers: { 'Inference-Header-Content-Length': `${json.length}abc` },
    });
    expect(reply.headers['content-type']).toBe('application/octet-stream');
    const parts = splitInferReply(reply);
    expect(parts.json['outputs']).toEqual([
      { name: 'OUTPUT0', datatype: 'INT32', shape: [2], parameters: { binary_data_size: 8 } },
      { name: 'OUTPUT1', datatype: 'FP32', shape: [1], data: [0.5] },
    ]);
    expect([...parts.binary]).toEqual([1, 0, 0, 0, 2, 0, 0, 0]);
  });

  test.each([
    ['small one', 1000, (count: number) => count === 0],
    ['large one', 1024 * 1024, (count: number) => count > 10],
  ])(
    'memory that holds nothing but inputs goes along with a %s, for whoever has copied them',
    async (_, byteSize, fits) => {
      const parameters = { binary_data_size: byteSize };
      const input = { name: 'INPUT0', datatype: 'INT32', shape: [byteSize / 4], parameters };
      const json = JSON.stringify({ inputs: [input] });
      const bytes = Buffer.alloc(byteSize, 7);
      await fixture.call({
        path: '/v2/models/two/infer',
        body: Buffer.concat([Buffer.from(json), bytes]),
        headers: { 'Inference-Header-Content-Length': `${json.length}` },
      });
      const received = last();
      expect(fits(received?.inputMemory?.length ?? 0)).toBe(true);
      const inputBuffers = new Set(received?.inputs[0]?.bytes.chunks.map(({ buffer }) => buffer));
      for (const memory of received?.inputMemory ?? []) expect(inputBuffers).toContain(memory);
    },
  );

  test.each([
    [
      'expecting 4 additional bytes',
      12,
      8,
      "unexpected size for input 'INPUT0', expecting 4 additional bytes for model 'ints'",
    ],
    ['additional bytes', 4, 8, "unexpected additional input data for model 'ints'"],
  ])('refuses a binary part that does not fit: %s', async (_, announced, sent, message) => {
    const json = JSON.stringify({
      inputs: [
        { name: 'INPUT0', datatype: 'INT32', shape: [2], parameters: { binary_data_size: announced } },
      ],
    });
    const reply = await fixture.call({
      path: '/v2/models/ints/infer',
      body: Buffer.concat([Buffer.from(json), Buffer.alloc(sent)]),
      headers: { 'Inference-Header-Content-Length': json.length },
    });
    expect([reply.status, reply.text]).toEqual([400, JSON.stringify({ error: message })]);
  });

  test.each([
    [{ parameters: { binary_data_output: true } }, true],
    [{ parameters: { binary_data_output: true }, outputs: [{ name: 'OUTPUT0' }] }, false],
  ])('uses binary_data_output for outputs that are not listed: %j', async (change, isBinary) => {
    const reply = await fixture.infer('ints', { ...request(), ...change });
    expect(reply.headers['inference-header-content-length'] !== undefined).toBe(isBinary);
    expect(reply.text.includes('"data":[1,2]')).toBe(!isBinary);
  });

  test('keeps binary_data_size 0 for an empty binary output, in a plain JSON reply', async () => {
    const reply = await fixture.infer('ints', {
      parameters: { binary_data_output: true },
      ...request({ shape: [0], data: [] }),
    });
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.text).toContain('"parameters":{"binary_data_size":0}');
  });

  test('refuses FP16 outputs as JSON and sends them as binary', async () => {
    const json = JSON.stringify({
      inputs: [{ name: 'INPUT0', datatype: 'FP16', shape: [1], parameters: { binary_data_size: 2 } }],
    });
    const call = {
      path: '/v2/models/halves/infer',
      body: `${json}ab`,
      headers: { 'Inference-Header-Content-Length': json.length },
    };
    const refused = await fixture.call(call);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      'sending FP16 data via JSON is not supported. Please use the binary data format for output',
    );
  });

  test('answers a raw body with binary outputs', async () => {
    const reply = await fixture.call({
      path: '/v2/models/floats/infer',
      body: Buffer.alloc(32, 7),
      headers: { 'Inference-Header-Content-Length': 0 },
    });
    expect(reply.status).toBe(200);
    expect(splitInferReply(reply).binary.equals(Buffer.alloc(32, 7))).toBe(true);
    expect(last()?.rawInput?.byteSize).toBe(32);
  });

  test('takes a raw body at the limit and refuses one above it', async () => {
    const headers = { 'Inference-Header-Content-Length': 0 };
    const good = await fixture.call({ path: '/v2/models/floats/infer', body: Buffer.alloc(4096), headers });
    expect(good.status).toBe(200);
    const bad = await fixture.call({ path: '/v2/models/floats/infer', body: Buffer.alloc(4097), headers });
    expect([bad.status, bad.text]).toEqual([
      400,
      '{"error":"Raw input has a byte_size (4097 bytes) that exceeds the maximum allowed value of 4096 bytes. Use --http-max-input-size to increase the limit."}',
    ]);
  });

  test('hands sequence, priority, timeout and custom parameters to the request, and forwarded headers', async () => {
    const parameters = {
      sequence_id: 42,
      sequence_start: true,
      sequence_end: true,
      priority: 3,
      timeout: 1000,
      text: 'a',
      whole: 5,
      real: 1.5,
      flag: true,
    };
    const reply = await fixture.infer(
      'ints',
      { parameters, ...request() },
      { My_Header_1: 'a "quoted" \\ value' },
    );
    expect(reply.status).toBe(200);
    const seen = last();
    expect(seen?.correlationId).toBe(42n);
    expect(seen?.flags).toBe(SEQUENCE_START | SEQUENCE_END);
    expect([seen?.priority, seen?.timeoutUs]).toEqual([3n, 1000]);
    expect([...(seen?.parameters ?? [])]).toEqual([
      ['text', 'a'],
      ['whole', 5n],
      ['real', 1.5],
      ['flag', true],
      ['My_Header_1', 'a "quoted" \\ value'],
    ]);
  });

  test.each([2, 2 ** 32 + 2])('classifies an output, with a count of %i', async (classification) => {
    const reply = await fixture.infer('floats', {
      ...request({ datatype: 'FP32', shape: [3], data: [1, 3, 2] }),
      outputs: [{ name: 'OUTPUT0', parameters: { classification } }],
    });
    expect(reply.text).toContain('"datatype":"BYTES","shape":[2],"data":["3.000000:1","2.000000:2"]');
  });
});
