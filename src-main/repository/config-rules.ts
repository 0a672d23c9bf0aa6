// The configuration rules a load goes through, as one object, so that lifecycle rules are tested without them.
// Every function returns a new config or throws ServerError (INVALID_ARG unless said otherwise) with Triton's words.

import type { ConfigOrigins } from '../../src-shared/config/config-origins.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { FolderEntry } from './model-folder.ts';

/** A config with where each of its values comes from. */
export interface ExplainedConfig {
  readonly config: ModelConfig;
  readonly origins: ConfigOrigins;
  /** What is odd about the form that it was sent in, although it was understood. */
  readonly warnings?: readonly string[];
}

/** Reads, completes and checks configurations. Throws INVALID_ARG with Triton's words. */
export interface ConfigRules {
  /** With nothing set, for a model without a configuration file. */
  empty(): ExplainedConfig;
  /** config.pbtxt text. The message names line and column. */
  parseText(text: string): Promise<ExplainedConfig>;
  /** JSON form, as sent with load calls. */
  parseJson(json: string): Promise<ExplainedConfig>;
  /** Name, platform, backend and file name from the folder; then the defaults of polling. */
  completePolled(
    read: ExplainedConfig,
    modelName: string,
    firstFolder: readonly FolderEntry[],
  ): ExplainedConfig;
  /** Static checks of polling; tensors too when `isStrict`. */
  checkPolled(config: ModelConfig, options: { readonly isStrict: boolean }): void;
  /** Explicit kinds, counts and device ids; checked. */
  completeInstanceGroups(polled: ExplainedConfig): ExplainedConfig;
  /** The machine has a GPU that the backend of `config` can use. */
  hasGpu(config: ModelConfig): boolean;
  /** What a backend refuses to read, before it completes anything. */
  checkReadable(config: ModelConfig): void;
  /** What a backend may change, taken over with its reasons; defaults of polling repeated. */
  mergeCompletion(
    before: ExplainedConfig,
    completed: ModelConfig,
    reasons: ReadonlyMap<string, string>,
  ): ExplainedConfig;
  /** All checks of a complete config. */
  checkComplete(config: ModelConfig): void;
  /** What is allowed but surely not meant, or has no effect here. */
  warnings(config: ModelConfig): readonly string[];
  /** True when the configs differ in more than instance groups and version policy. */
  needsRebuild(before: ModelConfig, now: ModelConfig): boolean;
  /**
   * Checks an ensemble against the completed configs of its models (step model name -> config) and computes whether it
   * is decoupled.
   */
  completeEnsemble(polled: ExplainedConfig, composing: ReadonlyMap<string, ModelConfig>): ExplainedConfig;
}
