// Typed access to members of a request document, with the reference's faults: a missing member or one of another
// JSON type is INTERNAL (HTTP 500), wrapped as `Unable to parse '<label>': ...` where a label is given.

import type { ServerError } from '../../../src-shared/errors.ts';
import type { JsonValue } from '../../tensor/json-document.ts';
import { JsonArray, JsonObject } from '../../tensor/json-document.ts';
import { wrongType } from '../../tensor/json-values.ts';
import { httpErrors } from './http-errors.ts';

/** `Unable to parse '<label>': <message>`, or the bare message without a label. */
function unableToParse(label: string, message: string): ServerError {
  return label === ''
    ? httpErrors.wrongType({ reason: message })
    : httpErrors.wrongMember({ member: label, reason: message });
}

function wrong(label: string, wanted: Parameters<typeof wrongType>[0]): ServerError {
  return unableToParse(label, wrongType(wanted));
}

/** The member, or a fault when it is absent or `object` is no object. */
export function requireMember(object: JsonValue, key: string, label: string): JsonValue {
  const value = object instanceof JsonObject ? object.get(key) : undefined;
  if (value === undefined) {
    throw unableToParse(label, `attempt to access non-existing object member '${key}'`);
  }
  return value;
}

/** Throws INTERNAL for a value of another type; `label` is its name, empty to leave it out of the text. */
export function asString(value: JsonValue, label: string): string {
  if (typeof value !== 'string') throw wrong(label, 'string');
  return value;
}

/** Throws INTERNAL for a value of another type; `label` is its name, empty to leave it out of the text. */
export function asBoolean(value: JsonValue, label: string): boolean {
  if (typeof value !== 'boolean') throw wrong(label, 'bool');
  return value;
}

/** A non-negative integer token; bigint beyond 2^53. */
export function asUint(value: JsonValue, label: string): number | bigint {
  if ((typeof value !== 'number' && typeof value !== 'bigint') || value < 0) throw wrong(label, 'uint');
  return value;
}

/** Throws INTERNAL for a value of another type; `label` is its name, empty to leave it out of the text. */
export function asArray(value: JsonValue, label: string): JsonArray {
  if (!(value instanceof JsonArray)) throw wrong(label, 'array');
  return value;
}

/** Throws INTERNAL for a value of another type; `label` is its name, empty to leave it out of the text. */
export function asObject(value: JsonValue, label: string): JsonObject {
  if (!(value instanceof JsonObject)) throw wrong(label, 'object');
  return value;
}

/** An object whose members are wanted; the reference words this fault in its own way. */
export function asMembers(value: JsonValue): JsonObject {
  if (!(value instanceof JsonObject)) throw httpErrors.notObject();
  return value;
}
