// The native half of onnxruntime-node, as its own JavaScript half calls it. The library's `run()` takes a turn of the
// event loop and makes new objects for every run; an instance's thread blocks anyway, so it calls the native half at
// once, with objects that it keeps. This is no documented interface: the version of the library is fixed in package.json,
// and another one must pass the tests of this room first. Loaded inside instance workers, and by the
// event loop for runs shorter than the way to a worker (inline-runs.ts).

import { isMainThread } from 'node:worker_threads';

import type { OrtType } from './ort-datatypes.ts';
import { loadNativeHalf } from './ort-library.ts';

/** A tensor as the native half reads and makes it; made by us, it is a plain object that runs share. */
export interface NativeTensor {
  readonly type: OrtType;
  readonly dims: readonly number[];
  readonly data: NumericData | readonly string[];
  readonly location: 'cpu';
}

/** Any typed array. */
export type NumericData = ArrayBufferView & { readonly buffer: ArrayBufferLike };

/** What the native half says of one input or output of a session. */
export interface NativeMetadata {
  readonly name: string;
  readonly isTensor: boolean;
  /** Element type as a number of ONNX's enumeration. */
  readonly type?: number;
  /** -1 = dynamic; `symbolicDimensions` then has its name, or "". */
  readonly shape?: readonly number[];
  readonly symbolicDimensions?: readonly string[];
}

/** A session of the native binding. `run` blocks its thread; whoever opens one disposes of it. */
export interface NativeSession {
  readonly inputMetadata: readonly NativeMetadata[];
  readonly outputMetadata: readonly NativeMetadata[];
  /**
   * Blocks while the runtime reads and optimises. A path lets it find weights in files beside the model, bytes do not.
   * Once for each session; throws the runtime's text.
   */
  loadModel(path: string, options: Readonly<Record<string, unknown>>): void;
  loadModel(
    bytes: ArrayBuffer,
    byteOffset: number,
    byteLength: number,
    options: Readonly<Record<string, unknown>>,
  ): void;
  /**
   * Blocks. `fetches` names the outputs wanted: null lets the runtime make one, a tensor is written where it lies.
   * Throws the runtime's text.
   */
  run(
    feeds: Readonly<Record<string, NativeTensor>>,
    fetches: Readonly<Record<string, NativeTensor | null>>,
  ): Readonly<Record<string, NativeTensor>>;
  /** Writes the profile of a session that was loaded with `enableProfiling`. */
  endProfiling(): void;
  /** Frees the native session. No run may be under way, and none may follow. */
  dispose(): void;
}

interface NativeOrt {
  readonly InferenceSession: new () => NativeSession;
  listSupportedBackends(): readonly { readonly name: string; readonly bundled: boolean }[];
}

interface NativeHalf extends NativeOrt {
  /** `logLevel`: 3 = errors; `tensor` makes the outputs of runs. */
  initOrtOnce(logLevel: number, tensor: typeof OutputTensor, isMainThread: boolean): void;
}

/** Stands for the library's class of tensors, which checks what it is given: here that is the runtime's own. */
class OutputTensor implements NativeTensor {
  readonly location = 'cpu';
  readonly type: OrtType;
  readonly data: NativeTensor['data'];
  readonly dims: readonly number[];

  constructor(type: OrtType, data: NativeTensor['data'], dims: readonly number[]) {
    this.type = type;
    this.data = data;
    this.dims = dims;
  }
}

/** Warnings about unused weights and the like would fill the server's standard error. */
export const ERRORS_ONLY = 3;

let loaded: NativeHalf | undefined;

/**
 * The same object for every caller in a thread. Throws what the system says when the library cannot be loaded.
 * ONNX Runtime itself logs errors alone.
 */
export function loadNativeOrt(): NativeOrt {
  if (loaded === undefined) {
    loaded = loadNativeHalf() as NativeHalf;
    loaded.initOrtOnce(ERRORS_ONLY, OutputTensor, isMainThread);
  }
  return loaded;
}
