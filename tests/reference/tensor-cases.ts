// Every datatype over HTTP, as JSON and as bytes: extremes, wrong elements, wrong sizes, shapes of all kinds.

import { COMPARED_TYPES } from './reference-models.ts';
import type { WireCase } from './wire-cases.ts';

type Type = (typeof COMPARED_TYPES)[number];

const path = (model: string): string => `/v2/models/${model}/infer`;

/** `data` is JSON text, so that literals of any form can be sent. */
function json(
  name: string,
  type: Type,
  shape: readonly number[],
  data: string,
  model = `echo_${type.toLowerCase()}`,
): WireCase {
  const head = `{"inputs":[{"name":"INPUT0","datatype":"${type}","shape":${JSON.stringify(shape)},"data":${data}}]}`;
  return { name: `${type} ${name}`, method: 'POST', path: path(model), body: head };
}

function raw(
  name: string,
  type: Type,
  shape: readonly number[],
  bytes: Buffer,
  output = 'true',
  model = `echo_${type.toLowerCase()}`,
): WireCase {
  const head = `{"inputs":[{"name":"INPUT0","datatype":"${type}","shape":${JSON.stringify(shape)},"parameters":{"binary_data_size":${bytes.byteLength}}}],"parameters":{"binary_data_output":${output}}}`;
  return {
    name: `${type} ${name}`,
    method: 'POST',
    path: path(model),
    body: Buffer.concat([Buffer.from(head), bytes]),
    headers: { 'Inference-Header-Content-Length': String(Buffer.byteLength(head)) },
  };
}

const EXTREMES: Readonly<Partial<Record<Type, readonly string[]>>> = {
  BOOL: ['[true,false]', '[1,0]', '["true"]', '[null]'],
  UINT8: ['[0,255]', '[256,300]', '[-1]', '[1.0]', '[1e2]', '["1"]', '[true]'],
  UINT16: ['[0,65535]', '[65536]', '[-1]'],
  UINT32: ['[0,4294967295]', '[4294967296]', '[-1]'],
  UINT64: ['[0,18446744073709551615]', '[18446744073709551616]', '[-1]', '[9007199254740993]'],
  INT8: ['[-128,127]', '[200,-129]', '[1.5]', '[true]'],
  INT16: ['[-32768,32767]', '[40000]'],
  INT32: ['[-2147483648,2147483647]', '[2147483648]', '[1e3]', '[-0]'],
  INT64: [
    '[-9223372036854775808,9223372036854775807]',
    '[9223372036854775808]',
    '[-9223372036854775809]',
    '[9007199254740993]',
  ],
  FP16: ['[1.0]'],
  FP32: [
    '[1,2.5,-0.0,0]',
    '[1e38,1e-45,3.4028235e38]',
    '[1e39]',
    '[NaN,Infinity,-Infinity]',
    '[Inf,-Inf]',
    '[0.1,1.1,100,1e30,123456789]',
    '["1"]',
    '[true]',
    '[9007199254740993]',
  ],
  FP64: [
    '[1,2.5,-0.0,0]',
    '[1.7976931348623157e308,5e-324]',
    '[1e309]',
    '[NaN,Infinity,-Infinity]',
    '[0.1,1e21,1e-7,123456789012345680000]',
  ],
  BYTES: [
    '["","abc"]',
    '["a\\u0000b"]',
    '["\\"\\\\\\/\\b\\f\\n\\r\\t\\u001f\\u007f"]',
    '["\u00fc\u20ac\ud83d\ude00"]',
    '["\\u00fc\\u20ac\\ud83d\\ude00"]',
    '["\\ud83d"]',
    '[1]',
    '[null]',
    '[true]',
    '["<>&"]',
  ],
};

function jsonCases(type: Type): WireCase[] {
  const count = (data: string): number => data.split(',').length;
  const literals = (EXTREMES[type] ?? []).map((data) => json(`JSON ${data}`, type, [count(data)], data));
  return [
    ...literals,
    json('no elements', type, [0], '[]'),
    json('no elements but data', type, [0], type === 'BYTES' ? '["x"]' : '[1]'),
    json('empty shape', type, [], type === 'BYTES' ? '["x"]' : '[1]'),
    json('data null', type, [1], 'null'),
    json('data an object', type, [1], '{}'),
  ];
}

const BYTES_OF: Readonly<Record<Type, Buffer>> = {
  BOOL: Buffer.from([0, 1, 2, 255]),
  UINT8: Buffer.from([0, 1, 254, 255]),
  UINT16: Buffer.from(Uint16Array.of(0, 1, 65535).buffer),
  UINT32: Buffer.from(Uint32Array.of(0, 1, 4294967295).buffer),
  UINT64: Buffer.from(BigUint64Array.of(0n, 18446744073709551615n).buffer),
  INT8: Buffer.from(Int8Array.of(-128, 0, 127).buffer),
  INT16: Buffer.from(Int16Array.of(-32768, 0, 32767).buffer),
  INT32: Buffer.from(Int32Array.of(-2147483648, 0, 2147483647).buffer),
  INT64: Buffer.from(BigInt64Array.of(-9223372036854775808n, 9223372036854775807n).buffer),
  FP16: Buffer.from(Uint16Array.of(0x3c00, 0x7c00, 0x7e00).buffer),
  FP32: Buffer.from(Float32Array.of(1.1, NaN, Infinity, -Infinity, -0, 1e-45).buffer),
  FP64: Buffer.from(Float64Array.of(1.1, NaN, Infinity, -Infinity, -0, 5e-324).buffer),
  BYTES: Buffer.concat([texts('a', '', 'b\0c')]),
};

