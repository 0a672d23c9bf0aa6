// The values that a schema describes. `MessageValue` is the type of a message's value and follows the schema by itself;
// `emptyMessage` is such a value with nothing set. Whatever walks values by the schema takes `AnyMessage`, which every
// `MessageValue` is.

import type { EnumSchema, FieldSchema, MessageSchema, ScalarName, TypeSchema } from './schema/field-types.ts';

/** Value of any message, by property name. */
export type AnyMessage = Readonly<Record<string, unknown>>;

/** A message under construction. */
export type DraftMessage = Record<string, unknown>;

/**
 * Value of the message `Schema`: camelCase, readonly, every repeated field and map present (possibly empty), scalars at
 * their default when unset, messages and members of a oneof `undefined` when unset. 64-bit signed integers are safe
 * integers, uint64 are bigint, enumerations are names; keys of maps are texts, decimal for numbers.
 */
export type MessageValue<Schema extends MessageSchema> = Schema['fields'] extends readonly []
  ? Readonly<Record<string, never>>
  : {
      readonly [Field in Schema['fields'][number] as Field['property']]: FieldValue<Field>;
    };

type FieldValue<Field extends FieldSchema> = Field['label'] extends 'repeated'
  ? readonly TypeValue<Field['type']>[]
  : Field['label'] extends 'map'
    ? Readonly<Record<string, TypeValue<Field['type']>>>
    : Field['presence'] extends 'optional'
      ? TypeValue<Field['type']> | undefined
      : TypeValue<Field['type']>;

type TypeValue<Type extends TypeSchema> = Type extends MessageSchema
  ? MessageValue<Type>
  : Type extends EnumSchema<infer Name>
    ? Name
    : Type extends { readonly scalar: infer Scalar extends ScalarName }
      ? ScalarValues[Scalar]
      : never;

interface ScalarValues {
  readonly string: string;
  readonly bool: boolean;
  readonly int32: number;
  readonly int64: number;
  readonly uint32: number;
  readonly uint64: bigint;
  readonly float: number;
  readonly double: number;
}

/** A message with every property at its default, to be filled. */
export function draftMessage(schema: MessageSchema): DraftMessage {
  const result: DraftMessage = {};
  for (const field of schema.fields) result[field.property] = defaultValue(field);
  return result;
}

/** A draft that was filled by the fields of `schema` is a value of it. */
export function asValue<Schema extends MessageSchema>(draft: DraftMessage, _: Schema): MessageValue<Schema> {
  return draft as MessageValue<Schema>;
}

/** A message with every property at its default. */
export function emptyMessage<Schema extends MessageSchema>(schema: Schema): MessageValue<Schema> {
  return asValue(draftMessage(schema), schema);
}

/** Value of an absent field. */
export function defaultValue(field: FieldSchema): unknown {
  if (field.label === 'repeated') return [];
  if (field.label === 'map') return {};
  if (field.presence === 'optional' || field.type.kind === 'message') return undefined;
  if (field.type.kind === 'enum') return field.type.values[0]?.name;
  switch (field.type.scalar) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'uint64':
      return 0n;
    default:
      return 0;
  }
}

/** Sets an entry of a map object, `__proto__` included. */
export function setEntry(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') map[key] = value;
  else Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}
