// What the engine thread tells an ONNX session when it is opened, what the session says about itself, and the form of
// results too large for their slot.

import type { FileStamp } from './file-stamp.ts';
import type { OrtType } from './ort-datatypes.ts';

/** Session options that survive a message; the library's own names. */
export interface SessionSettings {
  readonly graphOptimizationLevel: 'disabled' | 'basic' | 'extended' | 'all';
  readonly executionMode: 'sequential' | 'parallel';
  readonly intraOpNumThreads?: number;
  readonly interOpNumThreads?: number;
  readonly enableCpuMemArena?: boolean;
  readonly enableMemPattern?: boolean;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** `name` as ONNX Runtime knows it: "cpu", "cuda", "webgpu". Without `deviceId` the runtime takes its first device. */
export interface ProviderChoice {
  readonly name: string;
  readonly deviceId?: number;
}

/** What a session is opened with. */
export interface SessionInit {
  /** Absolute path of the .onnx file. */
  readonly path: string;
  readonly settings: SessionSettings;
  /** Tried in this order; each list is one attempt. Empty lists are not allowed. */
  readonly providerAttempts: readonly (readonly ProviderChoice[])[];
  /** The order in which jobs give their inputs. */
  readonly feeds: readonly { readonly name: string; readonly type: OrtType }[];
  /** Fetched by every run, in this order. Empty when the session is opened only to be looked at. */
  readonly outputs: readonly string[];
  /** Initialisers of the file that requests may set; they are among the feeds. */
  readonly overridable?: readonly string[];
  /** The first dimension of inputs and outputs is the batch. */
  readonly isBatching: boolean;
  /**
   * Sessions of one inspection and the instances behind it have the same number: the native session of the former, once
   * closed, waits in its thread for one of the latter.
   */
  readonly inspection?: number;
  /** The file as it was examined; there where short runs may be taken through the runtime's C interface. */
  readonly directStamp?: FileStamp | undefined;
}

/** An input or output as the library describes it. */
export interface SessionTensorInfo {
  readonly name: string;
  readonly isTensor: boolean;
  /** The library's type name; undefined when it is no tensor. */
  readonly type: string | undefined;
  /** A text is a symbolic name; "" = anonymous dynamic dimension. */
  readonly shape: readonly (number | string)[];
}

/** What opening a session told. */
export interface SessionInfo {
  readonly inputs: readonly SessionTensorInfo[];
  readonly outputs: readonly SessionTensorInfo[];
  /** First provider of the attempt that worked. */
  readonly provider: string;
  /** Why earlier attempts failed, in their order. */
  readonly refusals: readonly string[];
}

/** One output that did not fit the slot; the buffer was transferred. */
export interface LargeOutput {
  readonly dims: readonly number[];
  readonly bytes: Uint8Array;
}
