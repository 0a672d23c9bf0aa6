// What a management route looks at of a large body, as a small JSON text: made in a worker, so that the event loop never
// reads megabytes of settings. Members that nobody asks for are dropped, whatever they hold.

import type { JsonValue } from '../../tensor/json-document.ts';
import { JsonArray, JsonObject, parseJson } from '../../tensor/json-document.ts';
import { JsonDouble } from '../../tensor/json-values.ts';
import { jsonDouble } from '../../tensor/json-writer.ts';

/** Lists of settings have a handful of entries. */
const MAX_ELEMENTS = 1000;

/** The members `keys`, at any depth of objects. Throws INTERNAL for what is no JSON. */
export function jsonExcerpt(json: Buffer, keys: readonly string[]): string {
  return print(parseJson(json), keys);
}

function print(value: JsonValue, keys: readonly string[]): string {
  if (value instanceof JsonDouble) return jsonDouble(value.value);
  if (value instanceof JsonArray) {
    // Arrays and objects in lists are never wanted: what they are is enough to refuse them.
    const elements = value.elements().slice(0, MAX_ELEMENTS);
    return `[${elements.map((element) => (element instanceof JsonArray ? '[]' : print(element, []))).join(',')}]`;
  }
  if (value instanceof JsonObject) {
    const members = keys.flatMap((key) => {
      const member = value.get(key);
      return member === undefined ? [] : [`${JSON.stringify(key)}:${print(member, keys)}`];
    });
    return `{${members.join(',')}}`;
  }
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
