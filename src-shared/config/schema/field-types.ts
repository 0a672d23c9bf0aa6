// How a message, a field and an enumeration of the configuration language are described. The declarations in this
// folder are the only ones: decoder, JSON, printer, validator paths, completion and hover all read them.
// Invariant: `fields` are in declaration order, which is also the key order of the JSON form.

/** The scalar types of protobuf that the configuration has. */
export type ScalarName = 'string' | 'bool' | 'int32' | 'int64' | 'uint32' | 'uint64' | 'float' | 'double';

/** `number` is the wire's; the text format knows the name alone. `doc` is what the editor shows. */
export interface EnumValue<Name extends string = string> {
  readonly name: Name;
  readonly number: number;
  readonly doc: string;
}

/** An enum of the configuration's proto. */
export interface EnumSchema<Name extends string = string> {
  readonly kind: 'enum';
  /** Full protobuf name, such as `inference.DataType`. */
  readonly typeName: string;
  readonly values: readonly EnumValue<Name>[];
  /** Names of the values, in the same order. */
  readonly names: readonly Name[];
  /** What the reference says to a number without a name, where it has words of its own; without the model suffix. */
  readonly unknownNumberText?: string;
}

/** A message of the configuration's proto, with what the documentation says of it. */
export interface MessageSchema<Fields extends readonly FieldSchema[] = readonly FieldSchema[]> {
  readonly kind: 'message';
  /** Full protobuf name, such as `inference.ModelInput`. */
  readonly typeName: string;
  readonly doc: string;
  readonly fields: Fields;
  readonly byName: ReadonlyMap<string, FieldSchema>;
}

/** One value that is no message and no name: a number, a boolean, a text or bytes. */
export interface ScalarSchema<Scalar extends ScalarName = ScalarName> {
  readonly kind: 'scalar';
  readonly scalar: Scalar;
}

/** The type of a field. */
export type TypeSchema = ScalarSchema | EnumSchema | MessageSchema;

/** How often a field may stand there. */
export type FieldLabel = 'singular' | 'repeated' | 'map';

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

/** `Presence` is `'optional'` where an absent field reads as `undefined` instead of a default value. */
export interface FieldSchema<
  Name extends string = string,
  Type extends TypeSchema = TypeSchema,
  Label extends FieldLabel = FieldLabel,
  Presence extends 'optional' | 'defaulted' = 'optional' | 'defaulted',
> extends FieldFacts {
  /** Name in files and JSON, such as `max_batch_size`. */
  readonly name: Name;
  /** Property of ModelConfig, such as `maxBatchSize`. */
  readonly property: CamelCase<Name>;
  readonly number: number;
  readonly type: Type;
  readonly label: Label;
  /** Maps only. */
  readonly keyType: ScalarName | undefined;
  readonly presence: Presence;
  readonly doc: string;
}

/** `max_batch_size` -> `maxBatchSize`, as the protobuf JSON names are made. */
export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** A message type: its full name without the package, what it is for, its fields in declaration order. */
export function message<const Fields extends readonly FieldSchema[]>(
  typeName: string,
  doc: string,
  fields: Fields,
): MessageSchema<Fields> {
  const byName = new Map<string, FieldSchema>(fields.map((field) => [field.name, field]));
  return { kind: 'message', typeName: `inference.${typeName}`, doc, fields, byName };
}

/** An enumeration: values with their meaning in the order of their numbers, from 0. */
export function enumeration<const Name extends string>(
  typeName: string,
  values: readonly (readonly [Name, string])[],
  facts: Pick<EnumSchema, 'unknownNumberText'> = {},
): EnumSchema<Name> {
  return {
    kind: 'enum',
    typeName: `inference.${typeName}`,
    values: values.map(([name, doc], number) => ({ name, number, doc })),
    names: values.map(([name]) => name),
    ...facts,
  };
}

type Kind = ScalarName | EnumSchema | MessageSchema;

/** What a field is declared with, as the type that is kept. */
type TypeOf<K extends Kind> = K extends ScalarName ? ScalarSchema<K> : Extract<K, TypeSchema>;

type PresenceOf<K extends Kind, Facts extends FieldFacts> = K extends MessageSchema
  ? 'optional'
  : Facts extends { readonly oneof: string }
    ? 'optional'
    : 'defaulted';

/** A field that holds at most one value. */
export function one<
  const Name extends string,
  const K extends Kind,
  const Facts extends FieldFacts = Record<never, never>,
>(
  name: Name,
  number: number,
  kind: K,
  doc: string,
  facts?: Facts,
): FieldSchema<Name, TypeOf<K>, 'singular', PresenceOf<K, Facts>> {
  const isOptional = typeof kind === 'object' && kind.kind === 'message';
  const presence = isOptional || facts?.oneof !== undefined ? 'optional' : 'defaulted';
  return {
    ...shared(name, number, kind, doc, facts),
    label: 'singular',
    keyType: undefined,
    presence: presence as PresenceOf<K, Facts>,
  };
}

/** A repeated field. */
export function many<const Name extends string, const K extends Kind>(
  name: Name,
  number: number,
  kind: K,
  doc: string,
  facts?: FieldFacts,
): FieldSchema<Name, TypeOf<K>, 'repeated', 'defaulted'> {
  const base = shared(name, number, kind, doc, facts);
  return { ...base, label: 'repeated', keyType: undefined, presence: 'defaulted' };
}

/** A map field. */
export function mapOf<const Name extends string, const K extends Kind>(
  name: Name,
  number: number,
  keyType: ScalarName,
  kind: K,
  doc: string,
  facts?: FieldFacts,
): FieldSchema<Name, TypeOf<K>, 'map', 'defaulted'> {
  return { ...shared(name, number, kind, doc, facts), label: 'map', keyType, presence: 'defaulted' };
}

function shared<Name extends string, K extends Kind>(
  name: Name,
  number: number,
  kind: K,
  doc: string,
  facts: FieldFacts = {},
): { name: Name; property: CamelCase<Name>; number: number; type: TypeOf<K>; doc: string } & FieldFacts {
  const type = typeof kind === 'string' ? { kind: 'scalar', scalar: kind } : kind;
  return { name, property: toCamelCase(name), number, type: type as TypeOf<K>, doc, ...facts };
}

function toCamelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}
