// What comes back for inputs that are not as they should be: their fields, shape, data and size.

import { testReplies } from './infer-cases.ts';
import { request, tensor, without } from './infer-models.ts';

testReplies('inputs over HTTP', [
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
    name: 'place in no region, of another type',
    body: request({ parameters: { shared_memory_offset: -1 } }),
    status: 500,
    reply:
      "Unable to parse 'shared_memory_offset': attempt to access JSON non-unsigned-integer as unsigned-integer",
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
]);
