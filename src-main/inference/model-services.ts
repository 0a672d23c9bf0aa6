// What the code of a model may ask of the server it runs in, besides requests to other models. The engine implements it
// once everything is built; backends get a way to it, since they are built first.

import type { CustomMetrics } from '../metrics/custom-metrics.ts';

/** The model control of the wire, with its rules and messages. */
export interface ModelControl {
  /** `configJson` overrides the model's configuration; `files` as in a load call, by "file:<version>/<name>". */
  loadModel(
    name: string,
    parameters: {
      readonly configJson?: string | undefined;
      readonly files?: ReadonlyMap<string, Uint8Array> | undefined;
    },
  ): Promise<void>;
  /**
   * Resolves when unloading has begun. `unloadDependents`: the models of an ensemble go with it. A name that is not
   * known is no error.
   */
  unloadModel(name: string, options: { readonly unloadDependents: boolean }): Promise<void>;
  /** False for models that are not known. Throws INVALID_ARG for a text that is no version. */
  isModelReady(name: string, version: string): Promise<boolean>;
}

/** Valid for the whole life of the server. `models` may call back into the repository that is loading the caller. */
export interface ModelServices {
  readonly metrics: CustomMetrics;
  readonly models: ModelControl;
}
