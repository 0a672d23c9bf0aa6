// What a model answers. Output bytes are in wire layout (little-endian, packed; BYTES with 4-byte length prefixes)
// and are views: whoever keeps them past the callback owns the underlying buffer together with the other outputs.

import type { DataType } from '../../src-shared/datatypes.ts';
import type { ServerError } from '../../src-shared/errors.ts';

/** Values a request or response parameter can have; integers are bigint so that uint64 survives. */
export type ParameterValue = string | bigint | number | boolean;

/** `bytes` has as many elements of `datatype` as the product of `shape`. */
export interface OutputTensor {
  readonly name: string;
  readonly datatype: DataType;
  /** Full shape as the client sees it (batch dimension included, output reshape already undone). */
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** One response of a request: outputs, or an error. */
export interface InferenceResponse {
  readonly modelName: string;
  /** The version that ran, as decimal text ("1"). */
  readonly modelVersion: string;
  readonly id: string;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly outputs: readonly OutputTensor[];
  readonly error: ServerError | undefined;
  /**
   * Set when the memory of the outputs can be freed early. Whoever sends them to the client calls it when no byte of them
   * is needed any more; who passes them on to others, or keeps them, does not.
   */
  readonly giveBack?: (() => void) | undefined;
}

/** For responses without parameters; shared, so never written to. */
export const NO_PARAMETERS: ReadonlyMap<string, ParameterValue> = new Map();
