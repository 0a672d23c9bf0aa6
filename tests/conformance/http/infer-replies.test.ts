// Infer requests over real sockets, each with the exact reply or fault that must come back. The service behind is a
// fake, so only the frontend's own rules are under test here.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HttpFixture } from '../../../src-main/testing/http-fixture.ts';
import { INFER_FIXTURE, request, tensor, without } from './infer-models.ts';

let fixture: HttpFixture;

beforeAll(async () => {
  fixture = await HttpFixture.start(INFER_FIXTURE);
});

afterAll(async () => {
  await vi.waitFor(() => expect(fixture.service.openUses).toBe(0));
  await fixture.close();
});

interface Case {
  readonly name: string;
  readonly model?: string;
  readonly version?: string;
  readonly body: object | string;
  readonly headers?: Record<string, string>;
  readonly status: number;
  /** Whole body when it starts with `{`, else a part of the error text. */
  readonly reply: string;
}

const RESERVED =
  "parameter keys starting with 'triton_' are reserved for Triton usage and should not be specified.";

const CASES: readonly Case[] = [
  {
    name: 'answers JSON with JSON',
    body: { id: '7', ...request() },
    status: 200,
    reply:
      '{"id":"7","model_name":"ints","model_version":"1","outputs":[{"name":"OUTPUT0","datatype":"INT32","shape":[2],"data":[1,2]}]}',
  },
  {
    name: 'treats an empty id as none',
    body: { id: '', ...request() },
    status: 200,
    reply:
      '{"model_name":"ints","model_version":"1","outputs":[{"name":"OUTPUT0","datatype":"INT32","shape":[2],"data":[1,2]}]}',
  },
  {
    name: 'prints floats with a decimal',
    model: 'floats',
    body: '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[5],"data":[0.5,2,1.1,NaN,-Inf]}]}',
    status: 200,
    reply:
      '{"model_name":"floats","model_version":"1","outputs":[{"name":"OUTPUT0","datatype":"FP32","shape":[5],"data":[0.5,2.0,1.100000023841858,NaN,-Infinity]}]}',
  },
  {
    name: 'keeps 64-bit integers',
    model: 'longs',
    body: '{"inputs":[{"data":[[9007199254740993],[-9223372036854775808]],"shape":[2],"name":"INPUT0","datatype":"INT64"}]}',
    status: 200,
    reply:
      '{"model_name":"longs","model_version":"1","outputs":[{"name":"OUTPUT0","datatype":"INT64","shape":[2],"data":[9007199254740993,-9223372036854775808]}]}',
  },
  {
    name: 'keeps zero bytes in strings',
    model: 'text',
    body: request({ datatype: 'BYTES', data: ['abc\0def', 'é"/'] }),
    status: 200,
    reply:
      '{"model_name":"text","model_version":"1","outputs":[{"name":"OUTPUT0","datatype":"BYTES","shape":[2],"data":["abc\\u0000def","é\\"/"]}]}',
  },
  {
    name: 'unknown model',
    model: 'nope',
    body: request(),
    status: 404,
    reply: `{"error":"Request for unknown model: 'nope' is not found"}`,
  },
  { name: 'unknown version', version: '99', body: request(), status: 404, reply: 'version 99 is not found' },
  { name: 'unready model', model: 'loading', body: request(), status: 503, reply: 'is not at ready state' },
  {
    name: 'decoupled model',
    model: 'stream',
    body: request(),
    status: 501,
    reply: `{"error":"HTTP end point doesn't support models with decoupled transaction policy"}`,
  },
  {
    name: 'no JSON',
    body: 'x',
    status: 500,
    reply: 'failed to parse the request JSON buffer: Invalid value. at 0',
  },
  {
    name: 'binary bytes without header',
    body: `${JSON.stringify(request())}\u0001\u0002`,
    status: 500,
    reply: 'The document root must not be followed by other values.',
  },
  {
    name: 'id of another type',
    body: { id: 7, ...request() },
    status: 500,
    reply: `{"error":"Unable to parse 'id': attempt to access JSON non-string as string"}`,
  },
  {
    name: 'parameters of another type',
    body: { parameters: [], ...request() },
    status: 500,
    reply: '{"error":"failed to get request params.: attempt to get members for non-object"}',
  },
  {
    name: 'no inputs',
    body: {},
    status: 500,
    reply: `{"error":"Unable to parse 'inputs': attempt to access non-existing object member 'inputs'"}`,
  },
  {
    name: 'inputs of another type',
    body: { inputs: {} },
    status: 500,
    reply: "Unable to parse 'inputs': attempt to access JSON non-array as array",
  },
  {
    name: 'input without data',
    body: without('data'),
    status: 400,
    reply:
      "Input must set only one of the following fields: 'data', 'binary_data_size' in 'parameters', 'shared_memory_region' in 'parameters'. But no field is set",
  },
  {
    name: 'input with two sources',
    body: request({ parameters: { binary_data_size: 8 } }),
    status: 400,
    reply: "But set 'data' 'binary_data_size'",
  },
  {
    name: 'input without name',
    body: without('name'),
    status: 500,
    reply: "Unable to parse 'name': attempt to access non-existing object member 'name'",
  },
  {
    name: 'input without datatype',
    body: without('datatype'),
    status: 500,
    reply: "Unable to parse 'datatype'",
  },
  {
    name: 'negative dimension',
    body: request({ shape: [-1] }),
    status: 500,
    reply: `{"error":"Unable to parse 'shape': attempt to access JSON non-unsigned-integer as unsigned-integer"}`,
  },
  {
    name: 'fractional dimension',
    body: '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[2.0],"data":[1,2]}]}',
    status: 500,
    reply: 'non-unsigned-integer',
  },
  {
    name: 'too few elements',
    body: request({ shape: [3] }),
    status: 500,
    reply: `{"error":"Failed to parse 'data' field: shape does not match true shape"}`,
  },
  {
    name: 'too many elements',
    body: request({ shape: [1] }),
    status: 500,
    reply: `{"error":"Unable to parse 'data': Shape does not match true shape of 'data' field"}`,
  },
  {
    name: 'too many elements',
    model: 'floats',
    body: request({ datatype: 'FP32', shape: [16], data: Array(18).fill(1.5) }),
    status: 500,
    reply: `{"error":"Unable to parse 'data': Shape does not match true shape of 'data' field"}`,
  },
  {
    name: 'data of another type',
    body: request({ data: 'x' }),
    status: 500,
    reply: `{"error":"Unable to parse 'data': attempt to access JSON non-array as array"}`,
  },
  {
    name: 'bool as integer',
    body: request({ data: [true, 1] }),
    status: 500,
    reply: 'non-signed-integer as signed-integer',
  },
  {
    name: 'number as string',
    model: 'text',
    body: request({ datatype: 'BYTES', data: ['a', 1] }),
    status: 500,
    reply: `{"error":"Unable to parse JSON bytes array: attempt to access JSON non-string as string"}`,
  },
  {
    name: 'FP16 as JSON',
    body: request({ datatype: 'FP16' }),
    status: 400,
    reply:
      'receiving FP16 data via JSON is not supported. Please use the binary data format for input INPUT0',
  },
  {
    name: 'no datatype',
    body: request({ datatype: 'FP31' }),
    status: 400,
    reply: 'invalid datatype for input INPUT0',
  },
  {
    name: 'element count overflow',
    body: request({ shape: [4294967296, 4294967296] }),
    status: 400,
    reply:
      "invalid shape for input 'INPUT0': shape [4294967296,4294967296] causes total element count to exceed maximum size of 9223372036854775807",
  },
  {
    name: 'byte size overflow',
    body: '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[9223372036854775807],"data":[1]}]}',
    status: 400,
    reply:
      "byte size overflow for input 'INPUT0': element count (9223372036854775807) * data type size (4) exceeds maximum allowed size (9223372036854775807)",
  },
  {
    name: 'invalid dimension',
    body: '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[9223372036854775808],"data":[1]}]}',
    status: 400,
    reply: 'shape [-9223372036854775808] contains one or more invalid dimensions',
  },
  {
    name: 'JSON tensor above the limit',
    body: request({ shape: [1025] }),
    status: 400,
    reply:
      "JSON input 'INPUT0' has a byte_size (4100 bytes) that exceeds the maximum allowed value of 4096 bytes. Use --http-max-input-size to increase the limit.",
  },
  {
    name: 'JSON part above the limit',
    body: request({ name: 'x'.repeat(4096) }),
    status: 400,
    reply:
      'exceeds the maximum allowed input size of 4096 bytes. Use --http-max-input-size to increase the limit.',
  },
  {
    name: 'input twice',
    body: { inputs: [tensor(), tensor()] },
    status: 400,
    reply: "[request id: <id_unknown>] input 'INPUT0' already exists in request",
  },
  {
    name: 'output twice',
    body: { id: 'a', ...request(), outputs: [{ name: 'OUTPUT0' }, { name: 'OUTPUT0' }] },
    status: 400,
    reply: "[request id: a] output 'OUTPUT0' already exists in request",
  },
  {
    name: 'classification of another type',
    body: { ...request(), outputs: [{ name: 'OUTPUT0', parameters: { classification: -1 } }] },
    status: 500,
    reply: "Unable to set 'classification': ",
  },
  {
    name: 'binary_data of another type',
    body: { ...request(), outputs: [{ name: 'OUTPUT0', parameters: { binary_data: 1 } }] },
    status: 500,
    reply: "Unable to parse 'binary_data': attempt to access JSON non-boolean as boolean",
  },
  {
    name: 'region and classification',
    body: {
      ...request(),
      outputs: [{ name: 'OUTPUT0', parameters: { classification: 1, shared_memory_region: 'r' } }],
    },
    status: 400,
    reply: "Output can't set both 'shared_memory_region' and 'classification'",
  },
  {
    name: 'region and binary',
    body: {
      ...request(),
      outputs: [{ name: 'OUTPUT0', parameters: { binary_data: true, shared_memory_region: 'r' } }],
    },
    status: 400,
    reply: "Output can't set both 'shared_memory_region' and 'binary_data'",
  },
  {
    name: 'unknown region',
    body: {
      inputs: [
        {
          name: 'INPUT0',
          datatype: 'INT32',
          shape: [1],
          parameters: { shared_memory_region: 'gone', shared_memory_byte_size: 4 },
        },
      ],
    },
    status: 404,
    reply: "Unable to find shared memory region: 'gone'",
  },
  {
    name: 'reserved parameter',
    body: { parameters: { triton_x: 1 }, ...request() },
    status: 400,
    reply: RESERVED,
  },
  {
    name: 'null parameter',
    body: { parameters: { x: null }, ...request() },
    status: 400,
    reply: "parameter 'x' has invalid type. It should be either 'int', 'bool', or 'string'.",
  },
  {
    name: 'negative priority',
    body: { parameters: { priority: -1 }, ...request() },
    status: 500,
    reply: "Unable to parse 'priority': attempt to access JSON non-unsigned-integer as unsigned-integer",
  },
  {
    name: 'long sequence id',
    body: { parameters: { sequence_id: 'x'.repeat(129) }, ...request() },
    status: 501,
    reply: 'string correlation ID cannot be longer than 128 characters',
  },
  {
    name: 'reserved header',
    body: request(),
    headers: { sequence_id: '1' },
    status: 400,
    reply: "Header 'sequence_id' is reserved for Triton usage and cannot be forwarded.",
  },
  {
    name: 'no response',
    model: 'silent',
    body: request(),
    status: 500,
    reply: '{"error":"expected a single response, got 0"}',
  },
  {
    name: 'two responses',
    model: 'chatty',
    body: request(),
    status: 500,
    reply: '{"error":"expected a single response, got 2"}',
  },
  {
    name: 'output bytes that do not fit',
    model: 'ragged',
    body: request(),
    status: 500,
    reply: "Failed to write 'data' field: output tensor shape does not match size of output for 'OUTPUT0'",
  },
  {
    name: 'header length of no number',
    body: request(),
    headers: { 'Inference-Header-Content-Length': 'abc' },
    status: 400,
    reply: 'Unable to parse Inference-Header-Content-Length, got: abc',
  },
  {
    name: 'header length out of range',
    body: request(),
    headers: { 'Inference-Header-Content-Length': '99999999999' },
    status: 400,
    reply:
      'Unable to parse Inference-Header-Content-Length, value is out of range [ -2147483648, 2147483647 ], got: 99999999999',
  },
  {
    name: 'header length above the body',
    body: '{}',
    headers: { 'Inference-Header-Content-Length': '3' },
    status: 400,
    reply: 'inference header size should be in range (0, 2), got: 3',
  },
  {
    name: 'negative header length',
    body: '{}',
    headers: { 'Inference-Header-Content-Length': '-1' },
    status: 400,
    reply: 'inference header size should be in range (0, 2), got: -1',
  },
];

describe('infer over HTTP', () => {
  test.each(CASES)('$status: $name', async ({ model = 'ints', version, body, headers, status, reply }) => {
    const path = `/v2/models/${model}${version === undefined ? '' : `/versions/${version}`}/infer`;
    const seen = await fixture.call({
      path,
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(headers === undefined ? {} : { headers }),
    });
    expect(seen.headers['content-type']).toBe('application/json');
    expect(Number(seen.headers['content-length'])).toBe(seen.body.length);
    if (reply.startsWith('{')) expect(seen.text).toBe(reply);
    else expect((JSON.parse(seen.text) as { error: string }).error).toContain(reply);
    expect(seen.status).toBe(status);
  });
});
