// Configurations of TorchScript models.

import { tensor } from './framework-world.ts';

/** The datatype of all tensors here. */
export const FP32 = 'TYPE_FP32';

/** Tensors in the text format, see `tensor`. */
interface Sides {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly more?: string;
}

/** A TorchScript model of batches up to 8, unless `more` says another size. */
export function config({ inputs, outputs, more = '' }: Sides): string {
  return `platform: "pytorch_libtorch" ${more.includes('max_batch_size') ? '' : 'max_batch_size: 8'}
    input [ ${inputs.join(', ')} ] output [ ${outputs.join(', ')} ] ${more}`;
}

/** FP32 [2] of each name, in the text format. */
export const vectors = (...names: readonly string[]): string[] =>
  names.map((name) => tensor(name, FP32, '2'));
/** The same with inputs and outputs FP32 [2] of these names. */
export const pair = (inputs: readonly string[], outputs: readonly string[], more = ''): string =>
  config({ inputs: vectors(...inputs), outputs: vectors(...outputs), more });
