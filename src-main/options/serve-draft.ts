// What the flag table writes into while a command line is read: a mutable copy of EngineOptions, and what belongs to
// the shell alone. `serve-options.ts` checks it as a whole and freezes it.

import type { EngineOptions } from './engine-options.ts';
import { defaultEngineOptions } from './engine-options.ts';

type Mutable<T> =
  T extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : T extends object
      ? { -readonly [K in keyof T]: Mutable<T[K]> }
      : T;

function mutableCopy<T>(value: T): Mutable<T> {
  const copy: unknown = structuredClone(value);
  return copy as Mutable<T>;
}

/** What the shell around the engine was told. */
export interface ShellOptions {
  /** Serve the window to a browser, supervised by a parent process. */
  readonly ui: boolean;
  /** Port of the window; 0 = pick a free one, undefined = 8003 or the next free one. */
  readonly uiPort: number | undefined;
  /** Address the window's port is bound to. */
  readonly uiAddress: string;
  /** Folder below which the window may pick paths; undefined = the parent of the first repository. */
  readonly uiRoot: string | undefined;
  /** Open the system's browser on the window's address. */
  readonly uiOpen: boolean;
  /** Folder of settings, saved requests, runs and the sample repository. */
  readonly userData: string | undefined;
  /** Start without any repository; the window shows its first page. */
  readonly noRepository: boolean;
}

/** Values that only the options table of the start-up log shows. */
export interface TableValues {
  readonly pinnedMemoryPoolByteSize: number;
  readonly cudaMemoryPools: readonly (readonly [deviceId: number, byteSize: number])[];
}

export interface ServeDraft {
  readonly engine: Mutable<EngineOptions>;
  readonly shell: Mutable<ShellOptions>;
  readonly table: Mutable<TableValues>;
  /** Files may be named before or after TLS is switched on, so they are kept beside the switch. */
  readonly grpcTls: { enabled: boolean; readonly files: NonNullable<Mutable<EngineOptions>['grpc']['tls']> };
  /** Names of the options that were given, without dashes. */
  readonly given: Set<string>;
  /** Lines for standard error, each once. */
  readonly warnings: Set<string>;
  /** Values of the deprecated trace options; the modern ones win. */
  readonly legacyTrace: Map<string, string[]>;
  legacyCacheByteSize: number | undefined;
}

/** Environment variables of Triton that change defaults; read once, here. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function newServeDraft(environment: Environment): ServeDraft {
  const engine = mutableCopy(defaultEngineOptions);
  if (environment['AIP_MODE'] === 'PREDICTION') {
    engine.http.enabled = false;
    engine.grpc.enabled = false;
  }
  return {
    engine,
    shell: {
      ui: false,
      uiPort: undefined,
      uiAddress: '127.0.0.1',
      uiRoot: undefined,
      uiOpen: false,
      userData: undefined,
      noRepository: false,
    },
    table: { pinnedMemoryPoolByteSize: 268_435_456, cudaMemoryPools: [] },
    grpcTls: { enabled: false, files: { mutual: false, certFile: '', keyFile: '', rootFile: '' } },
    given: new Set(),
    warnings: new Set(),
    legacyTrace: new Map(),
    legacyCacheByteSize: undefined,
  };
}
