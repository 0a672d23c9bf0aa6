// ModelConfig to the plain object that a protobuf library encodes: names as in the .proto, only what is set, 64-bit
// integers as decimal text, which no number can hold exactly.

import { defaultValue, setEntry, type AnyMessage, type DraftMessage } from './message-value.ts';
import type { ModelConfig } from './model-config.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';

/** `config` as a message `inference.ModelConfig`. */
export function modelConfigToMessage(config: ModelConfig): AnyMessage {
  return toMessage(config, MODEL_CONFIG);
}

function toMessage(value: AnyMessage, schema: MessageSchema): AnyMessage {
  const message: DraftMessage = {};
  for (const field of schema.fields) {
    const member = value[field.property];
    const isAbsent =
      field.label === 'singular' && field.presence === 'defaulted' && member === defaultValue(field);
    if (member !== undefined && !isAbsent) message[field.name] = toField(member, field);
  }
  return message;
}

function toField(value: unknown, field: FieldSchema): unknown {
  if (field.label === 'repeated') return (value as readonly unknown[]).map((item) => toSingle(item, field));
  if (field.label === 'singular') return toSingle(value, field);
  const map: DraftMessage = {};
  for (const [key, item] of Object.entries(value as AnyMessage)) setEntry(map, key, toSingle(item, field));
  return map;
}

function toSingle(value: unknown, field: FieldSchema): unknown {
  if (field.type.kind === 'message') return toMessage(value as AnyMessage, field.type);
  const isWide = field.type.kind === 'scalar' && /64$/.test(field.type.scalar);
  return isWide ? String(value) : value;
}
