// HTTP inference requests in the binary encoding, as complete messages ready to be written to a socket.

import type { ClientTensor } from '../src-main/client/infer-client.ts';
import { httpMessage } from '../src-main/perf/data/http-message.ts';

function inferMessage(model: string, inputs: readonly ClientTensor[], outputs: readonly string[]): Buffer {
  const request = {
    model,
    version: '',
    id: '',
    inputs,
    outputs: outputs.map((name) => ({ name, classCount: 0 })),
    parameters: new Map(),
  };
  const options = {
    address: '127.0.0.1',
    inputEncoding: 'binary',
    outputEncoding: 'binary',
    headers: [],
  } as const;
  return httpMessage(request, options);
}

/** Two rows of sixteen integers. */
export function tinyMessage(): Buffer {
  const input = (name: string, factor: number): ClientTensor => ({
    name,
    datatype: 'INT32',
    shape: [1, 16],
    bytes: new Uint8Array(Int32Array.from({ length: 16 }, (_, index) => index * factor).buffer),
  });
  return inferMessage('tiny', [input('INPUT0', 1), input('INPUT1', 2)], ['OUTPUT0', 'OUTPUT1']);
}

/** One FP32 input filled with a slow wave. */
export function floatMessage(model: string, shape: readonly number[]): Buffer {
  const count = shape.reduce((product, dim) => product * dim, 1);
  const values = Float32Array.from({ length: count }, (_, index) => Math.sin(index / 100));
  const bytes = new Uint8Array(values.buffer);
  return inferMessage(model, [{ name: 'INPUT', datatype: 'FP32', shape, bytes }], ['OUTPUT']);
}
