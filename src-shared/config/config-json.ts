// The JSON form of a configuration, as `GET .../config` prints it and the `config` parameter of a load call brings it.
// Keys in declaration order, but scalar members of a oneof last; defaults printed, unset messages left out, 64-bit
// integers as numbers of full precision but for the few fields that the reference prints as strings.

import { childPath } from './config-decoder.ts';
import { configIssue, type ConfigIssue } from './config-issue.ts';
import {
  asValue,
  defaultValue,
  draftMessage,
  setEntry,
  type AnyMessage,
  type DraftMessage,
  type MessageValue,
} from './message-value.ts';
import type { ModelConfig } from './model-config.ts';
import { nearestName } from './nearest-name.ts';
import { isInRange } from './scalar-decoder.ts';
import type { EnumSchema, FieldSchema, MessageSchema, ScalarName } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';

/** Compact JSON text of a configuration. */
export function modelConfigToJson(config: ModelConfig): string {
  return printMessage(config, MODEL_CONFIG);
}

function printMessage(value: AnyMessage, schema: MessageSchema): string {
  let members = '';
  for (const field of printOrder(schema)) {
    const member = value[field.property];
    if (member === undefined && field.presence === 'optional') continue;
    if (members !== '') members += ',';
    members += `"${field.name}":${printField(member ?? defaultValue(field), field)}`;
  }
  return `{${members}}`;
}

/** The reference lays out what has a default first, and a scalar of a oneof has none. */
function printOrder({ fields }: MessageSchema): readonly FieldSchema[] {
  const isLate = ({ oneof, type }: FieldSchema): boolean => oneof !== undefined && type.kind !== 'message';
  return fields.some(isLate)
    ? [...fields.filter((field) => !isLate(field)), ...fields.filter(isLate)]
    : fields;
}

function printField(value: unknown, field: FieldSchema): string {
  if (field.label === 'repeated') {
    return `[${(value as unknown[]).map((item) => printSingle(item, field)).join(',')}]`;
  }
  if (field.label === 'map') {
    const map = value as Readonly<Record<string, unknown>>;
    let entries = '';
    for (const key of Object.keys(map)) {
      if (entries !== '') entries += ',';
      entries += `${JSON.stringify(key)}:${printSingle(map[key], field)}`;
    }
    return `{${entries}}`;
  }
  return printSingle(value, field);
}

function printSingle(value: unknown, field: FieldSchema): string {
  if (field.type.kind === 'message') return printMessage(value as AnyMessage, field.type);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    if (Number.isNaN(value)) return '"NaN"';
    return value > 0 ? '"Infinity"' : '"-Infinity"';
  }
  const text = String(value);
  return field.isJsonString === true ? `"${text}"` : text;
}

/** A configuration read from its JSON form. */
export interface JsonModelConfig {
  /** Everything that could be understood; usable only when no issue is an error. */
  readonly config: ModelConfig;
  /** Messages without the prefix `Invalid config override: `. */
  readonly issues: readonly ConfigIssue[];
}

/**
 * Reads the JSON form. Names in snake_case or lowerCamelCase; 64-bit integers as numbers or decimal strings; enum
 * names in any case, or numbers. Empty text is an empty configuration.
 */
export function modelConfigFromJson(text: string): JsonModelConfig {
  const reader = new JsonReader();
  let value: unknown = {};
  if (text.trim() !== '') {
    try {
      value = parseExactly(text);
    } catch (error) {
      reader.fail('', `not valid JSON: ${error instanceof Error ? error.message : String(error)}`, 'D01');
    }
  }
  const config = reader.message(value, MODEL_CONFIG, '');
  return { config, issues: reader.issues };
}

type ReviverWithSource = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** What an integer beyond 2^53 has; a text may have it too. */
const LONG_NUMBER = /\d{16}/;

/** JSON.parse that keeps integers beyond 2^53 as bigint. */
function parseExactly(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as unknown;
  const reviver: ReviverWithSource = (_, value, context) => {
    const source = context?.source;
    if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
    return /^-?\d+$/.test(source) ? BigInt(source) : value;
  };
  return JSON.parse(text, reviver) as unknown;
}

const FLOAT_WORDS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

/** The members of an object that were read so far. */
interface ReadMembers {
  readonly result: DraftMessage;
  /** Oneof, or field without one -> the name of the field that was given. */
  readonly seen: Map<string, string>;
}

class JsonReader {
  readonly issues: ConfigIssue[] = [];

