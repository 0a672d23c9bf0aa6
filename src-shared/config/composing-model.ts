// What the rules of an ensemble know about the models it is composed of.

import type { ModelConfig } from './model-config.ts';

/** A model that a step of an ensemble names, as far as the server knows it. */
export interface ComposingModel {
  /** Completed config of the highest ready version; undefined when no version is ready. */
  readonly config: ModelConfig | undefined;
  readonly readyVersions: readonly number[];
  /** Why the model as a whole is not valid, such as a failed check of its own. */
  readonly invalidReason?: string | undefined;
  /** Why its last load failed. */
  readonly loadError?: string | undefined;
}

/** Composing model by name; undefined when unknown or ambiguous. */
export type ModelLookup = (name: string) => ComposingModel | undefined;
