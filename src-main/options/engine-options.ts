// Everything the engine can be told, grouped by the room that uses it. Built once by a shell or the command line,
// never changed afterwards. `defaultEngineOptions` holds the defaults of `conch serve`, which are Triton's.
// Numbers carry their unit in the name; a port of 0 means "pick a free one".

import { DEFAULT_PORTS } from '../../src-shared/default-ports.ts';
import type { GrpcServerOptions } from '../protocol/grpc/grpc-options.ts';
import { defaultGrpcServerOptions } from '../protocol/grpc/grpc-options.ts';
import type { HttpServerOptions } from '../protocol/http/http-options.ts';
import { defaultHttpServerOptions } from '../protocol/http/http-options.ts';
import type { RepositoryOptions } from '../repository/repository-options.ts';
import { defaultRepositoryOptions } from '../repository/repository-options.ts';

/** One `--backend-config=[<backend>,]<key>=<value>`; backend "" = all backends. */
export interface BackendSetting {
  readonly backend: string;
  readonly key: string;
  readonly value: string;
}

/** One `--host-policy=<policy>,<setting>=<value>`. */
export interface HostPolicySetting {
  readonly policy: string;
  readonly setting: string;
  readonly value: string;
}

/** One `--rate-limit-resource=<name>:<count>[:<device>]`. */
export interface RateLimitResourceOption {
  readonly name: string;
  readonly count: number;
  /** undefined = every device, and the global pool of that name. */
  readonly deviceId: number | undefined;
}

/** One group of `--http-restricted-api` or `--grpc-restricted-protocol`. */
export interface RestrictedGroup {
  readonly categories: readonly string[];
  /** Header or metadata key as written on the command line, without Triton's gRPC prefix. */
  readonly header: string;
  readonly value: string;
}

/** What to do when KIND_GPU was asked and no GPU can be used: run on the CPU with a mark, or refuse. */
export type GpuPolicy = 'fallback' | 'strict';

/** What the server is called and how it starts, gets ready and stops. */
export interface ServerOptions {
  /** `name` in the server metadata. */
  readonly id: string;
  /** Budget of the graceful stop, shared by all its phases. */
  readonly exitTimeoutSec: number;
  /** Ready only while every model asked for is ready. */
  readonly strictReadiness: boolean;
  /** A model of the start set that fails ends `start()` with an error. */
  readonly exitOnError: boolean;
  /**
   * `after-start-set`: listeners open once the start set was tried. `first`: before, with ready answering false.
   * `on-request`: only by `openListeners`.
   */
  readonly listen: 'after-start-set' | 'first' | 'on-request';
}

/** What backends are told by the command line, and which devices they may use. */
export interface BackendOptions {
  readonly directory: string;
  readonly settings: readonly BackendSetting[];
  readonly gpuPolicy: GpuPolicy;
  readonly minComputeCapability: number;
  readonly hostPolicies: readonly HostPolicySetting[];
  /** GPU providers that are not tried for a model, and why. Comes from the process above, not from an option. */
  readonly leftOut?: readonly LeftOutProvider[];
}

interface LeftOutProvider {
  readonly model: string;
  readonly provider: string;
  readonly reason: string;
}

interface RateLimitOptions {
  readonly mode: 'off' | 'execution_count';
  readonly resources: readonly RateLimitResourceOption[];
}

/** Response cache; `name` "" = none. */
export interface CacheOptions {
  readonly name: string;
  readonly settings: readonly (readonly [string, string])[];
}

interface SharedMemoryOptions {
  readonly allowClient: boolean;
}

/** The HTTP endpoint: where it listens, what it takes and what it forwards to models. */
export interface HttpOptions extends Omit<HttpServerOptions, 'wireThreads'> {
  readonly enabled: boolean;
  /** Threads that read the sockets of the HTTP port; -1 = as many as suit the machine. */
  readonly wireThreadCount: number;
}

interface GrpcOptions extends GrpcServerOptions {
  readonly enabled: boolean;
}

/** The metrics endpoint, and which families are measured. Times are milliseconds. */
export interface MetricsOptions {
  readonly enabled: boolean;
  /** "" = the HTTP address. */
  readonly address: string;
  readonly port: number;
  readonly gpu: boolean;
  readonly cpu: boolean;
  readonly intervalMs: number;
  /** `--metrics-config` entries in order. */
  readonly settings: readonly (readonly [string, string])[];
}

/** The endpoint for SageMaker; it listens on the address of the HTTP port. */
export interface SagemakerOptions {
  readonly enabled: boolean;
  readonly port: number;
  /** Ports that other endpoints of the same address may have; [] = all. */
  readonly safePorts: readonly number[];
  /** Model behind `/invocations`. */
  readonly defaultModel: string;
  /** `infer`, `generate` or `generate_stream`; anything else refuses invocations. */
  readonly inferenceType: string;
  /** `live`, or anything else for readiness. */
  readonly pingMode: string;
}

