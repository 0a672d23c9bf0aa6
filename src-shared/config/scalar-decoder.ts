// One written scalar to its value: integers in three bases with ranges, floats, booleans, strings, enumerations.
// Every refusal carries the reference parser's sentence.

import type { ScalarNode } from './text-format/ast.ts';
import { nearestName } from './nearest-name.ts';
import type { EnumSchema, FieldSchema, ScalarName } from './schema/field-types.ts';

/** Why a text is no value of its field. */
export interface ScalarProblem {
  readonly message: string;
  readonly hint: string;
  /** Text that would be right in place of the value. */
  readonly replacement: string | undefined;
}

/** The value of a text, or what is wrong with it. */
export type ScalarResult =
  | { readonly isValid: true; readonly value: unknown }
  | { readonly isValid: false; readonly problem: ScalarProblem };

interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

const RANGES: Readonly<Partial<Record<ScalarName, IntegerRange>>> = {
  int32: { min: -(2n ** 31n), max: 2n ** 31n - 1n },
  int64: { min: BigInt(Number.MIN_SAFE_INTEGER), max: BigInt(Number.MAX_SAFE_INTEGER) },
  uint32: { min: 0n, max: 2n ** 32n - 1n },
  uint64: { min: 0n, max: 2n ** 64n - 1n },
};

/** Numbers as people say them; the usual sizes of batches among them. */
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  zero: 0,
  none: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  sixteen: 16,
  'thirty-two': 32,
  'sixty-four': 64,
};

/** "8" for "eight"; undefined for other texts. */
function numberOfWord(text: string): string | undefined {
  const word = text.trim().toLowerCase();
  return Object.hasOwn(NUMBER_WORDS, word) ? String(NUMBER_WORDS[word]) : undefined;
}

/** In the range of every integer type. */
const SMALL_DECIMAL = /^(?:0|[1-9]\d{0,8})$/;

const TRUE_WORDS = new Set(['true', 'True', 't']);
const FALSE_WORDS = new Set(['false', 'False', 'f']);

/** The value of `node` for `field`, or why it has none. */
export function decodeScalar(node: ScalarNode, field: FieldSchema): ScalarResult {
  const { type } = field;
  if (type.kind === 'enum') return decodeEnum(node, field, type);
  if (type.kind === 'message') return expected('"{"', node, 'This field is a block in braces.');
  switch (type.scalar) {
    case 'string':
      return decodeString(node);
    case 'bool':
      return decodeBool(node, field);
    case 'float':
    case 'double':
      return decodeFloat(node);
    default:
      return decodeInteger(node, type.scalar);
  }
}

/** Token text as the reference quotes it. */
export function foundText(node: ScalarNode): string {
  return node.isNegative ? '-' : node.text;
}

/** Whether `value` lies in the range of integer type `scalar`. */
export function isInRange(value: bigint, scalar: ScalarName): boolean {
  const range = RANGES[scalar];
  return range !== undefined && value >= range.min && value <= range.max;
}

function valid(value: unknown): ScalarResult {
  return { isValid: true, value };
}

function invalid(message: string, hint: string, replacement?: string): ScalarResult {
  return { isValid: false, problem: { message, hint, replacement } };
}

function expected(what: string, node: ScalarNode, hint: string, replacement?: string): ScalarResult {
  const missing = node.scalarKind === 'missing' ? 'A value is missing here. ' : '';
  return invalid(`Expected ${what}, got: ${foundText(node)}`, missing + hint, replacement);
}

function decodeString(node: ScalarNode): ScalarResult {
  if (node.scalarKind === 'string' && !node.isNegative) return valid(node.value);
  const quoted = node.scalarKind === 'missing' ? undefined : `"${node.isNegative ? '-' : ''}${node.text}"`;
  return expected('string', node, 'Text is written in quotes.', quoted);
}

