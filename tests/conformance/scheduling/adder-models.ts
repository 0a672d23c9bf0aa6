// Models that add a number, and what asks for one: for tests of what is served after a load or a reload.

import { writeOnnx } from '../../../src-main/onnx/onnx-writer.ts';
import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';
import { WireWorld } from './wire-world.ts';
import type { WireRequest } from './wire-world.ts';

/** O = I + add, INT32 [batch, 2]. */
export function adder(add: number): Uint8Array {
  return writeOnnx({
    graph: {
      name: 'adder',
      nodes: [{ opType: 'Add', inputs: ['I', 'add'], outputs: ['O'] }],
      inputs: [{ name: 'I', datatype: 'INT32', shape: ['batch', 2] }],
      outputs: [{ name: 'O', datatype: 'INT32', shape: ['batch', 2] }],
      initializers: [
        { name: 'add', datatype: 'INT32', dims: [1], data: new Uint8Array(Int32Array.of(add).buffer) },
      ],
    },
  });
}

/** Of such a model, with one instance. */
export const CONFIG = `platform: "onnxruntime_onnx" max_batch_size: 4
input [ { name: "I" data_type: TYPE_INT32 dims: [ 2 ] } ] output [ { name: "O" data_type: TYPE_INT32 dims: [ 2 ] } ]
instance_group { kind: KIND_CPU count: 1 }`;
const ASK: WireRequest = { inputs: [{ name: 'I', shape: [1, 2], data: [10, 20] }] };

/** A server that loads nothing but `startupModels` by itself, and runs without them too. */
export const explicit = (files: RepositoryFiles, startupModels: string[] = []): Promise<WireWorld> =>
  WireWorld.create(files, { options: { repository: { startupModels }, server: { exitOnError: false } } });

/** First element of the answer, or the error. */
export async function ask(server: WireWorld, model: string, version?: string): Promise<unknown> {
  const request = version === undefined ? ASK : { ...ASK, version };
  const reply = await server.send(model, request).done;
  return reply.error === '' ? reply.outputs[0]?.data[0] : reply.error;
}
