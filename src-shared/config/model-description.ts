// What a model file says about itself, as far as a configuration can be derived from it. Filled by backends, read by
// auto-completion, interface checks and the editor.

import type { DataType } from '../datatypes.ts';

export interface DescribedTensor {
  readonly name: string;
  /** Undefined when the element type has no counterpart in the protocol (complex, float8, int4, ...). */
  readonly datatype: DataType | undefined;
  /** As the format names it: "float16", "string", "complex64"; "sequence", "map" ... for what is no tensor. */
  readonly onnxType: string;
  /** Complete shape; -1 = dynamic. Empty for scalars and for tensors whose rank is not given. */
  readonly shape: readonly number[];
  /** Per dimension: the symbolic name of a dynamic one ("batch"). Same length as `shape`. */
  readonly symbolicDims: readonly (string | undefined)[];
  /** False for sequences, maps, optionals and sparse tensors. */
  readonly isTensor: boolean;
}

export interface ModelDescription {
  /** Values a run needs, in graph order; initialisers excluded. */
  readonly inputs: readonly DescribedTensor[];
  readonly outputs: readonly DescribedTensor[];
  /** Graph inputs that have a default value (initialisers listed as inputs); a request may override them. */
  readonly overridableInputs: readonly DescribedTensor[];
}
