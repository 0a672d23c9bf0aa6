// ModelConfig to text: values that are not the default, in declaration order, two blanks per level. Each line knows the
// field it shows, so that a view can tell where the value comes from.

import { childPath } from './config-decoder.ts';
import { defaultValue, type AnyMessage } from './message-value.ts';
import type { ModelConfig } from './model-config.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import { encodeStringLiteral } from './text-format/string-literal.ts';

export interface ConfigLine {
  readonly text: string;
  /** Field that the line shows or opens. */
  readonly path: string;
}

const INDENT = '  ';

/** Canonical text of `config`, with a line end at its end; empty for a config with nothing set. */
export function modelConfigToText(config: ModelConfig): string {
  const lines = modelConfigToLines(config).map((line) => `${line.text}\n`);
  return lines.join('');
}

/** The lines of the canonical text. */
export function modelConfigToLines(config: ModelConfig): ConfigLine[] {
  return messageLines(config, MODEL_CONFIG, '', '');
}

/** Lines of one field whose value is `value`, at `indent`; for maps and repeated fields the whole collection. */
export function fieldLines(field: FieldSchema, value: unknown, path: string, indent: string): ConfigLine[] {
  if (field.label === 'map') return mapLines(field, value as Record<string, unknown>, path, indent);
  if (field.label === 'repeated') return listLines(field, value as unknown[], path, indent);
  if (field.type.kind !== 'message') {
    return [{ text: `${indent}${field.name}: ${encodeScalar(field, value)}`, path }];
  }
  return blockLines(`${indent}${field.name} `, value as AnyMessage, field.type, path, indent);
}

/** Text of one scalar value of `field`. */
export function encodeScalar(field: FieldSchema, value: unknown): string {
  if (typeof value === 'string') return field.type.kind === 'enum' ? value : encodeStringLiteral(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

/** Lines of the properties of `value` that are present and, unless the field shows presence, not the default. */
function messageLines(value: AnyMessage, schema: MessageSchema, path: string, indent: string): ConfigLine[] {
  return schema.fields.flatMap((field) => {
    const member = value[field.property];
    return isWritten(field, member) ? fieldLines(field, member, childPath(path, field.name), indent) : [];
  });
}

function isWritten(field: FieldSchema, value: unknown): boolean {
  if (value === undefined) return false;
  if (field.label === 'repeated') return (value as unknown[]).length > 0;
  if (field.label === 'map') return Object.keys(value as object).length > 0;
  return field.presence === 'optional' || value !== defaultValue(field);
}

function blockLines(
  opening: string,
  value: AnyMessage,
  schema: MessageSchema,
  path: string,
  indent: string,
): ConfigLine[] {
  const inner = messageLines(value, schema, path, indent + INDENT);
  if (inner.length === 0) return [{ text: `${opening}{ }`, path }];
  return [{ text: `${opening}{`, path }, ...inner, { text: `${indent}}`, path }];
}

function listLines(
  field: FieldSchema,
  values: readonly unknown[],
  path: string,
  indent: string,
): ConfigLine[] {
  const { type } = field;
  if (type.kind !== 'message') {
    const items = values.map((value) => encodeScalar(field, value)).join(', ');
    return [{ text: `${indent}${field.name}: [ ${items}${items === '' ? '' : ' '}]`, path }];
  }
  const inner = indent + INDENT;
  const items = values.flatMap((value, index) => {
    const itemPath = `${path}[${index}]`;
    const lines = blockLines(inner, value as AnyMessage, type, itemPath, inner);
    const last = lines.pop();
    if (last === undefined) return lines;
    return [...lines, { ...last, text: last.text + (index < values.length - 1 ? ',' : '') }];
  });
  return [{ text: `${indent}${field.name} [`, path }, ...items, { text: `${indent}]`, path }];
}

function mapLines(
  field: FieldSchema,
  map: Readonly<Record<string, unknown>>,
  path: string,
  indent: string,
): ConfigLine[] {
  return Object.entries(map).flatMap(([key, value]) => entryLines(field, key, value, path, indent));
}

/** Lines of one map entry. */
export function entryLines(
  field: FieldSchema,
  key: string,
  value: unknown,
  path: string,
  indent: string,
): ConfigLine[] {
  const entryPath = `${path}[${JSON.stringify(key)}]`;
  const inner = indent + INDENT;
  const keyText = field.keyType === 'string' ? encodeStringLiteral(key) : key;
  const valueLines =
    field.type.kind === 'message'
      ? blockLines(`${inner}value `, value as AnyMessage, field.type, entryPath, inner)
      : [{ text: `${inner}value: ${encodeScalar(field, value)}`, path: entryPath }];
  return [
    { text: `${indent}${field.name} {`, path: entryPath },
    { text: `${inner}key: ${keyText}`, path: entryPath },
    ...valueLines,
    { text: `${indent}}`, path: entryPath },
  ];
}
