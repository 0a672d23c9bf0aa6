// ModelConfig to text: values that are not the default, in declaration order, two blanks per level. Each line knows the
// field it shows, so that a view can tell where the value comes from.

import { childPath } from './config-decoder.ts';
import { defaultValue, type AnyMessage } from './message-value.ts';
import type { ModelConfig } from './model-config.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import { encodeStringLiteral } from './text-format/string-literal.ts';

/** One line of a written configuration. */
export interface ConfigLine {
  readonly text: string;
  /** Field that the line shows or opens. */
  readonly path: string;
}

/** Where something is written. */
interface Place {
  /** Path of the field that the lines show. */
  readonly path: string;
  /** What stands in front of each line. */
  readonly indent: string;
}

const INDENT = '  ';
const TOP: Place = { path: '', indent: '' };

type MapEntry = readonly [key: string, value: unknown];

/** Takes one line after the other. */
type LineSink = (text: string, path: string) => void;

/** Canonical text of `config`, with a line end at its end; empty for a config with nothing set. */
export function modelConfigToText(config: ModelConfig): string {
  const texts: string[] = [];
  writeMessage(config, MODEL_CONFIG, TOP, (text) => texts.push(text));
  return texts.length === 0 ? '' : `${texts.join('\n')}\n`;
}

/** The lines of the canonical text. */
export function modelConfigToLines(config: ModelConfig): ConfigLine[] {
  return collect((sink) => writeMessage(config, MODEL_CONFIG, TOP, sink));
}

/** Lines of one field whose value is `value`, at `indent`; for maps and repeated fields the whole collection. */
export function fieldLines(field: FieldSchema, value: unknown, indent: string): ConfigLine[] {
  return collect((sink) => writeField(field, value, { path: '', indent }, sink));
}

/** Lines of one map entry. */
export function entryLines(field: FieldSchema, entry: MapEntry, indent: string): ConfigLine[] {
  return collect((sink) => writeEntry(field, entry, { path: '', indent }, sink));
}

/** Text of one scalar value of `field`. */
export function encodeScalar(field: FieldSchema, value: unknown): string {
  if (typeof value === 'string') return field.type.kind === 'enum' ? value : encodeStringLiteral(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'nan';
  return value > 0 ? 'inf' : '-inf';
}

function collect(write: (sink: LineSink) => void): ConfigLine[] {
  const lines: ConfigLine[] = [];
  write((text, path) => lines.push({ text, path }));
  return lines;
}

/** Writes the properties of `value` that are present and, unless the field shows presence, not the default. */
function writeMessage(
  value: AnyMessage,
  schema: MessageSchema,
  { path, indent }: Place,
  sink: LineSink,
): void {
  for (const field of schema.fields) {
    const member = value[field.property];
    if (isWritten(field, member)) {
      writeField(field, member, { path: childPath(path, field.name), indent }, sink);
    }
  }
}

function isWritten(field: FieldSchema, value: unknown): boolean {
  if (value === undefined) return false;
  if (field.label === 'repeated') return (value as unknown[]).length > 0;
  if (field.label === 'map') return hasEntries(value as object);
  return field.presence === 'optional' || value !== defaultValue(field);
}

function hasEntries(map: object): boolean {
  for (const key in map) if (Object.hasOwn(map, key)) return true;
  return false;
}

function writeField(field: FieldSchema, value: unknown, place: Place, sink: LineSink): void {
  const { path, indent } = place;
  if (field.label === 'map') {
    for (const entry of Object.entries(value as AnyMessage)) writeEntry(field, entry, place, sink);
  } else if (field.label === 'repeated') {
    writeList(field, value as unknown[], place, sink);
  } else if (field.type.kind === 'message') {
    writeBlock({ value, schema: field.type, opening: `${indent}${field.name} ` }, place, sink);
  } else {
    sink(`${indent}${field.name}: ${encodeScalar(field, value)}`, path);
  }
}

/** A message in braces. */
interface Block {
  readonly value: unknown;
  readonly schema: MessageSchema;
  /** What stands before the brace that opens it. */
  readonly opening: string;
  /** What stands behind the brace that closes it. */
  readonly ending?: string;
}

function writeBlock(
  { value, schema, opening, ending = '' }: Block,
  { path, indent }: Place,
  sink: LineSink,
): void {
  let isEmpty = true;
  writeMessage(value as AnyMessage, schema, { path, indent: indent + INDENT }, (text, inner) => {
    if (isEmpty) sink(`${opening}{`, path);
    isEmpty = false;
    sink(text, inner);
  });
  sink(isEmpty ? `${opening}{ }${ending}` : `${indent}}${ending}`, path);
}

function writeList(
  field: FieldSchema,
  values: readonly unknown[],
  { path, indent }: Place,
  sink: LineSink,
): void {
  const { type } = field;
  if (type.kind !== 'message') {
    const items = values.map((value) => encodeScalar(field, value)).join(', ');
    sink(`${indent}${field.name}: [ ${items}${items === '' ? '' : ' '}]`, path);
    return;
  }
  const inner = indent + INDENT;
  sink(`${indent}${field.name} [`, path);
  for (const [index, value] of values.entries()) {
    const ending = index < values.length - 1 ? ',' : '';
    const place = { path: `${path}[${index}]`, indent: inner };
    writeBlock({ value, schema: type, opening: inner, ending }, place, sink);
  }
  sink(`${indent}]`, path);
}

function writeEntry(
  field: FieldSchema,
  [key, value]: MapEntry,
  { path, indent }: Place,
  sink: LineSink,
): void {
  const entryPath = `${path}[${JSON.stringify(key)}]`;
  const inner = indent + INDENT;
  sink(`${indent}${field.name} {`, entryPath);
  sink(`${inner}key: ${field.keyType === 'string' ? encodeStringLiteral(key) : key}`, entryPath);
  if (field.type.kind === 'message') {
    const place = { path: entryPath, indent: inner };
    writeBlock({ value, schema: field.type, opening: `${inner}value ` }, place, sink);
  } else {
    sink(`${inner}value: ${encodeScalar(field, value)}`, entryPath);
  }
  sink(`${indent}}`, entryPath);
}
