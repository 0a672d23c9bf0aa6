// Checklist: compression, strings, parameters, forwarded headers, classification.

import zlib from 'node:zlib';
import { afterAll, beforeAll, expect } from 'vitest';
import { splitInferReply } from '../../../src-main/testing/wire-http.ts';
import { checklist } from './checklist.ts';
import { echo, promptModels, toldEnsemble } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { int32Bytes, textBytes } from './grpc-caller.ts';

let server: ChecklistServer;
let strict: ChecklistServer;
let greedy: ChecklistServer;

beforeAll(async () => {
  const models = { ...promptModels(), ...toldEnsemble() };
  server = await ChecklistServer.start(
    {
      ...models,
      ...echo('numbers', 'INT32', [-1]),
      ...echo('texts', 'BYTES', [-1]),
      ...echo('ones', 'FP32', [5], { maxBatchSize: 8 }),
    },
    {
      http: { maxInputByteSize: 65_536, headerForwardPattern: 'MY_HEADER.*' },
      grpc: { headerForwardPattern: 'MY_HEADER.*' },
    },
  );
  const forward = (pattern: string) =>
    ChecklistServer.start(models, {
      http: { headerForwardPattern: pattern },
      grpc: { headerForwardPattern: pattern },
    });
  strict = await forward('(?-i)MY_HEADER.*');
  greedy = await forward('.*');
});
afterAll(() => Promise.all([server.close(), strict.close(), greedy.close()]));

const numbers = { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [3], data: [1, 2, 3] }] };
const PACK = { none: (body: Buffer) => body, gzip: zlib.gzipSync, deflate: zlib.deflateSync };
const UNPACK = { none: (body: Buffer) => body, gzip: zlib.gunzipSync, deflate: zlib.inflateSync };

/** What the model was told: [name, JavaScript type, text] each. */
async function told(
  on: ChecklistServer,
  parameters: object,
  headers: Record<string, string> = {},
  name = 'tell',
): Promise<unknown> {
  const body = { inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [1] }], parameters };
  const { status, text } = await on.post(`${name}/infer`, body, headers);
  const reply = JSON.parse(text) as { error?: string; outputs?: { data: string[] }[] };
  return status === 200 ? JSON.parse(reply.outputs?.[0]?.data[0] ?? '') : [status, reply.error];
}

const tellRequest = (parameters: object, name = 'tell') => ({
  model_name: name,
  parameters,
  inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1] }],
  raw_input_contents: [int32Bytes(1)],
});
const toldOf = (raw: unknown): unknown => JSON.parse((raw as Buffer[])[0]?.subarray(4).toString() ?? '');

async function grpcTold(
  on: ChecklistServer,
  parameters: object,
  metadata: Record<string, string> = {},
  name = 'tell',
): Promise<unknown> {
  const answer = await on.grpc.call('ModelInfer', tellRequest(parameters, name), { metadata });
  return answer.code === 0 ? toldOf(answer.response?.['raw_output_contents']) : [answer.code, answer.details];
}

const KINDS = { a: 'text', b: 7, c: 0.5, d: true };
const GRPC_KINDS = {
  a: { string_param: 'text' },
  b: { int64_param: 7 },
  c: { double_param: 0.5 },
  d: { bool_param: true },
};
const TOLD_KINDS = [
  ['a', 'string', 'text'],
  ['b', 'bigint', '7'],
  ['c', 'number', '0.5'],
  ['d', 'boolean', 'true'],
];

