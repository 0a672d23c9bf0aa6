// What the table of options writes into while a command line is read: the engine's options, exchanged as a whole with
// each change, and what belongs to the shell alone. The command line checks it as a whole and freezes it.

import type { EngineOptions } from './engine-options.ts';
import { defaultEngineOptions } from './engine-options.ts';
import { parseInteger } from './option-values.ts';
import type { UsageError } from './usage-error.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

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

type TlsFiles = NonNullable<EngineOptions['grpc']['tls']>;

/** What options write into while a command line is read. Checked and frozen afterwards. */
export interface ServeDraft {
  engine: EngineOptions;
  readonly shell: Mutable<ShellOptions>;
  readonly table: { pinnedMemoryPoolByteSize: number; readonly cudaMemoryPools: [number, number][] };
  /** Files may be named before or after TLS is switched on, so they are kept beside the switch. */
  readonly grpcTls: { enabled: boolean; readonly files: Mutable<TlsFiles> };
  /** Names of the options that were given, without dashes. */
  readonly given: Set<string>;
  /** Lines for standard error, in order. */
  readonly warnings: string[];
  /** Value of the deprecated `--strict-model-config`; undefined = not given. */
  isStrictModelConfig: boolean | undefined;
  /** Values of the deprecated trace options; the modern ones win. */
  readonly legacyTrace: Map<string, string[]>;
  legacyCacheByteSize: number | undefined;
  /** What the reference finds when it makes the server; told when nothing else is wrong. */
  readonly lateFaults: UsageError[];
}

/** Environment variables of Triton that change defaults; read once, here. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The defaults before any option was read. On Vertex AI (`AIP_MODE=PREDICTION`) HTTP and gRPC start switched off, and the
 * platform's own endpoint on, as in Triton. Throws UsageError for a port in the environment that is none.
 */
export function newServeDraft(environment: Environment): ServeDraft {
  return {
    engine: managedDefaults(environment),
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
    warnings: [],
    isStrictModelConfig: undefined,
    legacyTrace: new Map(),
    legacyCacheByteSize: undefined,
    lateFaults: [],
  };
}

/** What the platforms say of their endpoints by environment variables. */
function managedDefaults(environment: Environment): EngineOptions {
  const { http, grpc, sagemaker, vertexAi } = defaultEngineOptions;
  const isManaged = environment['AIP_MODE'] === 'PREDICTION';
  const { AIP_HTTP_PORT: port } = environment;
  return {
    ...defaultEngineOptions,
    http: { ...http, enabled: !isManaged },
    grpc: { ...grpc, enabled: !isManaged },
    sagemaker: {
      ...sagemaker,
      defaultModel: environment['SAGEMAKER_TRITON_DEFAULT_MODEL_NAME'] ?? sagemaker.defaultModel,
      inferenceType: environment['SAGEMAKER_TRITON_INFERENCE_TYPE'] ?? sagemaker.inferenceType,
      pingMode: environment['SAGEMAKER_TRITON_PING_MODE'] ?? sagemaker.pingMode,
    },
    vertexAi: {
      ...vertexAi,
      enabled: isManaged,
      port: port === undefined ? vertexAi.port : parseInteger(port),
      predictRoute: environment['AIP_PREDICT_ROUTE'] ?? '',
      healthRoute: environment['AIP_HEALTH_ROUTE'] ?? '',
    },
  };
}
