// One configured input as the request checks need it.

import type { ModelInput } from '../../src-shared/config/model-config.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { dataTypeFromConfig, elementByteSize } from '../../src-shared/datatypes.ts';

/** What is worked out once, when a model loads, to check one of its inputs quickly. */
export interface InputPlan {
  readonly name: string;
  readonly datatype: DataType | 'INVALID';
  /** Bytes of one element; 0 for BYTES. */
  readonly elementByteSize: number;
  /** Without batch dimension, -1 = any. */
  readonly dims: readonly number[];
  /** Model-side dims, -1 taking the values the wildcards of `dims` matched. */
  readonly reshape: readonly number[] | undefined;
  readonly isOptional: boolean;
  readonly isShapeTensor: boolean;
  readonly isNonLinear: boolean;
}

/**
 * Read once per model, so that checking a request looks nothing up. A `data_type` without a wire type becomes
 * 'INVALID' with element size 0: a request for that input is refused.
 */
export function createInputPlan(input: ModelInput): InputPlan {
  const datatype = dataTypeFromConfig(input.dataType);
  return {
    name: input.name,
    datatype: datatype ?? 'INVALID',
    elementByteSize: datatype === undefined ? 0 : elementByteSize(datatype),
    dims: input.dims,
    reshape: input.reshape?.shape,
    isOptional: input.optional,
    isShapeTensor: input.isShapeTensor,
    isNonLinear: input.isNonLinearFormatIo,
  };
}
