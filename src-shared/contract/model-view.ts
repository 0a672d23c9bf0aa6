// What the window knows of one model: state with reason, what serves, what it runs on, what changed. Sent whole; a
// thousand of them stay below 1 MB.

import type { GpuMemoryShare } from './gpu-memory.ts';
import type { GpuTrial } from './gpu-trial.ts';
import type { ModelFormat } from '../config/backend-description.ts';
import type { ConfigFix } from './config-calls.ts';

/** The vocabulary of the Models list; shown with icon and text. */
export type ModelState = 'unloaded' | 'loading' | 'ready' | 'unloading' | 'failed' | 'not-runnable';

/** One numbered folder of a model, loaded or not. */
export interface VersionView {
  readonly version: string;
  /** State of the repository index, or NOT_SELECTED by the version policy. */
  readonly state: 'UNKNOWN' | 'READY' | 'UNAVAILABLE' | 'LOADING' | 'UNLOADING' | 'NOT_SELECTED';
  readonly reason: string;
  readonly byteSize: number;
  readonly fileCount: number;
  /** 0 = there is no file. */
  readonly modifiedAtMs: number;
  /** How long its load took; undefined while it does not serve. */
  readonly loadMs: number | undefined;
  /** Weights times instances; undefined while it does not serve, or when it is not known. */
  readonly memoryBytes: number | undefined;
  /** What it takes of each GPU that it is on; empty on none, and while it does not serve. */
  readonly gpuMemory: readonly GpuMemoryShare[];
}

/** Title of a failure whose words nobody knows: what it adds is in `original`. */
export const PLAIN_FAILURE_TITLE = 'Could not be loaded';

/** Why a model failed, in plain words besides the verbatim text. */
export interface ModelFailure {
  readonly title: string;
  /** Exactly what a Triton client sees. */
  readonly original: string;
  /** The rule with actual values. */
  readonly why: string;
  /** Code of the config issue behind it, undefined when there is none. */
  readonly code: string | undefined;
  /** 1-based line in config.pbtxt, 0 = not tied to a line. */
  readonly line: number;
  /** Where in the model's own code it was raised; undefined when it was not. */
  readonly place: CodePlace | undefined;
  readonly fixes: readonly ConfigFix[];
  /** What one runs in a terminal to mend it; absent when no command does. */
  readonly command?: string;
}

/** A line of a source file. */
export interface CodePlace {
  /** Relative to the model folder, "/" separated. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
}

/** Where the time of the newest load went. */
export interface LoadTimings {
  readonly totalMs: number;
  readonly phases: readonly { readonly text: string; readonly ms: number }[];
  /** Resident memory difference, present only when nothing else loaded meanwhile; 0 = the process did not grow. */
  readonly memoryDeltaBytes: number | undefined;
}

/**
 * A model as lists and its page show it, loaded or not. Numbers of instances and memory are those of its newest
 * version.
 */
export interface ModelView {
  readonly name: string;
  /** Path of the repository. */
  readonly repository: string;
  /** Of its folder. */
  readonly path: string;
  /** Chip text: "onnx", "ensemble", "sequence", or the backend's name; undefined = nothing says what runs it. */
  readonly kind: string | undefined;
  readonly backend: string;
  /** What its model file is; "none" for ensembles and for backends without model file. */
  readonly format: ModelFormat;
  /** What is missing here for models of its backend to run, as a sentence. */
  readonly needs: string | undefined;
  readonly state: ModelState;
  /** "instance 1 of 2" while loading, "4 requests in flight" while unloading; undefined = nothing to say. */
  readonly phase: string | undefined;
  /** Why it is in its state, in the words of the repository index; undefined = nothing to say. */
  readonly reason: string | undefined;
  readonly failure: ModelFailure | undefined;
  /** Itself and steps of it whose files are not those that it failed with: loading it again may end otherwise. */
  readonly changedSinceFailure: readonly string[];
  readonly versions: readonly VersionView[];
  readonly servedVersions: readonly string[];
  /** "CPU", "CUDA:0"; undefined when not loaded. */
  readonly device: string | undefined;
  /** Ready, but not as asked; `notices` says why. */
  readonly isDegraded: boolean;
  readonly notices: readonly string[];
  /** What a comparison of its GPU with the CPU showed; undefined when it is on none. */
  readonly gpuTrial: GpuTrial | undefined;
  /** What its newest version takes of each GPU that it is on; empty on none. */
  readonly gpuMemory: readonly GpuMemoryShare[];
  readonly maxBatchSize: number;
  /** Text of the Batching column: "max 8, delay 200 µs" or "none". */
  readonly batching: string;
  readonly instanceCount: number;
  readonly changedOnDisk: boolean;
  /** config.pbtxt itself differs from what was loaded, not only other files. */
  readonly isConfigChanged: boolean;
  /** What reloading would take. */
  readonly reloadKind: 'none' | 'instances' | 'full';
  /** Serving with a config override that is not in the file. */
  readonly hasOverride: boolean;
  /** Wall clock; 0 = it is not loaded. */
  readonly loadedAtMs: number;
  readonly timings: LoadTimings | undefined;
  /** Weights times instances; undefined while it does not serve, or when it is not known. */
  readonly memoryBytes: number | undefined;
  readonly isDecoupled: boolean;
  readonly isEnsemble: boolean;
  readonly isSequence: boolean;
  /** Names of ensembles that use this model. */
  readonly usedBy: readonly string[];
  /** Names of models this ensemble uses. */
  readonly uses: readonly string[];
  readonly issueCounts: { readonly error: number; readonly warning: number; readonly info: number };
  /** The other repository that has a model of this name; undefined when the name is unique, or may be used twice. */
  readonly duplicateOf: string | undefined;
  /** Another repository's folder of this name comes first: calls by name mean that one, this one is only shown. */
  readonly isShadowed: boolean;
  /** Crashed the engine and is not loaded by itself. */
  readonly isQuarantined: boolean;
}