function texts(...values: readonly string[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.from(value);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.byteLength);
      return Buffer.concat([length, bytes]);
    }),
  );
}

const ELEMENT_SIZE: Readonly<Record<string, number>> = { BOOL: 1, BYTES: 0 };

function elementSize(type: Type): number {
  return ELEMENT_SIZE[type] ?? Number(/\d+/.exec(type)?.[0] ?? 8) / 8;
}

function rawCases(type: Type): WireCase[] {
  const bytes = BYTES_OF[type];
  const count = type === 'BYTES' ? 3 : bytes.byteLength / elementSize(type);
  return [
    raw('raw in, raw out', type, [count], bytes),
    raw('raw in, JSON out', type, [count], bytes, 'false'),
    raw('raw, no elements', type, [0], Buffer.alloc(0)),
    raw('raw, no elements but bytes', type, [0], bytes),
    raw('raw, one byte short', type, [count], bytes.subarray(0, -1)),
    raw('raw, one element too many', type, [count - 1], bytes),
    raw('raw, one element too few', type, [count + 1], bytes),
    {
      name: `${type} body without JSON`,
      method: 'POST',
      path: path(`echo_${type.toLowerCase()}`),
      body: bytes,
      headers: { 'Inference-Header-Content-Length': '0' },
    },
  ];
}

const body = (name: string, model: string, bytes: Buffer): WireCase => ({
  name,
  method: 'POST',
  path: path(model),
  body: bytes,
  headers: { 'Inference-Header-Content-Length': '0' },
});
const floats = (count: number): Buffer => Buffer.from(new Float32Array(count).buffer);

const shapes: readonly WireCase[] = [
  json('matrix', 'FP32', [2, 2], '[[1,2],[3,4]]', 'matrix'),
  json('matrix given flat', 'FP32', [2, 2], '[1,2,3,4]', 'matrix'),
  json('matrix nested oddly', 'FP32', [2, 2], '[[1],[2,[3]],4]', 'matrix'),
  json('matrix without rows', 'FP32', [0, 2], '[]', 'matrix'),
  json('matrix without columns', 'FP32', [2, 0], '[]', 'matrix'),
  json('matrix of wrong rank', 'FP32', [4], '[1,2,3,4]', 'matrix'),
  json('fixed shape', 'FP32', [2, 3], '[1,2,3,4,5,6]', 'fixed'),
  json('fixed shape turned round', 'FP32', [3, 2], '[1,2,3,4,5,6]', 'fixed'),
  json('count overflow', 'FP32', [4611686018427387904, 4], '[1]', 'matrix'),
  json('size overflow', 'FP32', [1, 4611686018427387904], '[1]', 'matrix'),
  json('reshaped', 'INT32', [1, 4], '[1,2,3,4]', 'reshaped'),
  json('reshaped, model shape given', 'INT32', [1, 2, 2], '[1,2,3,4]', 'reshaped'),
  json('batch', 'FP32', [2, 3], '[1,2,3,4,5,6]', 'batched'),
  json('batch without columns', 'FP32', [2, 0], '[]', 'batched'),
  json('one text', 'BYTES', [1], '["x"]', 'text'),
  json('two texts where one fits', 'BYTES', [2], '["x","y"]', 'text'),
  json('fewer texts than the shape', 'BYTES', [2], '["x"]', 'wide_text'),
  json('more texts than the shape', 'BYTES', [2], '["x","y","z"]', 'wide_text'),
  json('50 arrays deep', 'INT32', [1], `${'['.repeat(50)}1${']'.repeat(50)}`),
  json('120 arrays deep', 'INT32', [1], `${'['.repeat(120)}1${']'.repeat(120)}`),
  body('raw body for a text model', 'text', Buffer.from('free text')),
  body('raw body for a model of two texts', 'wide_text', Buffer.from('free text')),
  body('raw body for a matrix', 'matrix', floats(4)),
  body('raw body for a fixed shape', 'fixed', floats(6)),
  body('raw body that does not fit', 'fixed', floats(5)),
  body('raw body for a batching model', 'batched', floats(3)),
  body('raw body for a reshaped model', 'reshaped', floats(4)),
  body('empty raw body', 'echo_fp32', Buffer.alloc(0)),
  raw('text whose length runs past the end', 'BYTES', [1], Buffer.from([9, 0, 0, 0, 65])),
  raw('text with half a length', 'BYTES', [2], Buffer.concat([texts('a'), Buffer.from([1, 0])])),
];

export const TENSOR_CASES: readonly WireCase[] = [
  ...COMPARED_TYPES.flatMap(jsonCases),
  ...COMPARED_TYPES.flatMap(rawCases),
  ...shapes,
];
