// An infer request as its JSON part describes it: plain data that can cross from a worker thread. Where the bytes of
// binary and shared-memory inputs are is said by offsets; only JSON tensors carry bytes.

import type { DataType } from '../../../src-shared/datatypes.ts';
import type { WireError } from '../../../src-shared/errors.ts';
import type { CorrelationId } from '../../inference/inference-request.ts';
import type { ParameterValue } from '../../inference/inference-response.ts';

/**
 * Bytes within a registered region. Numbers as the client wrote them, unchecked; a bigint where a double would
 * lose digits.
 */
export interface SharedMemoryPlace {
  readonly region: string;
  readonly offset: number | bigint;
  readonly byteSize: number | bigint;
}

/** An input as the JSON of a request names it; nothing of it is checked against the model yet. */
export interface ParsedInput {
  readonly name: string;
  /** As sent; may be no datatype at all. */
  readonly datatype: string;
  readonly shape: readonly number[];
  /** Exactly one of the three. */
  readonly json: Uint8Array | undefined;
  /** In the bytes behind the JSON part. */
  readonly binary: { readonly offset: number; readonly byteSize: number } | undefined;
  readonly shared: SharedMemoryPlace | undefined;
}

/** An output that a request asks for. */
export interface ParsedOutput {
  readonly name: string;
  readonly isBinary: boolean;
  /** 0 = off. */
  readonly classCount: number;
  readonly shared: SharedMemoryPlace | undefined;
}

/** The JSON part of a request, with defaults for what was left out. */
export interface ParsedInfer {
  id: string;
  correlationId: CorrelationId;
  flags: number;
  priority: bigint;
  timeoutUs: number;
  /** Format of outputs that are not listed. */
  isBinaryByDefault: boolean;
  parameters: Map<string, ParameterValue> | undefined;
  readonly inputs: ParsedInput[];
  readonly outputs: ParsedOutput[];
  /** The fault that ended parsing; what was read before it is there. */
  fault: WireError | undefined;
  /** What the last request that was read as this one was answered with. */
  remembered: RememberedReply | undefined;
}

/** The JSON part of an answer whose outputs are all binary, and all that it was made of. */
export interface RememberedReply {
  readonly id: string;
  readonly modelName: string;
  readonly modelVersion: string;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly outputs: readonly {
    readonly name: string;
    readonly datatype: DataType;
    readonly shape: readonly number[];
    readonly byteSize: number;
  }[];
  /** A byte string. */
  readonly json: string;
  /** Sum of the outputs' bytes. */
  readonly binaryByteSize: number;
}

/** What stands for a field that the JSON leaves out; the arrays are to be filled. */
export function emptyParsedInfer(): ParsedInfer {
  return {
    id: '',
    correlationId: 0n,
    flags: 0,
    priority: 0n,
    timeoutUs: 0,
    isBinaryByDefault: false,
    parameters: undefined,
    inputs: [],
    outputs: [],
    fault: undefined,
    remembered: undefined,
  };
}
