// What load tests need of the engine they run in. The control room implements it over its repository and catalog.

import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';

/** A model as a run finds it. */
export interface HostedModel {
  /** Folder of the repository it lies in. */
  readonly repository: string;
  readonly isReady: boolean;
  /** "CPU", "CUDA:0"; undefined when it is not loaded. */
  readonly device: string | undefined;
  /** Text of config.pbtxt; undefined when there is none. */
  readonly fileText: string | undefined;
  readonly fileHash: string | undefined;
  /** Configuration it runs with now, or would be loaded with. */
  readonly effectiveText: string;
  /** Runs with a configuration that is not in its file. */
  readonly hasOverride: boolean;
}

/** Keeps the traces of a model's slowest requests while a run goes on, as `SlowTraces` does. */
export interface SlowTraceKeeper {
  /** Begins anew for this model; one model at a time. */
  follow(model: string): void;
  /** Forgets what was kept; ask `of` before. */
  stop(): void;
  /** For each request the trace that fits it, its steps behind it; empty where none does. */
  of(
    requests: readonly { readonly atMs: number; readonly latencyUs: number }[],
  ): readonly (readonly TraceRow[])[];
}

/** What runs may ask of the server that they are started from. */
export interface PerfModelHost {
  /** NOT_FOUND for an unknown model. */
  describe(model: string): Promise<HostedModel>;
  /** Loads with this configuration instead of the file's; files are left alone. Rejects with the reason. */
  loadWithConfig(model: string, configText: string): Promise<void>;
  /** Loads what is on disk, dropping an override. */
  reload(model: string): Promise<void>;
  /** Replaces config.pbtxt. ALREADY_EXISTS when the file no longer has `expectedHash`; undefined = there was none. */
  writeConfig(model: string, text: string, expectedHash: string | undefined): Promise<void>;
  /** A saved request of the model as text of a data file. NOT_FOUND when it is gone. */
  savedData(model: string, request: string): Promise<string>;
  /**
   * The requests to the model that are captured now, as `readCaptured` takes them. Capturing ends, so that the load is not
   * captured in their place. Throws NOT_FOUND when there are none.
   */
  capturedData(model: string): string;
  /** "host:port" of this server's endpoints, undefined when one is off. */
  addresses(): { readonly http: string | undefined; readonly grpc: string | undefined };
}
