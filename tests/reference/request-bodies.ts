// Bodies of inference requests in odd shapes and forms, as JSON and as bytes behind JSON, and how to write them.

import { post } from './http-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import { script } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';

export type Json = Readonly<Record<string, unknown>>;
export const send = (model: string, body: string | Json): WireCase => post(`/v2/models/${model}/infer`, body);
const tensor = (datatype: string, shape: unknown, data: unknown, more: Json = {}): Json => ({
  name: 'INPUT0',
  datatype,
  shape,
  data,
  ...more,
});
export const one = (
  model: string,
  datatype: string,
  shape: unknown,
  data: unknown,
  more: Json = {},
): WireCase => send(model, { inputs: [tensor(datatype, shape, data)], ...more });
export const floats = (more: Json = {}, model = 'echo'): WireCase => one(model, 'FP32', [1], [1], more);

/** A JSON head and bytes behind it. */
function mixed(model: string, head: Json, bytes: Buffer, headers: WireCase['headers'] = {}): WireCase {
  const text = Buffer.from(JSON.stringify(head));
  return {
    name: `POST ${model} ${text.toString()} + ${bytes.toString('hex').slice(0, 40)}`,
    method: 'POST',
    path: `/v2/models/${model}/infer`,
    body: Buffer.concat([text, bytes]),
    headers: { 'Inference-Header-Content-Length': String(text.byteLength), ...headers },
  };
}
const binary = (datatype: string, shape: readonly number[], size: unknown): Json => ({
  name: 'INPUT0',
  datatype,
  shape,
  parameters: { binary_data_size: size },
});
export const texts = (...values: readonly (readonly [number, string])[]): Buffer =>
  Buffer.concat(
    values.map(([length, text]) => {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(length >>> 0);
      return Buffer.concat([head, Buffer.from(text)]);
    }),
  );

