// ModelConfig as the code sees it: camelCase, readonly, every repeated field and map present (possibly empty),
// scalars at their proto default when unset, messages `undefined` when unset. int64 fields are safe integers;
// uint64 fields are bigint. Field order and numbers live in config/schema; texts in model-repository.md section 2.

import type { ConfigDataType } from '../datatypes.ts';

export interface TensorReshape {
  readonly shape: readonly number[];
}

export interface ModelInput {
  readonly name: string;
  readonly dataType: ConfigDataType;
  readonly format: 'FORMAT_NONE' | 'FORMAT_NHWC' | 'FORMAT_NCHW';
  readonly dims: readonly number[];
  readonly reshape: TensorReshape | undefined;
  readonly isShapeTensor: boolean;
  readonly allowRaggedBatch: boolean;
  readonly optional: boolean;
  readonly isNonLinearFormatIo: boolean;
}

export interface ModelOutput {
  readonly name: string;
  readonly dataType: ConfigDataType;
  readonly dims: readonly number[];
  readonly reshape: TensorReshape | undefined;
  readonly labelFilename: string;
  readonly isShapeTensor: boolean;
  readonly isNonLinearFormatIo: boolean;
}

export interface BatchInput {
  readonly kind:
    | 'BATCH_ELEMENT_COUNT'
    | 'BATCH_ACCUMULATED_ELEMENT_COUNT'
    | 'BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO'
    | 'BATCH_MAX_ELEMENT_COUNT_AS_SHAPE'
    | 'BATCH_ITEM_SHAPE'
    | 'BATCH_ITEM_SHAPE_FLATTEN';
  readonly targetName: readonly string[];
  readonly dataType: ConfigDataType;
  readonly sourceInput: readonly string[];
}

export interface BatchOutput {
  readonly targetName: readonly string[];
  readonly kind: 'BATCH_SCATTER_WITH_INPUT_SHAPE';
  readonly sourceInput: readonly string[];
}

export interface RateLimiterResource {
  readonly name: string;
  readonly global: boolean;
  readonly count: number;
}

export interface ModelRateLimiter {
  readonly resources: readonly RateLimiterResource[];
  readonly priority: number;
}

export interface ModelInstanceGroup {
  readonly name: string;
  readonly kind: 'KIND_AUTO' | 'KIND_GPU' | 'KIND_CPU' | 'KIND_MODEL';
  readonly count: number;
  readonly rateLimiter: ModelRateLimiter | undefined;
  readonly gpus: readonly number[];
  readonly secondaryDevices: readonly { readonly kind: 'KIND_NVDLA'; readonly deviceId: number }[];
  readonly profile: readonly string[];
  readonly passive: boolean;
  readonly hostPolicy: string;
}

/** At most one of the three is set. */
export interface ModelVersionPolicy {
  readonly latest: { readonly numVersions: number } | undefined;
  readonly all: Readonly<Record<string, never>> | undefined;
  readonly specific: { readonly versions: readonly number[] } | undefined;
}