/** The endpoint for Vertex AI; it listens on the address of the HTTP port. */
export interface VertexAiOptions {
  readonly enabled: boolean;
  readonly port: number;
  /** "" = the only model there is. */
  readonly defaultModel: string;
  /** Regular expressions over the whole path; "" = not given. */
  readonly predictRoute: string;
  readonly healthRoute: string;
}

/** The OpenAI-compatible endpoint; it listens on the address of the HTTP port. */
export interface OpenaiOptions {
  readonly enabled: boolean;
  readonly port: number;
  /** Folder of a Hugging Face tokenizer; "" = none. */
  readonly tokenizer: string;
  /** File of a Jinja template; "" = that of the tokenizer. */
  readonly chatTemplate: string;
  readonly defaultMaxTokens: number;
  /** Form of the requests to models; "" = by the model's backend. */
  readonly requestFormat: '' | 'vllm' | 'tensorrtllm';
  /** Finds calls of tools in the text of chats; undefined = nothing does. */
  readonly toolCallParser: 'llama3' | 'mistral' | undefined;
  /** Of the text of calls in a streamed answer. */
  readonly maxToolCallParseByteSize: number;
  /** Stands between a model and its LoRA adapter in requests; undefined = none are named. */
  readonly loraSeparator: string | undefined;
  readonly restricted: readonly RestrictedGroup[];
}

/** `--trace-config` entries in order; mode "" = global. */
export interface TraceOptions {
  readonly settings: readonly { readonly mode: string; readonly key: string; readonly value: string }[];
}

/** Which levels are written, how a line looks, and where lines go. */
export interface LogOptions {
  readonly info: boolean;
  readonly warning: boolean;
  readonly error: boolean;
  readonly verboseLevel: number;
  readonly format: 'default' | 'ISO8601';
  /** "" = standard error only. */
  readonly file: string;
}

/** One group for each room that reads it. Deeply read-only: an engine keeps these objects for its whole life. */
export interface EngineOptions {
  readonly server: ServerOptions;
  readonly repository: RepositoryOptions;
  readonly backends: BackendOptions;
  readonly rateLimit: RateLimitOptions;
  readonly cache: CacheOptions;
  readonly sharedMemory: SharedMemoryOptions;
  readonly http: HttpOptions;
  readonly grpc: GrpcOptions;
  readonly sagemaker: SagemakerOptions;
  readonly vertexAi: VertexAiOptions;
  readonly openai: OpenaiOptions;
  readonly metrics: MetricsOptions;
  readonly trace: TraceOptions;
  readonly log: LogOptions;
}

const { wireThreads: _, ...sharedHttpOptions } = defaultHttpServerOptions;

const defaultHttpOptions: HttpOptions = { ...sharedHttpOptions, enabled: true, wireThreadCount: -1 };

const defaultGrpcOptions: GrpcOptions = {
  ...defaultGrpcServerOptions,
  enabled: true,
};

/** Triton's defaults, except that listeners bind to loopback unless told otherwise. */
export const defaultEngineOptions: EngineOptions = {
  server: {
    id: 'triton',
    exitTimeoutSec: 30,
    strictReadiness: true,
    exitOnError: true,
    listen: 'after-start-set',
  },
  repository: defaultRepositoryOptions,
  backends: {
    directory: '/opt/tritonserver/backends',
    settings: [],
    gpuPolicy: 'fallback',
    minComputeCapability: 7.5,
    hostPolicies: [],
  },
  rateLimit: { mode: 'off', resources: [] },
  cache: { name: '', settings: [] },
  sharedMemory: { allowClient: false },
  http: defaultHttpOptions,
  grpc: defaultGrpcOptions,
  sagemaker: {
    enabled: false,
    port: 8080,
    safePorts: [],
    defaultModel: 'unspecified_SAGEMAKER_TRITON_DEFAULT_MODEL_NAME',
    inferenceType: 'infer',
    pingMode: 'ready',
  },
  vertexAi: { enabled: false, port: 8080, defaultModel: '', predictRoute: '', healthRoute: '' },
  openai: {
    enabled: false,
    port: 9000,
    tokenizer: '',
    chatTemplate: '',
    defaultMaxTokens: 16,
    requestFormat: '',
    toolCallParser: undefined,
    maxToolCallParseByteSize: 128 * 1024,
    loraSeparator: undefined,
    restricted: [],
  },
  metrics: {
    enabled: true,
    address: '',
    port: DEFAULT_PORTS.metrics,
    gpu: true,
    cpu: true,
    intervalMs: 2000,
    settings: [],
  },
  trace: { settings: [] },
  log: { info: true, warning: true, error: true, verboseLevel: 0, format: 'default', file: '' },
};
