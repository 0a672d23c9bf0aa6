// Text of docs/model-configuration.md: every block and field of config.pbtxt, from the schema that the server itself
// reads configurations by.

import type {
  EnumSchema,
  FieldSchema,
  MessageSchema,
  TypeSchema,
} from '../src-shared/config/schema/field-types.ts';

const HEAD = `# Model configuration

Every block, field and value that a \`config.pbtxt\` may hold, with what holds when it is absent. The editor in the window
shows the same words beside the text, and \`conch check\` reports what does not fit. This page is written by
\`npm run proto\` from \`src-shared/config/schema\`.

A block is written \`name { ... }\`, a list \`name: [ a, b ]\` or the field several times, an entry of a map
\`name { key: ... value: ... }\`. Of fields that share a note "one of", at most one may be set.
`;

/** Markdown of the page for the configuration `root`. */
export function configPage(root: MessageSchema): string {
  const types: (EnumSchema | MessageSchema)[] = [];
  collect(root, types);
  return [HEAD, ...types.map(section)].join('\n');
}

/** Types in the order in which a reader meets them. */
function collect(type: TypeSchema, types: (EnumSchema | MessageSchema)[]): void {
  if (type.kind === 'scalar' || types.includes(type)) return;
  types.push(type);
  if (type.kind === 'message') for (const field of type.fields) collect(field.type, types);
}

const nameOf = (type: EnumSchema | MessageSchema): string => type.typeName.replace(/^inference\./, '');

const linkTo = (type: EnumSchema | MessageSchema): string =>
  `[${nameOf(type)}](#${nameOf(type).toLowerCase().replaceAll('.', '')})`;

function section(type: EnumSchema | MessageSchema): string {
  const heading = `## ${nameOf(type)}\n`;
  if (type.kind === 'enum') {
    const rows = type.values.map(({ name, number, doc }) => row([`\`${name}\``, String(number), doc]));
    return `${heading}\n${table(['Value', 'Number', 'Meaning'], rows)}`;
  }
  if (type.fields.length === 0) return `${heading}\n${type.doc} It has no fields.\n`;
  const rows = type.fields.map((field) =>
    row([`\`${field.name}\``, typeText(field), cell(field.defaultText), meaning(field)]),
  );
  return `${heading}\n${type.doc}\n\n${table(['Field', 'Type', 'When absent', 'Meaning'], rows)}`;
}

function typeText(field: FieldSchema): string {
  const value = field.type.kind === 'scalar' ? field.type.scalar : linkTo(field.type);
  if (field.label === 'map') return `map of ${field.keyType ?? 'string'} to ${value}`;
  return field.label === 'repeated' ? `list of ${value}` : value;
}

function meaning(field: FieldSchema): string {
  const notes = [
    field.doc,
    field.effect,
    field.unit === undefined ? undefined : `In ${field.unit}.`,
    field.limits === undefined ? undefined : `Limits: ${field.limits}.`,
    field.oneof === undefined ? undefined : `One of \`${field.oneof}\`.`,
    field.isTensorRtOnly === true ? 'For TensorRT models only.' : undefined,
    field.example === undefined ? undefined : `Example: \`${field.example}\``,
  ];
  return cell(notes.filter((note) => note !== undefined).join(' '));
}

/** Text that stays inside its cell and is not read as a tag. */
function cell(text = ''): string {
  return text.replaceAll('|', '\\|').replaceAll(/<(?=\w)/g, '\\<');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function table(heads: readonly string[], rows: readonly string[]): string {
  return [row(heads), row(heads.map(() => '---')), ...rows, ''].join('\n');
}