  message<Schema extends MessageSchema>(value: unknown, schema: Schema, path: string): MessageValue<Schema> {
    const result = draftMessage(schema);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.fail(path, `expected an object, got ${describe(value)}`);
      return asValue(result, schema);
    }
    const read: ReadMembers = { result, seen: new Map() };
    for (const [key, member] of Object.entries(value)) {
      const field = schema.byName.get(key) ?? schema.fields.find((each) => each.property === key);
      if (field === undefined) this.#unknown(key, schema, path);
      else if (member !== null) this.#member(field, member, childPath(path, field.name), read);
    }
    return asValue(result, schema);
  }

  fail(path: string, message: string, code: ConfigIssue['code'] = 'D03', hint = ''): undefined {
    const place = path === '' ? '' : `${path}: `;
    this.issues.push(configIssue(code, place + message, { path, hint }));
    return undefined;
  }

  #unknown(key: string, schema: MessageSchema, path: string): void {
    const nearest = nearestName(key, schema.byName.keys());
    const hint = nearest === undefined ? '' : `Did you mean "${nearest}"?`;
    const message = `Message type "${schema.typeName}" has no field named "${key}".`;
    this.issues.push(configIssue('D02', message, { path: childPath(path, key), hint }));
  }

  #member(field: FieldSchema, value: unknown, path: string, { result, seen }: ReadMembers): void {
    const group = field.oneof ?? field.name;
    const rival = seen.get(group);
    if (rival !== undefined) {
      this.fail(
        path,
        rival === field.name
          ? `Non-repeated field "${field.name}" is specified multiple times.`
          : `Field "${field.name}" is specified along with field "${rival}", another member of oneof "${group}".`,
        'D04',
      );
      return;
    }
    seen.set(group, field.name);
    const read = this.#value(field, value, path);
    if (read !== undefined) result[field.property] = read;
  }

  #value(field: FieldSchema, value: unknown, path: string): unknown {
    if (field.label === 'singular') return this.#single(field, value, path);
    if (field.label === 'repeated') {
      return this.#list(value, path)
        .map((item, index) => this.#single(field, item, `${path}[${index}]`))
        .filter((item) => item !== undefined);
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.fail(path, `expected an object, got ${describe(value)}`);
    }
    const map: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const itemPath = `${path}[${JSON.stringify(key)}]`;
      if (field.keyType === 'uint64' && !isUint64Text(key))
        this.fail(itemPath, `"${key}" is no whole number`);
      else setEntry(map, key, this.#single(field, item, itemPath));
    }
    return map;
  }

  /** One thing where a list belongs is a list of that one, as the reference reads it. */
  #list(value: unknown, path: string): readonly unknown[] {
    if (Array.isArray(value)) return value as readonly unknown[];
    const message = `${path}: expected an array, got ${describe(value)}; taken for an array of one`;
    this.issues.push(configIssue('D03', message, { path, severity: 'warning' }));
    return [value];
  }

  #single(field: FieldSchema, value: unknown, path: string): unknown {
    const { type } = field;
    if (type.kind === 'message') return this.message(value, type, path);
    if (type.kind === 'enum') return this.#enumValue(type, value, path);
    switch (type.scalar) {
      case 'string':
        return typeof value === 'string' ? value : this.#wrongType('a string', value, path);
      case 'bool':
        return typeof value === 'boolean' ? value : this.#wrongType('true or false', value, path);
      case 'float':
      case 'double':
        return this.#float(value, path);
      default:
        return this.#integer(type.scalar, value, path);
    }
  }

  #wrongType(expected: string, value: unknown, path: string): undefined {
    return this.fail(path, `expected ${expected}, got ${describe(value)}`);
  }

  #enumValue(type: EnumSchema, value: unknown, path: string): unknown {
    const match =
      typeof value === 'number'
        ? type.values.find((each) => each.number === value)
        : typeof value === 'string'
          ? type.values.find((each) => each.name === value.toUpperCase() || String(each.number) === value)
          : undefined;
    if (match !== undefined) return match.name;
    const names = type.values.map((each) => each.name);
    const nearest = typeof value === 'string' ? nearestName(value, names) : undefined;
    const hint = nearest === undefined ? `One of ${names.join(', ')}.` : `Did you mean ${nearest}?`;
    return this.fail(path, `${describe(value)} is no value of ${type.typeName}`, 'D03', hint);
  }

  #float(value: unknown, path: string): unknown {
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint') return Number(value);
    const word = typeof value === 'string' ? (FLOAT_WORDS[value] ?? Number(value.trim() || 'x')) : undefined;
    if (word === undefined || (Number.isNaN(word) && value !== 'NaN')) {
      return this.#wrongType('a number', value, path);
    }
    return word;
  }

  #integer(scalar: ScalarName, value: unknown, path: string): unknown {
    let exact: bigint | undefined;
    if (typeof value === 'bigint') exact = value;
    else if (typeof value === 'number' && Number.isInteger(value)) exact = BigInt(value);
    else if (typeof value === 'string' && /^-?\d{1,40}$/.test(value)) exact = BigInt(value);
    if (exact === undefined) return this.#wrongType('a whole number', value, path);
    if (!isInRange(exact, scalar)) return this.fail(path, `${exact} is out of range for ${scalar}`);
    return scalar === 'uint64' ? exact : Number(exact);
  }
}

function isUint64Text(text: string): boolean {
  return /^\d{1,20}$/.test(text) && isInRange(BigInt(text), 'uint64');
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
