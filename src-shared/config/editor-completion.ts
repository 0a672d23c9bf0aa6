// What can be written at a place of a config.pbtxt: fields of the enclosing block, values of enumerations and booleans,
// names of tensors and models, and common blocks as snippets.

import { pathAtOffset, type PathContext } from './config-path.ts';
import type { EditorFacts } from './editor-facts.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import { SNIPPETS } from './editor-snippets.ts';
import type { TextTree } from './text-format/ast.ts';
import { stringValuesFor } from './editor-string-values.ts';

/** One entry of the list that the editor offers. */
export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'value' | 'snippet';
  /** Text to insert; `$1`, `$0` are cursor stops when isSnippet. */
  readonly insertText: string;
  readonly isSnippet: boolean;
  /** Type or origin, short. */
  readonly detail: string;
  readonly documentation: string;
  readonly replace: { readonly startOffset: number; readonly endOffset: number };
}

/** What can stand at `offset`. */
export function completionsAt(tree: TextTree, offset: number, facts: EditorFacts = {}): Completion[] {
  if (tree.comments.some((comment) => comment.startOffset < offset && offset <= comment.endOffset)) return [];
  const before = tree.text.slice(0, offset);
  const openString = /"([^"\n]*)$/.exec(lineBefore(before));
  const isInString = openString !== null && countQuotes(lineBefore(before)) % 2 === 1;
  const start = isInString ? offset - openString[0].length : offset - (/\w*$/.exec(before)?.[0].length ?? 0);
  const end = offset + wordAfter(tree.text, offset, isInString);
  const context = pathAtOffset(tree.root, MODEL_CONFIG, start);
  const field = valueField(tree.text.slice(0, start), context);
  const replace = { startOffset: start, endOffset: end };
  if (field !== undefined) {
    return valueCompletions(field, replace, () => stringValuesFor(tree, field, context, facts));
  }
  if (isInString || context.schema === undefined) return [];
  return [...fieldCompletions(context, context.schema, replace), ...snippets(context, replace)];
}

const lineBefore = (before: string): string => before.slice(before.lastIndexOf('\n') + 1);

const countQuotes = (line: string): number => line.replaceAll(/\\./g, '').split('"').length - 1;

function wordAfter(text: string, offset: number, isInString: boolean): number {
  const pattern = isInString ? /^[^"\n]*"?/ : /^\w*/;
  return pattern.exec(text.slice(offset, offset + 200))?.[0].length ?? 0;
}

/** A name and what may stand between it and its value: searching a whole long text for it would take longer than all else. */
const NAME_ROOM = 400;

/** Name of the field whose list is open at the end of `before`. */
function openList(before: string): string | undefined {
  const open = before.lastIndexOf('[');
  if (open < 0 || /[\]{}]/.test(before.slice(open))) return undefined;
  return /(\w+)\s*:?\s*$/.exec(before.slice(Math.max(0, open - NAME_ROOM), open))?.[1];
}

/** The field whose value is being written; undefined where a field name belongs. */
function valueField(before: string, context: PathContext): FieldSchema | undefined {
  const named = /(\w+)\s*:\s*$/.exec(before.slice(-NAME_ROOM))?.[1];
  if (named !== undefined) return context.schema?.byName.get(named);
  const inList = openList(before);
  const field = inList === undefined ? undefined : context.schema?.byName.get(inList);
  return field?.type.kind === 'message' ? undefined : field;
}

function valueCompletions(
  field: FieldSchema,
  replace: Completion['replace'],
  strings: () => ReturnType<typeof stringValuesFor>,
): Completion[] {
  const value = (label: string, insertText: string, detail: string, documentation: string): Completion => ({
    label,
    kind: 'value',
    insertText,
    isSnippet: false,
    detail,
    documentation,
    replace,
  });
  const { type } = field;
  if (type.kind === 'enum') {
    return type.values.map((each) => value(each.name, each.name, String(each.number), each.doc));
  }
  if (type.kind === 'message') return [];
  if (type.scalar === 'bool') {
    return ['true', 'false'].map((word) => value(word, word, 'bool', field.doc));
  }
  if (type.scalar !== 'string') return [];
  return strings().map(({ text, detail }) => value(text, JSON.stringify(text), detail, field.doc));
}

function fieldCompletions(
  context: PathContext,
  schema: MessageSchema,
  replace: Completion['replace'],
): Completion[] {
  const written = new Set(
    context.message.fields
      .filter((node) => node.span.startOffset !== replace.startOffset)
      .map((node) => node.name),
  );
  const takenGroups = new Set(
    schema.fields.filter((each) => written.has(each.name)).map((each) => each.oneof),
  );
  return schema.fields
    .filter((field) => field.label !== 'singular' || !written.has(field.name))
    .filter((field) => field.oneof === undefined || !takenGroups.has(field.oneof))
    .map((field) => ({
      label: field.name,
      kind: 'field',
      insertText: fieldSnippet(field),
      isSnippet: true,
      detail: typeText(field),
      documentation: field.doc,
      replace,
    }));
}

/** Type of a field in words, such as `repeated int64` or `map<string, ModelParameter>`. */
export function typeText(field: FieldSchema): string {
  const name =
    field.type.kind === 'scalar' ? field.type.scalar : field.type.typeName.replace(/^inference\./, '');
  if (field.label === 'map') return `map<${field.keyType}, ${name}>`;
  return field.label === 'repeated' ? `repeated ${name}` : name;
}

function fieldSnippet(field: FieldSchema): string {
  const isBlock = field.type.kind === 'message';
  if (field.label === 'map') {
    const value = isBlock ? 'value {\n    $0\n  }' : 'value: "$0"';
    return `${field.name} {\n  key: "$1"\n  ${value}\n}`;
  }
  if (field.label === 'repeated') {
    return isBlock ? `${field.name} [\n  {\n    $0\n  }\n]` : `${field.name}: [ $0 ]`;
  }
  if (isBlock) return `${field.name} {\n  $0\n}`;
  return field.type.kind === 'scalar' && field.type.scalar === 'string'
    ? `${field.name}: "$0"`
    : `${field.name}: $0`;
}

function snippets(context: PathContext, replace: Completion['replace']): Completion[] {
  const written = new Set(context.message.fields.map((field) => field.name));
  return SNIPPETS.filter(
    (snippet) =>
      snippet.parent === context.schema?.typeName && !(snippet.isUnique && written.has(snippet.field)),
  ).map((snippet) => ({
    label: snippet.label,
    kind: 'snippet',
    insertText: snippet.text,
    isSnippet: true,
    detail: 'block',
    documentation: snippet.doc,
    replace,
  }));
}
