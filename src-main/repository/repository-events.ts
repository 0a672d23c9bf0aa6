// What the repository tells the rest of the engine. Events say that something changed and what; whoever needs the whole
// picture asks `ModelRepository.status`. Published synchronously, so listeners must be quick.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { VersionState } from './lifecycle-state.ts';
import type { Model } from './model.ts';
import type { ModelId } from './model-identity.ts';
import type { ModelRuntime } from './model-runtime.ts';

/** What the repository tells while it works, by event name. */
export interface RepositoryEvents {
  /** A version moved to another state. */
  readonly versionState: {
    readonly id: ModelId;
    readonly version: string;
    readonly state: VersionState;
    readonly reason: string;
    /** The model that serves from now on; undefined when none does. */
    readonly model: Model | undefined;
  };
  /** The configuration of a version is complete, its instances are made next: what its runtime counts may be shown. */
  readonly countingBegins: {
    readonly id: ModelId;
    readonly version: string;
    readonly config: ModelConfig;
    readonly runtime: ModelRuntime;
  };
  /** That version could not be built, or is closed: its runtime counts nothing more. */
  readonly countingEnds: { readonly runtime: ModelRuntime };
  /** A version that is being built entered a phase ("instance 1 of 2"); "" when it is done. */
  readonly loadPhase: { readonly id: ModelId; readonly version: string; readonly phase: string | undefined };
  /** A load operation on one model ended. */
  readonly loadEnded: { readonly id: ModelId; readonly error: Error | undefined };
  /** Anything a status view of this model shows may have changed. */
  readonly modelChanged: { readonly id: ModelId };
  /** Files of a model changed on disk after it was read. */
  readonly filesChanged: { readonly name: string; readonly repository: string; readonly isConfig: boolean };
  /** Repositories were added or removed, or the folders in them changed. */
  readonly foldersChanged: { readonly repositories: readonly string[] };
}
