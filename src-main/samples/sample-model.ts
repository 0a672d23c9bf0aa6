// The form of one sample model: its files relative to the model folder.

/** One model of the sample repository, with the content of its files. */
export interface SampleModel {
  readonly name: string;
  /** One sentence for people who look at the list. */
  readonly summary: string;
  /** Path below the model folder -> content; a path that ends in "/" is an empty folder. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** False for the sample that fails on purpose: it is shown, not loaded at start. */
  readonly isLoadedAtStart: boolean;
}