checklist('Compression, strings, parameters', {
  'request none, gzip, deflate x response none, gzip, deflate': async () => {
    for (const [sent, pack] of Object.entries(PACK)) {
      for (const [wanted, unpack] of Object.entries(UNPACK)) {
        const reply = await server.http({
          path: '/v2/models/numbers/infer',
          body: pack(Buffer.from(JSON.stringify(numbers))),
          headers: {
            ...(sent === 'none' ? {} : { 'Content-Encoding': sent }),
            ...(wanted === 'none' ? {} : { 'Accept-Encoding': wanted }),
          },
        });
        expect([sent, reply.status, reply.headers['content-encoding'] ?? 'none']).toEqual([
          sent,
          200,
          wanted,
        ]);
        expect(unpack(reply.body).toString()).toContain('"data":[1,2,3]');
      }
    }
  },
  'unknown Content-Encoding': async () => {
    for (const encoding of ['br', 'gzip, deflate', 'GZIP']) {
      const reply = await server.post('numbers/infer', numbers, { 'Content-Encoding': encoding });
      expect([reply.status, reply.text, reply.headers['accept-encoding']]).toEqual([
        501,
        '{"error":"Unsupported compression type"}',
        'gzip, deflate',
      ]);
    }
  },
  'a small compressed body that inflates above the limit': async () => {
    const reply = await server.http({
      path: '/v2/models/numbers/infer',
      body: zlib.gzipSync(Buffer.alloc(70_000, ' ')),
      headers: { 'Content-Encoding': 'gzip' },
    });
    expect([reply.status, reply.text]).toEqual([
      400,
      '{"error":"Decompressed data size exceeds the maximum allowed value of 65536 bytes. Use --http-max-input-size to increase the limit."}',
    ]);
  },
  'a string with a zero byte, JSON and binary, HTTP and gRPC': async () => {
    const json = await server.post(
      'texts/infer',
      '{"inputs":[{"name":"INPUT0","datatype":"BYTES","shape":[1],"data":["abc\\u0000def"]}]}',
    );
    expect(json.text).toContain('"data":["abc\\u0000def"]');
    const bytes = textBytes('abc\0def');
    const head = `{"inputs":[{"name":"INPUT0","datatype":"BYTES","shape":[1],"parameters":{"binary_data_size":${bytes.length}}}],"parameters":{"binary_data_output":true}}`;
    const binary = await server.http({
      path: '/v2/models/texts/infer',
      body: Buffer.concat([Buffer.from(head), bytes]),
      headers: { 'Inference-Header-Content-Length': head.length },
    });
    expect(splitInferReply(binary).binary.equals(bytes)).toBe(true);
    const { response } = await server.grpc.call('ModelInfer', {
      model_name: 'texts',
      inputs: [
        {
          name: 'INPUT0',
          datatype: 'BYTES',
          shape: [1],
          contents: { bytes_contents: ['abc\0def'].map((text) => Buffer.from(text)) },
        },
      ],
    });
    expect(response?.['raw_output_contents']).toEqual([bytes]);
  },
  'bytes that are no UTF-8: binary and gRPC exact, JSON as they are': async () => {
    const bytes = textBytes(Uint8Array.of(0xff, 0xfe, 0x80));
    const head = `{"inputs":[{"name":"INPUT0","datatype":"BYTES","shape":[1],"parameters":{"binary_data_size":${bytes.length}}}]}`;
    const reply = await server.http({
      path: '/v2/models/texts/infer',
      body: Buffer.concat([Buffer.from(head), bytes]),
      headers: { 'Inference-Header-Content-Length': head.length },
    });
    expect(reply.body.includes(Buffer.from([0x22, 0xff, 0xfe, 0x80, 0x22]))).toBe(true);
    const { response } = await server.grpc.call('ModelInfer', {
      model_name: 'texts',
      inputs: [{ name: 'INPUT0', datatype: 'BYTES', shape: [1] }],
      raw_input_contents: [bytes],
    });
    expect(response?.['raw_output_contents']).toEqual([bytes]);
  },
  'unicode and quoted strings round-trip': async () => {
    const data = ['\u20ac \u{1f600}', '"\\/\b\f\n\r\t', '', '\u0001'];
    const body = { inputs: [{ name: 'INPUT0', datatype: 'BYTES', shape: [4], data }] };
    const { text } = await server.post('texts/infer', body);
    expect(JSON.parse(text)).toMatchObject({ outputs: [{ data }] });
  },
  'custom parameters keep their types over HTTP, gRPC, a stream and through an ensemble': async () => {
    for (const name of ['tell', 'told']) {
      expect(await told(server, KINDS, {}, name)).toEqual(TOLD_KINDS);
      expect(await grpcTold(server, GRPC_KINDS, {}, name)).toEqual(TOLD_KINDS);
      const { messages } = await server.grpc.streamAll([tellRequest(GRPC_KINDS, name)]);
      expect(messages.map((message) => toldOf(message.infer_response?.raw_output_contents))).toEqual([
        TOLD_KINDS,
      ]);
    }
  },
  'a reserved `triton_x` parameter': async () => {
    const words = expect.stringContaining("parameter keys starting with 'triton_' are reserved") as string;
    expect(await told(server, { triton_x: 1 })).toEqual([400, words]);
    expect(await grpcTold(server, { triton_x: { int64_param: 1 } })).toEqual([3, words]);
  },
  'forwarded headers, pattern MY_HEADER.*, headers in lower case': async () => {
    const headers = { my_header_1: 'my_value_1', my_header_2: `my_value_2 "quoted\\`, other: 'x' };
    const expected = [
      ['my_header_1', 'string', 'my_value_1'],
      ['my_header_2', 'string', 'my_value_2 "quoted\\'],
    ];
    expect(await told(server, {}, headers)).toEqual(expected);
    expect(await grpcTold(server, {}, headers)).toEqual(expected);
  },
  'pattern (?-i)MY_HEADER.* on gRPC forwards nothing': async () => {
    expect(await grpcTold(strict, {}, { MY_HEADER_1: 'x', my_header_2: 'y' })).toEqual([]);
    expect(await told(strict, {}, { MY_HEADER_1: 'x', my_header_2: 'y' })).toEqual([
      ['MY_HEADER_1', 'string', 'x'],
    ]);
  },
  'pattern .* and a header named like a reserved parameter': async () => {
    for (const name of ['sequence_id', 'priority', 'timeout', 'binary_data_output', 'headers', 'triton_x']) {
      const words = `Header '${name}' is reserved for Triton usage and cannot be forwarded.`;
      expect(await told(greedy, {}, { [name]: '1' })).toEqual([400, words]);
      expect(await grpcTold(greedy, {}, { [name]: '1' })).toEqual([3, words]);
    }
  },
  'classification of 5 ones': async () => {
    const body = {
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 5], data: [1, 1, 1, 1, 1] }],
      outputs: [{ name: 'OUTPUT0', parameters: { classification: 5 } }],
    };
    const { text } = await server.post('ones/infer', body);
    expect(JSON.parse(text)).toMatchObject({
      outputs: [{ datatype: 'BYTES', shape: [1, 5], data: numbersTo5.map((i) => `1.000000:${i}`) }],
    });
    const { response } = await server.grpc.call('ModelInfer', {
      model_name: 'ones',
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 5] }],
      outputs: [{ name: 'OUTPUT0', parameters: { classification: { int64_param: 5 } } }],
      raw_input_contents: [Buffer.from(Float32Array.of(1, 1, 1, 1, 1).buffer)],
    });
    expect(response?.['raw_output_contents']).toEqual([textBytes(...numbersTo5.map((i) => `1.000000:${i}`))]);
  },
});

const numbersTo5 = [0, 1, 2, 3, 4];
