// Writes resources/proto/model_config.proto from the schema of the configuration language: the same messages, fields,
// numbers and meanings, in the words of the protobuf language.

import {
  type EnumSchema,
  type FieldSchema,
  type MessageSchema,
  type TypeSchema,
} from '../src-shared/config/schema/field-types.ts';

const PACKAGE = 'inference.';
const LINE_WIDTH = 110;

const HEAD = `// Model configuration as clients receive it. Field numbers and names are those of the KServe v2 / Triton protocol.
// Written by tools/build-proto.ts from src-shared/config/schema: change it there.
syntax = "proto3";

package inference;
`;

interface Declared {
  readonly type: EnumSchema | MessageSchema;
  /** Types whose full name begins with the name of this one. */
  readonly nested: Declared[];
}

/** The text of the .proto that declares `root` and every type it uses. */
export function configProto(root: MessageSchema): string {
  const types = new Map<string, EnumSchema | MessageSchema>();
  collect(root, types);
  const texts = nest([...types.values()]).map((each) => declaration(each, ''));
  return `${HEAD}\n${texts.join('\n')}`;
}

/** Every type below `type`, those it uses before itself. */
function collect(type: TypeSchema, types: Map<string, EnumSchema | MessageSchema>): void {
  if (type.kind === 'scalar' || types.has(type.typeName)) return;
  if (type.kind === 'message') for (const field of type.fields) collect(field.type, types);
  types.set(type.typeName, type);
}

/** `ModelInput.Format` goes into `ModelInput`. Roots keep their order. */
function nest(types: readonly (EnumSchema | MessageSchema)[]): Declared[] {
  const byName = new Map(types.map((type): [string, Declared] => [type.typeName, { type, nested: [] }]));
  const roots: Declared[] = [];
  for (const [name, declared] of byName) {
    const parent = byName.get(name.slice(0, name.lastIndexOf('.')));
    (parent?.nested ?? roots).push(declared);
  }
  return roots;
}

function declaration({ type, nested }: Declared, indent: string): string {
  const name = type.typeName.slice(PACKAGE.length).split('.').at(-1) ?? '';
  const inner = `${indent}  `;
  const body =
    type.kind === 'enum'
      ? type.values.map((value) => comment(value.doc, inner) + `${inner}${value.name} = ${value.number};\n`)
      : [...nested.map((each) => `${declaration(each, inner)}\n`), ...members(type, inner)];
  const head = type.kind === 'enum' ? '' : comment(type.doc, indent);
  return `${head}${indent}${type.kind === 'enum' ? 'enum' : 'message'} ${name} {\n${body.join('')}${indent}}\n`;
}

/** Fields in declaration order; the members of a oneof, which stand together, in its block. */
function members(message: MessageSchema, indent: string): string[] {
  return message.fields.map((field, index) => {
    const { oneof } = field;
    if (oneof === undefined) return fieldText(field, message, indent);
    const opens = message.fields[index - 1]?.oneof !== oneof;
    const closes = message.fields[index + 1]?.oneof !== oneof;
    const text = fieldText(field, message, `${indent}  `);
    return `${opens ? `${indent}oneof ${oneof} {\n` : ''}${text}${closes ? `${indent}}\n` : ''}`;
  });
}

function fieldText(field: FieldSchema, parent: MessageSchema, indent: string): string {
  const value = typeText(field.type, parent);
  const type =
    field.label === 'map'
      ? `map<${field.keyType ?? 'string'}, ${value}>`
      : `${field.label === 'repeated' ? 'repeated ' : ''}${value}`;
  return `${comment(field.doc, indent)}${indent}${type} ${field.name} = ${field.number};\n`;
}

/** The shortest name that means `type` inside `parent`: what is nested in it, or in what it is nested in, by its rest. */
function typeText(type: TypeSchema, parent: MessageSchema): string {
  if (type.kind === 'scalar') return type.scalar;
  for (
    let scope = parent.typeName;
    scope.length >= PACKAGE.length;
    scope = scope.slice(0, scope.lastIndexOf('.'))
  ) {
    if (type.typeName.startsWith(`${scope}.`)) return type.typeName.slice(scope.length + 1);
  }
  return type.typeName.slice(PACKAGE.length);
}

/** `text` as comment lines, folded at words. */
function comment(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + word.length + 4 > LINE_WIDTH) {
      lines.push(line);
      line = '';
    }
    line += (line === '' ? '' : ' ') + word;
  }
  lines.push(line);
  return lines.map((each) => `${indent}// ${each}\n`).join('');
}
