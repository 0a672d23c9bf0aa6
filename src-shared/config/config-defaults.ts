// Values the server fills in where a configuration is silent, and a config with nothing set, to build others on.

import { emptyMessage } from './message-value.ts';
import type { ModelConfig, ModelInput, ModelInstanceGroup, ModelOutput } from './model-config.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { INSTANCE_GROUP } from './schema/instance-fields.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import { MODEL_INPUT, MODEL_OUTPUT } from './schema/tensor-fields.ts';

/** Microseconds after which a sequence without requests is given up, where a configuration says nothing. */
export const DEFAULT_MAX_SEQUENCE_IDLE_US = 1_000_000n;
/** The one family of metrics whose buckets a configuration may set; in milliseconds. */
export const CUSTOMIZABLE_METRIC_FAMILY = 'nv_inference_first_response_histogram_ms';
/** Batch size given to ONNX models that can batch and name none. */
export const DEFAULT_MAX_BATCH_SIZE = 4;

/** A config with nothing set but `partial`. Parts inside it must be complete. */
export function emptyModelConfig(partial: Partial<ModelConfig> = {}): ModelConfig {
  return { ...emptyMessage(MODEL_CONFIG), ...partial };
}

/** An input with every field at its default but `partial`. */
export function modelInput(partial: Partial<ModelInput>): ModelInput {
  return { ...emptyMessage(MODEL_INPUT), ...partial };
}

/** An output with every field at its default but `partial`. */
export function modelOutput(partial: Partial<ModelOutput>): ModelOutput {
  return { ...emptyMessage(MODEL_OUTPUT), ...partial };
}

/** An instance group with every field at its default but `partial`. */
export function instanceGroup(partial: Partial<ModelInstanceGroup>): ModelInstanceGroup {
  return { ...emptyMessage(INSTANCE_GROUP), ...partial };
}

/** `dynamic_batching { }`, `optimization { }` and the like: the message field `property` of ModelConfig, all defaults. */
export function emptyPart<K extends keyof ModelConfig>(property: K): NonNullable<ModelConfig[K]> {
  const field: FieldSchema | undefined = MODEL_CONFIG.fields.find((each) => each.property === property);
  const schema: MessageSchema | undefined = field?.type.kind === 'message' ? field.type : undefined;
  if (schema === undefined) throw new TypeError(`ModelConfig.${property} is not a message`);
  return emptyMessage(schema) as NonNullable<ModelConfig[K]>;
}
