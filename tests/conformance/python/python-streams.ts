// Streams of decoupled models over gRPC: the first value of each response, and the errors, until the request has ended.

import type { PythonWorld } from './python-world.ts';

export interface StreamedValues {
  readonly values: readonly number[];
  readonly errors: readonly string[];
}

/** Sends one request with INPUT0 (FP32) and reads its responses to the end. */
export function streamValues(
  world: PythonWorld,
  model: string,
  parameters: Readonly<Record<string, string>> = {},
  input: readonly number[] = [1],
): Promise<StreamedValues> {
  const values: number[] = [];
  const errors: string[] = [];
  const { promise, resolve } = Promise.withResolvers<StreamedValues>();
  const stream = world.grpc.stream({
    onMessage: ({ errorMessage, response }) => {
      if (errorMessage !== '') {
        errors.push(errorMessage);
        return;
      }
      const bytes = response.outputs[0]?.bytes;
      if (bytes !== undefined) values.push(new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true));
    },
    onEnd: () => resolve({ values, errors }),
  });
  stream.send({
    model,
    version: '',
    id: '',
    inputs: [
      {
        name: 'INPUT0',
        datatype: 'FP32',
        shape: [input.length],
        bytes: new Uint8Array(Float32Array.from(input).buffer),
      },
    ],
    outputs: [],
    parameters: new Map(Object.entries(parameters)),
  });
  stream.halfClose();
  return promise;
}
