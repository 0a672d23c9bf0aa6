// What the editor knows beside the text: used for completions and for the values they offer.

import type { BackendDescription } from './backend-description.ts';
import type { ModelDescription } from './model-description.ts';

/** What the editor knows beside the text. */
export interface EditorFacts {
  /** The backends of the server. */
  readonly backends?: readonly BackendDescription[];
  /** What the model file says. */
  readonly description?: ModelDescription | undefined;
  /** Other models of the repository, for ensembles. */
  readonly models?: readonly EditorModel[];
}

/**
 * A model that an ensemble step may name, with the tensors that its maps may name; the lists are empty for a
 * model whose configuration cannot be read.
 */
export interface EditorModel {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}
