// What passes between a bare session and its worker thread.

import type { DataType } from '../../../src-shared/datatypes.ts';

/** A tensor of a run outside of the server, for probes and comparisons. */
export interface BareTensor {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  /** Elements, little-endian; empty for BYTES. */
  readonly bytes: Uint8Array;
  /** Elements of BYTES tensors. */
  readonly texts: readonly string[] | undefined;
}

/** One run of such a session. */
export interface BareRun {
  readonly inputs: readonly BareTensor[];
  /** Empty = all. */
  readonly outputs: readonly string[];
}

/** What came of a run; `error` is the library's own text. */
export type BareAnswer = { readonly outputs: readonly BareTensor[] } | { readonly error: string };
