// What comes back for whole requests: their body, parameters, headers, outputs, and what the model answers.

import { testReplies } from './infer-cases.ts';
import { request } from './infer-models.ts';

const RESERVED =
  "parameter keys starting with 'triton_' are reserved for Triton usage and should not be specified.";

testReplies('infer over HTTP', [
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
    name: 'place in no region, of another type',
    body: {
      ...request(),
      outputs: [{ name: 'OUTPUT0', parameters: { shared_memory_byte_size: '4', binary_data: 1 } }],
    },
    status: 500,
    reply:
      "Unable to parse 'shared_memory_byte_size': attempt to access JSON non-unsigned-integer as unsigned-integer",
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
    name: 'a sequence id of few characters and many bytes',
    body: { parameters: { sequence_id: 'ä'.repeat(65) }, ...request() },
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
]);
