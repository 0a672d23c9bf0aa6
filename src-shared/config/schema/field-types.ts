// How a message, a field and an enumeration of the configuration language are described. The declarations in this
// folder are the only ones: decoder, JSON, printer, validator paths, completion and hover all read them.
// Invariant: `fields` are in declaration order, which is also the key order of the JSON form.

export type ScalarName = 'string' | 'bool' | 'int32' | 'int64' | 'uint32' | 'uint64' | 'float' | 'double';

export interface EnumValue {
  readonly name: string;
  readonly number: number;
  readonly doc: string;
}

export interface EnumSchema {
  readonly kind: 'enum';
  /** Full protobuf name, such as `inference.DataType`. */
  readonly typeName: string;
  readonly values: readonly EnumValue[];
  /** Names of the values, in the same order. */
  readonly names: readonly string[];
}

export interface MessageSchema {
  readonly kind: 'message';
  /** Full protobuf name, such as `inference.ModelInput`. */
  readonly typeName: string;
  readonly doc: string;
  readonly fields: readonly FieldSchema[];
  readonly byName: ReadonlyMap<string, FieldSchema>;
}

export interface ScalarSchema {
  readonly kind: 'scalar';
  readonly scalar: ScalarName;
}

export type TypeSchema = ScalarSchema | EnumSchema | MessageSchema;

/** What a person wants to know about a field beside its meaning. */
export interface FieldFacts {
  /** Unit of the value, such as `microseconds`. */
  readonly unit?: string;
  /** What holds when the field is absent, in words. */
  readonly defaultText?: string;
  /** Allowed values, in words. */
  readonly limits?: string;
  readonly example?: string;
  /** What setting it does to serving. */
  readonly effect?: string;
  /** Member of this oneof: setting one member clears or forbids the others. */
  readonly oneof?: string;
  /** 64-bit integers that the JSON form prints as strings; all others are numbers. */
  readonly isJsonString?: boolean;
  /** Completed or used for TensorRT models only. */
  readonly isTensorRtOnly?: boolean;
}

export interface FieldSchema extends FieldFacts {
  /** Name in files and JSON, such as `max_batch_size`. */
  readonly name: string;
  /** Property of ModelConfig, such as `maxBatchSize`. */
  readonly property: string;
  readonly number: number;
  readonly type: TypeSchema;
  readonly label: 'singular' | 'repeated' | 'map';
  /** Maps only. */
  readonly keyType: ScalarName | undefined;
  readonly doc: string;
}

export function message(typeName: string, doc: string, fields: readonly FieldSchema[]): MessageSchema {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return { kind: 'message', typeName: `inference.${typeName}`, doc, fields, byName };
}

/** Values in the order of their numbers, from 0. */
export function enumeration(typeName: string, values: readonly (readonly [string, string])[]): EnumSchema {
  return {
    kind: 'enum',
    typeName: `inference.${typeName}`,
    values: values.map(([name, doc], number) => ({ name, number, doc })),
    names: values.map(([name]) => name),
  };
}

type Kind = ScalarName | EnumSchema | MessageSchema;

function build(
  name: string,
  number: number,
  kind: Kind,
  label: FieldSchema['label'],
  keyType: ScalarName | undefined,
  doc: string,
  facts: FieldFacts,
): FieldSchema {
  const type: TypeSchema = typeof kind === 'string' ? { kind: 'scalar', scalar: kind } : kind;
  return { name, property: toCamelCase(name), number, type, label, keyType, doc, ...facts };
}

/** A field that holds at most one value. */
export const one = (
  name: string,
  number: number,
  kind: Kind,
  doc: string,
  facts: FieldFacts = {},
): FieldSchema => build(name, number, kind, 'singular', undefined, doc, facts);

/** A repeated field. */
export const many = (
  name: string,
  number: number,
  kind: Kind,
  doc: string,
  facts: FieldFacts = {},
): FieldSchema => build(name, number, kind, 'repeated', undefined, doc, facts);

/** A map field. */
export const mapOf = (
  name: string,
  number: number,
  keyType: ScalarName,
  kind: Kind,
  doc: string,
  facts: FieldFacts = {},
): FieldSchema => build(name, number, kind, 'map', keyType, doc, facts);

/** `max_batch_size` -> `maxBatchSize`, as the protobuf JSON names are made. */
function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Whether an absent field reads as `undefined` instead of a default value. */
export function hasPresence(field: FieldSchema): boolean {
  return field.label === 'singular' && (field.type.kind === 'message' || field.oneof !== undefined);
}
