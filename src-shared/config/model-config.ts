// Names for the values of a model configuration. Their shapes are those of the schemas in ./schema, the one place where
// fields are declared; what MessageValue says of its values holds for all of them.

import type { MessageValue } from './message-value.ts';
import type * as instance from './schema/instance-fields.ts';
import type * as model from './schema/model-fields.ts';
import type * as scheduling from './schema/scheduling-fields.ts';
import type * as tensor from './schema/tensor-fields.ts';

export type ModelConfig = MessageValue<typeof model.MODEL_CONFIG>;
export type ModelWarmup = MessageValue<typeof model.WARMUP>;
export type WarmupInput = MessageValue<typeof model.WARMUP_INPUT>;
export type RepositoryAgentConfig = MessageValue<typeof model.AGENT>;

export type TensorReshape = MessageValue<typeof tensor.TENSOR_RESHAPE>;
export type ModelInput = MessageValue<typeof tensor.MODEL_INPUT>;
export type ModelOutput = MessageValue<typeof tensor.MODEL_OUTPUT>;
export type BatchInput = MessageValue<typeof tensor.BATCH_INPUT>;
export type BatchOutput = MessageValue<typeof tensor.BATCH_OUTPUT>;

export type ModelInstanceGroup = MessageValue<typeof instance.INSTANCE_GROUP>;
export type ModelRateLimiter = MessageValue<typeof instance.RATE_LIMITER>;
export type ModelVersionPolicy = MessageValue<typeof instance.VERSION_POLICY>;
export type ModelOptimizationPolicy = MessageValue<typeof instance.OPTIMIZATION>;
export type Accelerator = MessageValue<typeof instance.ACCELERATOR>;

export type ModelDynamicBatching = MessageValue<typeof scheduling.DYNAMIC_BATCHING>;
export type ModelQueuePolicy = MessageValue<typeof scheduling.QUEUE_POLICY>;
export type ModelSequenceBatching = MessageValue<typeof scheduling.SEQUENCE_BATCHING>;
export type SequenceControlInput = MessageValue<typeof scheduling.CONTROL_INPUT>;
export type SequenceControl = MessageValue<typeof scheduling.CONTROL>;
export type SequenceControlKind = SequenceControl['kind'];
export type SequenceState = MessageValue<typeof scheduling.STATE>;
export type SequenceInitialState = MessageValue<typeof scheduling.INITIAL_STATE>;
export type ModelEnsembling = MessageValue<typeof scheduling.ENSEMBLE_SCHEDULING>;
export type EnsembleStep = MessageValue<typeof scheduling.STEP>;

/** Whether the model has steps instead of instances. */
export function isEnsemble(config: ModelConfig): boolean {
  return config.platform === 'ensemble' || config.ensembleScheduling !== undefined;
}
