// The configuration rules a load goes through, as one object, so that lifecycle rules are tested without them.
// Every function returns a new config or throws ServerError (INVALID_ARG unless said otherwise) with Triton's words.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { FolderEntry } from './model-folder.ts';

/** What the machine offers to instance groups. */
export interface MachineFacts {
  /** Usable GPUs, ascending. */
  readonly gpuIds: readonly number[];
  readonly minComputeCapability: number;
}

/** A composing model as an ensemble sees it. */
export interface ComposingModel {
  readonly name: string;
  /** Completed config of its highest ready version. */
  readonly config: ModelConfig;
}

export interface ConfigRules {
  empty(): ModelConfig;
  /** config.pbtxt text. The message names line and column. */
  parseText(text: string): ModelConfig;
  /** JSON form, as sent with load calls. */
  parseJson(json: string): ModelConfig;
  /** Canonical config.pbtxt text. */
  printText(config: ModelConfig): string;
  /** Name, platform, backend and file name from the folder; then the defaults of polling. */
  completePolled(config: ModelConfig, modelName: string, firstFolder: readonly FolderEntry[]): ModelConfig;
  /** Static checks of polling; tensors too when `isStrict`. */
  checkPolled(config: ModelConfig, options: { readonly isStrict: boolean }): void;
  /** Explicit kinds, counts and device ids; checked. */
  completeInstanceGroups(config: ModelConfig, machine: MachineFacts): ModelConfig;
  /** What a backend may change, taken over; defaults of polling repeated. */
  mergeCompletion(config: ModelConfig, completed: ModelConfig): ModelConfig;
  /** All checks of a complete config. */
  checkComplete(config: ModelConfig): void;
  /** True when the configs differ in more than instance groups and version policy. */
  needsRebuild(before: ModelConfig, now: ModelConfig): boolean;
  /** Checks an ensemble against its models and computes whether it is decoupled. */
  completeEnsemble(config: ModelConfig, composing: ReadonlyMap<string, ComposingModel>): ModelConfig;
}
