// Models of the server under attack. `sure` is left alone by every attack: its answers tell whether the server is well.

import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { echo, model } from '../../tests/conformance/checklist/checklist-models.ts';

/** One model each of attacks with tensors, `t_INT32` and so on: INPUT0 comes back as OUTPUT0. */
export const TENSOR_TYPES = [
  'INT32',
  'INT8',
  'UINT8',
  'INT64',
  'FP32',
  'FP64',
  'BOOL',
  'FP16',
  'BYTES',
] as const;
/** The datatypes of the attacked models. */
export type TensorType = (typeof TENSOR_TYPES)[number];

/** All of them give their inputs back: one for each datatype, and one with several inputs. */
export function victimModels(): RepositoryFiles {
  return {
    ...echo('sure', 'INT32', [-1]),
    ...model('m', {
      inputs: [
        ['INPUT0', 'INT32', [-1, -1]],
        ['INPUT1', 'BYTES', [-1]],
        ['INPUT2', 'FP32', [-1]],
      ],
    }),
    ...model('echo', { inputs: [['INPUT', 'INT32', [-1, -1]]] }),
    ...Object.assign({}, ...TENSOR_TYPES.map((type) => echo(`t_${type}`, type, [-1, -1]))),
  };
}