function decodeInteger(node: ScalarNode, scalar: ScalarName): ScalarResult {
  const isUnsigned = scalar === 'uint32' || scalar === 'uint64';
  if (node.scalarKind !== 'integer' || (isUnsigned && node.isNegative)) {
    const inner = /^["'](-?\d+)["']$/.exec(node.text)?.[1] ?? numberOfWord(node.value);
    return expected(
      'integer',
      node,
      isUnsigned ? 'A whole number of 0 or more.' : 'A whole number without quotes.',
      inner,
    );
  }
  if (SMALL_DECIMAL.test(node.text)) {
    const small = node.isNegative ? -Number(node.text) : Number(node.text);
    return valid(scalar === 'uint64' ? BigInt(small) : small + 0);
  }
  const magnitude = integerMagnitude(node.text);
  const value = magnitude !== undefined && node.isNegative ? -magnitude : magnitude;
  if (value === undefined || !isInRange(value, scalar)) {
    return invalid(`Integer out of range (${node.text})`, rangeHint(scalar));
  }
  return valid(scalar === 'uint64' ? value : Number(value));
}

function rangeHint(scalar: ScalarName): string {
  const range = RANGES[scalar];
  return range === undefined ? '' : `Allowed are ${range.min} to ${range.max}.`;
}

/** Decimal, 0x hexadecimal and 0 octal; undefined when the digits do not fit the base or are absurdly many. */
function integerMagnitude(text: string): bigint | undefined {
  if (text.length > 40) return undefined;
  if (/^0[0-7]+$/.test(text)) return BigInt(`0o${text.slice(1)}`);
  if (/^(?:0|[1-9]\d*|0[xX][0-9a-fA-F]+)$/.test(text)) return BigInt(text);
  return undefined;
}

function decodeFloat(node: ScalarNode): ScalarResult {
  let magnitude: number | undefined;
  if (node.scalarKind === 'identifier') {
    const word = node.text.toLowerCase();
    if (word === 'inf' || word === 'infinity') magnitude = Number.POSITIVE_INFINITY;
    else if (word === 'nan') magnitude = Number.NaN;
  } else if (node.scalarKind === 'float' || /^(?:0|[1-9]\d*)$/.test(node.text)) {
    magnitude = Number(node.text.replace(/[fF]$/, ''));
  }
  if (magnitude === undefined) return expected('double', node, 'A number such as 0.5.');
  return valid(node.isNegative ? -magnitude : magnitude);
}

function decodeBool(node: ScalarNode, field: FieldSchema): ScalarResult {
  if (node.scalarKind === 'integer' && !node.isNegative) {
    const magnitude = integerMagnitude(node.text);
    if (magnitude === 0n || magnitude === 1n) return valid(magnitude === 1n);
    return invalid(`Integer out of range (${node.text})`, 'Write true or false.', 'true');
  }
  if (node.scalarKind !== 'identifier' || node.isNegative) {
    const word = /^["'](true|false)["']$/i.exec(node.text)?.[1]?.toLowerCase();
    return expected('identifier', node, 'Write true or false, without quotes.', word);
  }
  if (TRUE_WORDS.has(node.text)) return valid(true);
  if (FALSE_WORDS.has(node.text)) return valid(false);
  const word = nearestName(node.text, ['true', 'false']);
  return invalid(
    `Invalid value for boolean field "${field.name}". Value: "${node.text}".`,
    'Write true or false.',
    word,
  );
}

function decodeEnum(node: ScalarNode, field: FieldSchema, schema: EnumSchema): ScalarResult {
  const { names } = schema;
  if (node.scalarKind === 'identifier' && !node.isNegative && names.includes(node.text))
    return valid(node.text);
  if (node.scalarKind === 'integer') {
    const magnitude = integerMagnitude(node.text) ?? -1n;
    const number = Number(node.isNegative ? -magnitude : magnitude);
    const name = schema.values.find((value) => value.number === number)?.name;
    if (name !== undefined) return valid(name);
    const shown = `${node.isNegative ? '-' : ''}${node.text}`;
    return invalid(schema.unknownNumberText ?? unknownEnum(shown, field), `One of ${names.join(', ')}.`);
  }
  if (node.scalarKind !== 'identifier' || node.isNegative) {
    const inner = /^["'](\w+)["']$/.exec(node.text)?.[1];
    return expected(
      'integer or identifier',
      node,
      `One of ${names.join(', ')}, without quotes.`,
      inner === undefined ? undefined : nearestEnumName(inner, names),
    );
  }
  const nearest = nearestEnumName(node.text, names);
  const suggestion = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  return invalid(unknownEnum(node.text, field), `${suggestion}One of ${names.join(', ')}.`, nearest);
}

const unknownEnum = (shown: string, field: FieldSchema): string =>
  `Unknown enumeration value of "${shown}" for field "${field.name}".`;

/** Common other spellings of types count as the type: float32, FP32, string. */
function nearestEnumName(typed: string, names: readonly string[]): string | undefined {
  const alias = /^(?:TYPE_)?FLOAT(16|32|64)$/i.exec(typed)?.[1];
  if (alias !== undefined && names.includes(`TYPE_FP${alias}`)) return `TYPE_FP${alias}`;
  if (/^(?:TYPE_)?BYTES$/i.test(typed) && names.includes('TYPE_STRING')) return 'TYPE_STRING';
  const prefix = /^[A-Z]+_/.exec(names[0] ?? '')?.[0] ?? '';
  const withPrefix = names.find((name) => name === prefix + typed.toUpperCase());
  return withPrefix ?? nearestName(typed, names);
}