export interface Accelerator {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface CudaGraphShape {
  readonly dim: readonly number[];
}

export interface CudaGraphSpec {
  readonly batchSize: number;
  readonly input: Readonly<Record<string, CudaGraphShape>>;
  readonly graphLowerBound:
    { readonly batchSize: number; readonly input: Readonly<Record<string, CudaGraphShape>> } | undefined;
}

export interface ModelOptimizationPolicy {
  readonly graph: { readonly level: number } | undefined;
  readonly priority: 'PRIORITY_DEFAULT' | 'PRIORITY_MAX' | 'PRIORITY_MIN';
  readonly cuda:
    | {
        readonly graphs: boolean;
        readonly busyWaitEvents: boolean;
        readonly graphSpec: readonly CudaGraphSpec[];
        readonly outputCopyStream: boolean;
      }
    | undefined;
  readonly executionAccelerators:
    | {
        readonly gpuExecutionAccelerator: readonly Accelerator[];
        readonly cpuExecutionAccelerator: readonly Accelerator[];
      }
    | undefined;
  readonly inputPinnedMemory: { readonly enable: boolean } | undefined;
  readonly outputPinnedMemory: { readonly enable: boolean } | undefined;
  readonly gatherKernelBufferThreshold: number;
  readonly eagerBatching: boolean;
}

export interface ModelQueuePolicy {
  readonly timeoutAction: 'REJECT' | 'DELAY';
  readonly defaultTimeoutMicroseconds: bigint;
  readonly allowTimeoutOverride: boolean;
  readonly maxQueueSize: number;
}

export interface ModelDynamicBatching {
  readonly preferredBatchSize: readonly number[];
  readonly maxQueueDelayMicroseconds: bigint;
  readonly preserveOrdering: boolean;
  readonly priorityLevels: bigint;
  readonly defaultPriorityLevel: bigint;
  readonly defaultQueuePolicy: ModelQueuePolicy | undefined;
  /** Key = priority level as decimal text. */
  readonly priorityQueuePolicy: Readonly<Record<string, ModelQueuePolicy>>;
}

export type SequenceControlKind =
  'CONTROL_SEQUENCE_START' | 'CONTROL_SEQUENCE_READY' | 'CONTROL_SEQUENCE_END' | 'CONTROL_SEQUENCE_CORRID';

export interface SequenceControl {
  readonly kind: SequenceControlKind;
  readonly int32FalseTrue: readonly number[];
  readonly fp32FalseTrue: readonly number[];
  readonly boolFalseTrue: readonly boolean[];
  readonly dataType: ConfigDataType;
}

export interface SequenceControlInput {
  readonly name: string;
  readonly control: readonly SequenceControl[];
}

/** At most one of zeroData and dataFile is set. */
export interface SequenceInitialState {
  readonly name: string;
  readonly dataType: ConfigDataType;
  readonly dims: readonly number[];
  readonly zeroData: boolean | undefined;
  readonly dataFile: string | undefined;
}

export interface SequenceState {
  readonly inputName: string;
  readonly outputName: string;
  readonly dataType: ConfigDataType;
  readonly dims: readonly number[];
  readonly initialState: readonly SequenceInitialState[];
  readonly useSameBufferForInputOutput: boolean;
  readonly useGrowableMemory: boolean;
}

/** At most one of direct and oldest is set. */
export interface ModelSequenceBatching {
  readonly direct:
    { readonly maxQueueDelayMicroseconds: bigint; readonly minimumSlotUtilization: number } | undefined;
  readonly oldest:
    | {
        readonly maxCandidateSequences: number;
        readonly preferredBatchSize: readonly number[];
        readonly maxQueueDelayMicroseconds: bigint;
        readonly preserveOrdering: boolean;
      }
    | undefined;
  readonly maxSequenceIdleMicroseconds: bigint;
  readonly controlInput: readonly SequenceControlInput[];
  readonly state: readonly SequenceState[];
  readonly iterativeSequence: boolean;
}

export interface EnsembleStep {
  readonly modelName: string;
  readonly modelVersion: number;
  /** Composing model's input -> ensemble tensor. */
  readonly inputMap: Readonly<Record<string, string>>;
  /** Composing model's output -> ensemble tensor. */
  readonly outputMap: Readonly<Record<string, string>>;
  readonly modelNamespace: string;
}

export interface ModelEnsembling {
  readonly step: readonly EnsembleStep[];
  readonly maxInflightRequests: number;
}

/** At most one of zeroData, randomData and inputDataFile is set. */
export interface WarmupInput {
  readonly dataType: ConfigDataType;
  readonly dims: readonly number[];
  readonly zeroData: boolean | undefined;
  readonly randomData: boolean | undefined;
  readonly inputDataFile: string | undefined;
}

export interface ModelWarmup {
  readonly name: string;
  readonly batchSize: number;
  readonly inputs: Readonly<Record<string, WarmupInput>>;
  readonly count: number;
}

export interface ModelMetrics {
  readonly metricControl: readonly {
    readonly metricIdentifier: { readonly family: string } | undefined;
    readonly histogramOptions: { readonly buckets: readonly number[] } | undefined;
  }[];
}

export interface RepositoryAgentConfig {
  readonly name: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** At most one of dynamicBatching, sequenceBatching and ensembleScheduling is set. */
export interface ModelConfig {
  readonly name: string;
  readonly platform: string;
  readonly backend: string;
  readonly runtime: string;
  readonly versionPolicy: ModelVersionPolicy | undefined;
  readonly maxBatchSize: number;
  readonly input: readonly ModelInput[];
  readonly output: readonly ModelOutput[];
  readonly batchInput: readonly BatchInput[];
  readonly batchOutput: readonly BatchOutput[];
  readonly optimization: ModelOptimizationPolicy | undefined;
  readonly dynamicBatching: ModelDynamicBatching | undefined;
  readonly sequenceBatching: ModelSequenceBatching | undefined;
  readonly ensembleScheduling: ModelEnsembling | undefined;
  readonly instanceGroup: readonly ModelInstanceGroup[];
  readonly defaultModelFilename: string;
  readonly ccModelFilenames: Readonly<Record<string, string>>;
  readonly metricTags: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, { readonly stringValue: string }>>;
  readonly modelWarmup: readonly ModelWarmup[];
  readonly modelOperations: { readonly opLibraryFilename: readonly string[] } | undefined;
  readonly modelTransactionPolicy: { readonly decoupled: boolean } | undefined;
  readonly modelRepositoryAgents: { readonly agents: readonly RepositoryAgentConfig[] } | undefined;
  readonly responseCache: { readonly enable: boolean } | undefined;
  readonly modelMetrics: ModelMetrics | undefined;
}
