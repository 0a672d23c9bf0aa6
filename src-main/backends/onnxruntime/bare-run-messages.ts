// What passes between a bare session and its worker thread.

import type { DataType } from '../../../src-shared/datatypes.ts';

export interface BareTensor {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  /** Elements, little-endian; empty for BYTES. */
  readonly bytes: Uint8Array;
  /** Elements of BYTES tensors. */
  readonly texts: readonly string[] | undefined;
}

export interface BareRun {
  readonly inputs: readonly BareTensor[];
  /** Empty = all. */
  readonly outputs: readonly string[];
}

export type BareAnswer = { readonly outputs: readonly BareTensor[] } | { readonly error: string };
