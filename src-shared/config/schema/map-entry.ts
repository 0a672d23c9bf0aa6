// A map field is written as repeated messages of a key and a value; this is their schema.

import { message, one, type FieldSchema, type MessageSchema } from './field-types.ts';

const entries = new WeakMap<FieldSchema, MessageSchema>();

/** Schema of one entry of map field `field`, which belongs to `parent`. */
export function mapEntrySchema(field: FieldSchema, parent: MessageSchema): MessageSchema {
  const known = entries.get(field);
  if (known !== undefined) return known;
  const pascal = field.property.charAt(0).toUpperCase() + field.property.slice(1);
  const kind = field.type.kind === 'scalar' ? field.type.scalar : field.type;
  const typeName = `${parent.typeName.replace(/^inference\./, '')}.${pascal}Entry`;
  const entry = message(typeName, field.doc, [
    one('key', 1, field.keyType ?? 'string', `Key of an entry of ${field.name}.`),
    one('value', 2, kind, field.doc),
  ]);
  entries.set(field, entry);
  return entry;
}
