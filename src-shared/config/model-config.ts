// Names for the values of a model configuration. Their shapes are those of the schemas in ./schema, the one place where
// fields are declared; what MessageValue says of its values holds for all of them.

import type { MessageValue } from './message-value.ts';
import type * as instance from './schema/instance-fields.ts';
import type * as model from './schema/model-fields.ts';
import type * as scheduling from './schema/scheduling-fields.ts';
import type * as tensor from './schema/tensor-fields.ts';

/** `inference.ModelConfig`: fields in camel case, defaults filled in, 64-bit integers as bigint. */
export type ModelConfig = MessageValue<typeof model.MODEL_CONFIG>;
/** One sample of `model_warmup`. */
export type ModelWarmup = MessageValue<typeof model.WARMUP>;
/** One input of a sample. */
export type WarmupInput = MessageValue<typeof model.WARMUP_INPUT>;
/** One of `model_repository_agents`. */
export type RepositoryAgentConfig = MessageValue<typeof model.AGENT>;

/** The shape that the model itself sees in place of `dims`. */
export type TensorReshape = MessageValue<typeof tensor.TENSOR_RESHAPE>;
/** One of `input`; `dims` without the batch dimension, -1 = any size. */
export type ModelInput = MessageValue<typeof tensor.MODEL_INPUT>;
/** One of `output`; `dims` without the batch dimension, -1 = any size. */
export type ModelOutput = MessageValue<typeof tensor.MODEL_OUTPUT>;
/** One of `batch_input`, made for a whole batch. */
export type BatchInput = MessageValue<typeof tensor.BATCH_INPUT>;
/** One of `batch_output`. */
export type BatchOutput = MessageValue<typeof tensor.BATCH_OUTPUT>;

/** One of `instance_group`. */
export type ModelInstanceGroup = MessageValue<typeof instance.INSTANCE_GROUP>;
/** What an instance needs to execute, with `--rate-limit`. */
export type ModelRateLimiter = MessageValue<typeof instance.RATE_LIMITER>;
/** Which versions are served. */
export type ModelVersionPolicy = MessageValue<typeof instance.VERSION_POLICY>;
/** `optimization`. */
export type ModelOptimizationPolicy = MessageValue<typeof instance.OPTIMIZATION>;
/** An execution accelerator with its parameters. */
export type Accelerator = MessageValue<typeof instance.ACCELERATOR>;

/** `dynamic_batching`. */
export type ModelDynamicBatching = MessageValue<typeof scheduling.DYNAMIC_BATCHING>;
/** The queue of one priority level. */
export type ModelQueuePolicy = MessageValue<typeof scheduling.QUEUE_POLICY>;
/** `sequence_batching`. */
export type ModelSequenceBatching = MessageValue<typeof scheduling.SEQUENCE_BATCHING>;
/** An input that tells a model about its sequence. */
export type SequenceControlInput = MessageValue<typeof scheduling.CONTROL_INPUT>;
/** One control of such an input. */
export type SequenceControl = MessageValue<typeof scheduling.CONTROL>;
/** What a control tells. */
export type SequenceControlKind = SequenceControl['kind'];
/** A tensor that the server carries from one request of a sequence to the next. */
export type SequenceState = MessageValue<typeof scheduling.STATE>;
/** What a state is when a sequence starts. */
export type SequenceInitialState = MessageValue<typeof scheduling.INITIAL_STATE>;
/** `ensemble_scheduling`. */
export type ModelEnsembling = MessageValue<typeof scheduling.ENSEMBLE_SCHEDULING>;
/** One step, with its tensors by the names of the model that runs. */
export type EnsembleStep = MessageValue<typeof scheduling.STEP>;

/** Whether the model has steps instead of instances. */
export function isEnsemble(config: ModelConfig): boolean {
  return config.platform === 'ensemble' || config.ensembleScheduling !== undefined;
}