export const BODIES: readonly ReferenceCase[] = [
  script('bodies of odd shapes', [
    one('echo', 'FP32', [0], []),
    one('echo', 'FP32', [0], [[]]),
    one('echo', 'FP32', [0], [[], []]),
    one('echo', 'FP32', ['1'], [1]),
    one('echo', 'FP32', [1.0], [1]),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1.0],"data":[1]}]}'),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1e0],"data":[1]}]}'),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[01],"data":[1]}]}'),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[+1],"data":[1]}]}'),
    one('echo', 'FP32', [-1], [1]),
    one('echo', 'FP32', [-2], [1]),
    one('echo', 'FP32', [true], [1]),
    one('echo', 'FP32', [null], [1]),
    one('echo', 'FP32', [[1]], [1]),
    one('echo', 'FP32', 1, [1]),
    one('echo', 'FP32', {}, [1]),
    // Shapes near 2^63 end the reference: not asked.
    one('grid', 'FP32', [2, 1, 3], [[[1, 2, 3]], [[4, 5, 6]]]),
    one('grid', 'FP32', [2, 0, 3], []),
    one('grid', 'FP32', [2, 1, 2], [1, 2, 3, 4]),
    one('grid', 'FP32', [1, 1, 3], [1, 2, 3]),
    one('grid', 'FP32', [2, 3], [1, 2, 3, 4, 5, 6]),
    one('grid', 'FP32', [1, 2, 1, 3], [1, 2, 3, 4, 5, 6]),
    one('shorts', 'UINT16', [5, 1], [1, 2, 3, 4, 5]),
    one('shorts', 'UINT16', [0, 1], []),
    one('shorts', 'UINT16', [2], [1, 2]),
    one('shorts', 'UINT16', [4, 0], []),
  ]),
  script('bodies of odd data', [
    one('bools', 'BOOL', [3], [true, false, true]),
    one('bools', 'BOOL', [2], [2, -1]),
    one('bools', 'BOOL', [1], [0.5]),
    one('bools', 'BOOL', [1], [1e300]),
    one('bools', 'BOOL', [1], ['']),
    one('halves', 'FP16', [1], [1]),
    one('halves', 'FP16', [0], []),
    one('halves', 'BF16', [1], [1]),
    one('texts', 'BYTES', [2], ['ü€😀', '\u0000']),
    one('texts', 'BYTES', [1], ['x'.repeat(5000)]),
    one('texts', 'BYTES', [1], [['a']]),
    one('texts', 'BYTES', [2], [['a'], ['b']]),
    one('texts', 'BYTES', [1], [1.5]),
    one('texts', 'BYTES', [1], [{}]),
    one('texts', 'STRING', [1], ['a']),
    one('echo', 'fp32', [1], [1]),
    one('echo', ' FP32', [1], [1]),
    one('echo', 'TYPE_FP32', [1], [1]),
    one('echo', 'FP32', [1], [[[[1]]]]),
    one('echo', 'FP32', [3], [1, [2], [[3]]]),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1,]}]}'),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[.5]}]}'),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[5.]}]}'),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[0x10]}]}'),
    send('echo', "{'inputs':[]}"),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1]},]}'),
    send('echo', '{"inputs":[{"name":"INPUT0","name":"INPUT1","datatype":"FP32","shape":[1],"data":[1]}]}'),
    send('echo', '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1]}],"inputs":[]}'),
    send('echo', '{"inputs":[{"name":"INPUT\\u0030","datatype":"FP32","shape":[1],"data":[1]}]}'),
    send('echo', { inputs: [tensor('FP32', [1], [1], { more: 1, parameters: { x: 'y' } })] }),
    send('echo', { inputs: [tensor('FP32', [1], [1], { parameters: 5 })] }),
    send('echo', { inputs: [null] }),
    send('echo', { inputs: ['INPUT0'] }),
    send('echo', { inputs: [[]] }),
    send('echo', { inputs: [tensor('FP32', [1], [1])], more: { of: ['anything'] } }),
    floats({ outputs: [] }),
    floats({ outputs: null }),
    floats({ outputs: [{ name: 'OUTPUT0', parameters: null }] }),
    floats({ outputs: [{ name: 'OUTPUT0', parameters: {} }] }),
    floats({ outputs: [{ name: 'OUTPUT0', parameters: { binary_data: 1 } }] }),
    floats({ outputs: [{ name: 'OUTPUT0', parameters: { binary_data: 'true' } }] }),
    floats({ outputs: [{ name: 'OUTPUT0', parameters: { classification: 2 } }] }),
    floats({ outputs: [{ name: 'OUTPUT0', parameters: { classification: 1.5 } }] }),
    floats({ outputs: [{ name: 'OUTPUT0', parameters: { classification: 1, binary_data: false } }] }),
    floats({ outputs: [{ name: 'OUTPUT0', parameters: { unknown: [1] } }] }),
    floats({ outputs: [{}] }),
    floats({ outputs: [{ name: 5 }] }),
    floats({ outputs: ['OUTPUT0'] }),
    one('bools', 'BOOL', [3], [true, false, true], {
      outputs: [{ name: 'OUTPUT0', parameters: { classification: 2 } }],
    }),
    one('shorts', 'UINT16', [2, 3], [3, 1, 2, 9, 9, 9], {
      outputs: [{ name: 'OUTPUT0', parameters: { classification: 3 } }],
    }),
    one('grid', 'FP32', [2, 1, 3], [1, 2, 3, 6, 5, 4], {
      outputs: [{ name: 'OUTPUT0', parameters: { classification: 2 } }],
    }),
    // Classes of nothing end the reference too.
    send('echo', '{"inputs":[] "x":1}'),
    send('echo', '{"inputs":[1 2]}'),
    send('echo', '{"inputs":['),
    send('echo', '{"a":1,}'),
  ]),
  script('bodies of bytes', [
    mixed('texts', { inputs: [binary('BYTES', [2], 11)] }, texts([3, 'abc'], [0, ''])),
    mixed('texts', { inputs: [binary('BYTES', [1], 7)] }, texts([4, 'abc'])),
    mixed('texts', { inputs: [binary('BYTES', [1], 7)] }, texts([2, 'abc'])),
    mixed('texts', { inputs: [binary('BYTES', [1], 7)] }, texts([-1, 'abc'])),
    mixed('texts', { inputs: [binary('BYTES', [1], 3)] }, Buffer.from('abc')),
    mixed('texts', { inputs: [binary('BYTES', [0], 0)] }, Buffer.alloc(0)),
    mixed('texts', { inputs: [binary('BYTES', [1], 5)] }, texts([1, '\xff'])),
    mixed(
      'texts',
      { inputs: [binary('BYTES', [1], 5)], parameters: { binary_data_output: true } },
      Buffer.from([1, 0, 0, 0, 255]),
    ),
    mixed('bools', { inputs: [binary('BOOL', [3], 3)] }, Buffer.from([0, 1, 7])),
    mixed('halves', { inputs: [binary('FP16', [2], 4)] }, Buffer.from([0, 60, 0, 64])),
    mixed(
      'halves',
      { inputs: [binary('FP16', [2], 4)], parameters: { binary_data_output: true } },
      Buffer.from([0, 60, 0, 64]),
    ),
    mixed('echo', { inputs: [binary('FP32', [1], '4')] }, Buffer.alloc(4)),
    mixed('echo', { inputs: [binary('FP32', [1], 4.0)] }, Buffer.alloc(4)),
    mixed('echo', { inputs: [binary('FP32', [1], 4.5)] }, Buffer.alloc(4)),
    mixed('echo', { inputs: [binary('FP32', [1], -4)] }, Buffer.alloc(4)),
    mixed('echo', { inputs: [binary('FP32', [1], null)] }, Buffer.alloc(4)),
    mixed('echo', { inputs: [binary('FP32', [1], 0)] }, Buffer.alloc(0)),
    mixed('echo', { inputs: [{ ...binary('FP32', [1], 4), data: [5] }] }, Buffer.alloc(4)),
    mixed('echo', { inputs: [tensor('FP32', [1], [5])] }, Buffer.alloc(4)),
    mixed('echo', { inputs: [tensor('FP32', [1], [5])] }, Buffer.alloc(0)),
    mixed('echo', { inputs: [binary('FP32', [1], 4)] }, Buffer.alloc(4), { 'Content-Type': 'text/plain' }),
    mixed('echo', { inputs: [binary('FP32', [1], 4)] }, Buffer.alloc(4), { 'Accept-Encoding': 'identity' }),
    mixed(
      'echo',
      { inputs: [binary('FP32', [1], 4)], parameters: { binary_data_output: false } },
      Buffer.alloc(4),
    ),
    mixed(
      'echo',
      { inputs: [binary('FP32', [1], 4)], parameters: { binary_data_output: 'yes' } },
      Buffer.alloc(4),
    ),
    mixed(
      'echo',
      {
        inputs: [binary('FP32', [1], 4)],
        outputs: [{ name: 'OUTPUT0', parameters: { binary_data: false } }],
        parameters: { binary_data_output: true },
      },
      Buffer.alloc(4),
    ),
    mixed(
      'grid',
      { inputs: [binary('FP32', [2, 0, 3], 0)], parameters: { binary_data_output: true } },
      Buffer.alloc(0),
    ),
  ]),
];
