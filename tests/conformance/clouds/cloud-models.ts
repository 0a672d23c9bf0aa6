// A model that answers its input, and bodies for it.

import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';

/** One FP32 tensor of any length in and out. */
export function identityFiles(name: string): RepositoryFiles {
  return {
    [`${name}/1/`]: '',
    [`${name}/config.pbtxt`]: `backend: "identity"
input { name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] }
output { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }`,
  };
}

export const JSON_BODY = JSON.stringify({
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2], data: [1, 2] }],
});

/** The JSON part of `BINARY_BODY`. */
export const BINARY_HEAD = JSON.stringify({
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2], parameters: { binary_data_size: 8 } }],
  outputs: [{ name: 'OUTPUT0', parameters: { binary_data: true } }],
});

export const BINARY_BODY = Buffer.concat([
  Buffer.from(BINARY_HEAD),
  Buffer.from(new Float32Array([3, 4]).buffer),
]);
