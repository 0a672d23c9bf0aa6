// Reads the value of a field path from a ModelConfig: the counterpart of editing one in a text.

import type { AnyMessage } from './message-value.ts';
import { parsePath } from './config-path.ts';
import type { ModelConfig } from './model-config.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';

/** Value at `path`, such as `instance_group[0].count`; undefined when the path names nothing that is set. */
export function configValueAt(config: ModelConfig, path: string): unknown {
  let value: unknown = config;
  let schema: MessageSchema | undefined = MODEL_CONFIG;
  for (const { name, index, key } of parsePath(path)) {
    const field: FieldSchema | undefined = schema?.byName.get(name);
    if (field === undefined || typeof value !== 'object' || value === null) return undefined;
    value = (value as AnyMessage)[field.property];
    if (index !== undefined) value = (value as readonly unknown[] | undefined)?.[index];
    if (key !== undefined) value = ownEntry(value, key);
    schema = field.type.kind === 'message' ? field.type : undefined;
  }
  return value;
}

function ownEntry(map: unknown, key: string): unknown {
  const entries = map as Readonly<Record<string, unknown>>;
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}
