// ModelConfig as protobuf's own debug text, which the reference logs: set fields by number, one line for each value of a
// repeated field, maps by key, bytes beyond ASCII as octal escapes.

import type { AnyMessage } from './message-value.ts';
import { defaultValue } from './message-value.ts';
import type { ModelConfig } from './model-config.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
};

/** With a line end behind every line; empty for a configuration with nothing set. */
export function modelConfigToDebugText(config: ModelConfig): string {
  return messageLines(config, MODEL_CONFIG)
    .map((line) => `${line}\n`)
    .join('');
}

function messageLines(value: AnyMessage, schema: MessageSchema): string[] {
  const fields = [...schema.fields].sort((a, b) => a.number - b.number);
  return fields.flatMap((field) => fieldLines(field, value[field.property]));
}

function fieldLines(field: FieldSchema, value: unknown): string[] {
  if (value === undefined) return [];
  if (field.label === 'repeated') return (value as unknown[]).flatMap((item) => valueLines(field, item));
  if (field.label === 'map') {
    const entries = Object.entries(value as AnyMessage).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.flatMap(([key, item]) => {
      const keyText = field.keyType === 'string' ? quoted(key) : key;
      return block(field.name, [`key: ${keyText}`, ...valueLines({ ...field, name: 'value' }, item)]);
    });
  }
  const isSet = field.presence === 'optional' || value !== defaultValue(field);
  return isSet ? valueLines(field, value) : [];
}

function valueLines({ name, type }: Pick<FieldSchema, 'name' | 'type'>, value: unknown): string[] {
  if (type.kind === 'message') return block(name, messageLines(value as AnyMessage, type));
  const text = typeof value === 'string' && type.kind === 'scalar' ? quoted(value) : String(value);
  return [`${name}: ${text}`];
}

function block(name: string, lines: readonly string[]): string[] {
  return [`${name} {`, ...lines.map((line) => `  ${line}`), '}'];
}

function quoted(text: string): string {
  const characters = Array.from(new TextEncoder().encode(text), (byte) => {
    const character = String.fromCharCode(byte);
    const escaped = ESCAPES[character];
    if (escaped !== undefined) return escaped;
    return byte < 32 || byte > 126 ? `\\${byte.toString(8).padStart(3, '0')}` : character;
  });
  return `"${characters.join('')}"`;
}
