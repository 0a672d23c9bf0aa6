// Changes one field of an existing document: sets, inserts or removes it, and leaves comments, order and layout of
// everything else alone. The result is text edits; nothing here rewrites the document.

import { draftMessage, setEntry, type AnyMessage } from './message-value.ts';
import { encodeScalar, entryLines, fieldLines, type ConfigLine } from './config-encoder.ts';
import { entryOf, formatSegment, itemsOf, locatePath, parsePath, type PathSegment } from './config-path.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { encodeStringLiteral } from './text-format/string-literal.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import type { FieldNode, ListNode, MessageNode, ScalarNode, TextEdit, TextTree } from './text-format/ast.ts';

/**
 * Edits that make `path` hold `value`: a string, number, bigint or boolean, an array for a repeated field, an object
 * with the properties of ModelConfig for a block. `undefined` removes the field. Blocks on the way are created. No
 * edits when the path names no field, or when there is nothing to remove.
 */
export function editConfigValue(tree: TextTree, path: string, value: unknown): TextEdit[] {
  return new Editor(tree).edit(tree.root, MODEL_CONFIG, parsePath(path), value);
}

/** Edits that give the entry of a map at `path` the key `newKey`; none when it is not written. */
export function renameConfigEntry(tree: TextTree, path: string, newKey: string): TextEdit[] {
  const entry = locatePath(tree.root, path)?.value;
  if (entry?.kind !== 'message') return [];
  const key = entry.fields.findLast((field) => field.name === 'key')?.value;
  const newText = encodeStringLiteral(newKey);
  if (key === undefined) return [insertion(entry.bodyStart, ` key: ${newText}`)];
  return [{ startOffset: key.span.startOffset, endOffset: key.span.endOffset, newText }];
}

/** A field and the message that it belongs into. */
interface FieldPlace {
  readonly message: MessageNode;
  readonly schema: MessageSchema;
  readonly field: FieldSchema;
}

class Editor {
  readonly #text: string;
  readonly #tree: TextTree;

  constructor(tree: TextTree) {
    this.#tree = tree;
    this.#text = tree.text;
  }

  edit(
    message: MessageNode,
    schema: MessageSchema,
    segments: readonly PathSegment[],
    value: unknown,
  ): TextEdit[] {
    const [segment, ...rest] = segments;
    const field = segment && schema.byName.get(segment.name);
    if (segment === undefined || field === undefined) return [];
    const isWholeField = segment.index === undefined && segment.key === undefined;
    const place: FieldPlace = { message, schema, field };
    if (isWholeField && field.label !== 'singular') return rest.length > 0 ? [] : this.#whole(place, value);
    const item =
      field.label === 'map'
        ? entryOf(message, field.name, segment.key ?? '')
        : itemsOf(message, field.name)[segment.index ?? 0];
    if (item === undefined) {
      return value === undefined ? [] : this.#create(place, segment, rest, value);
    }
    const block = field.label === 'map' ? mapValue(item.value) : item.value;
    if (rest.length === 0) {
      if (value === undefined) return this.#remove(item.field, item.value);
      return this.#replace(field, block ?? item.value, value);
    }
    if (block?.kind !== 'message' || field.type.kind !== 'message') return [];
    return this.edit(block, field.type, rest, value);
  }

  /** The whole of a repeated or map field: the first occurrence is replaced, further ones go. */
  #whole(place: FieldPlace, value: unknown): TextEdit[] {
    const { message, field } = place;
    const [first, ...others] = message.fields.filter((node) => node.name === field.name);
    const removals = others.flatMap((node) => this.#removeField(node));
    if (first === undefined) return value === undefined ? [] : this.#insert(place, value);
    if (value === undefined) return [...this.#removeField(first), ...removals];
    const newText = joinLines(fieldLines(field, value, this.#indentAt(first.span.startOffset))).trimStart();
    return [{ startOffset: first.span.startOffset, endOffset: first.span.endOffset, newText }, ...removals];
  }

  #replace(field: FieldSchema, node: FieldNode['value'], value: unknown): TextEdit[] {
    const { startOffset, endOffset } = node.span;
    if (field.type.kind !== 'message') {
      const newText = encodeScalar(field, value);
      if (node.kind !== 'scalar' || node.scalarKind !== 'missing')
        return [{ startOffset, endOffset, newText }];
      return [{ startOffset, endOffset: startOffset, newText: `${newText} ` }];
    }
    const block: FieldSchema = { ...field, label: 'singular', keyType: undefined };
    const full = { ...draftMessage(field.type), ...(value as object) };
    const lines = fieldLines(block, full, this.#indentAt(startOffset));
    return [
      {
        startOffset,
        endOffset,
        newText: joinLines(lines)
          .trimStart()
          .slice(field.name.length + 1),
      },
    ];
  }

  /** Writes `rest` of the path below a field, element or entry that is not there yet. */
  #create(place: FieldPlace, segment: PathSegment, rest: readonly PathSegment[], value: unknown): TextEdit[] {
    const { message, field } = place;
    const inner = field.type.kind === 'message' ? nest(field.type, rest, value) : value;
    if (inner === undefined) return [];
    if (field.label === 'map')
      return this.#insertLines(place, (indent) => entryLines(field, [segment.key ?? '', inner], indent));
    if (field.label === 'singular') return this.#insert(place, inner);
    const list = message.fields.findLast((node) => node.name === field.name)?.value;
    if (list?.kind === 'list' && list.items.length > 0) return this.#append(list, field, inner);
    if (list?.kind === 'list') {
      const indent = this.#indentAt(list.span.startOffset);
      const newText = joinLines(fieldLines(field, [inner], indent)).trimStart();
      const { startOffset, endOffset } = list.span;
      return [{ startOffset, endOffset, newText: newText.slice(newText.indexOf('[')) }];
    }
    if (list !== undefined && field.type.kind === 'message') {
      const block: FieldSchema = { ...field, label: 'singular' };
      return this.#insertLines(place, (indent) => fieldLines(block, inner, indent));
    }
    return this.#insert(place, [inner]);
  }

  /** One more element at the end of a list. */
  #append(list: ListNode, field: FieldSchema, value: unknown): TextEdit[] {
    const last = list.items.at(-1);
    const offset = last?.span.endOffset ?? list.span.startOffset + 1;
    if (field.type.kind !== 'message') {
      return [insertion(offset, `, ${encodeScalar(field, value)}`)];
    }
    const indent = this.#indentAt(last?.span.startOffset ?? list.span.startOffset);
    const block: FieldSchema = { ...field, label: 'singular' };
    const text = joinLines(fieldLines(block, value, indent))
      .trimStart()
      .slice(field.name.length + 1);
    return [insertion(offset, `,\n${indent}${text}`)];
  }

  #insert(place: FieldPlace, value: unknown): TextEdit[] {
    return this.#insertLines(place, (indent) => fieldLines(place.field, value, indent));
  }

  /** Puts a new field behind the last one that is declared before it, on a line of its own. */
  #insertLines(
    { message, schema, field }: FieldPlace,
    lines: (indent: string) => readonly ConfigLine[],
  ): TextEdit[] {
    const order = schema.fields.indexOf(field);
    const before = message.fields.findLast((node) => {
      const other = schema.byName.get(node.name);
      return other !== undefined && schema.fields.indexOf(other) <= order;
    });
    const body = this.#text.slice(message.bodyStart, message.bodyEnd);
    const isRoot = message.span.startOffset === 0 && message.bodyStart === 0;
    if (!isRoot && !body.includes('\n')) return this.#insertInline(message, lines);
    const sibling = before ?? message.fields[0];
    const indent =
      sibling === undefined
        ? isRoot
          ? ''
          : `${this.#indentAt(message.span.startOffset)}  `
        : this.#indentAt(sibling.span.startOffset);
    const text = joinLines(lines(indent));
    if (before !== undefined) {
      const lineEnd = this.#lineEndIfFree(before.endOffset);
      return [insertion(lineEnd ?? before.endOffset, `\n${text}${lineEnd === undefined ? '\n' : ''}`)];
    }
    if (!isRoot) return [insertion(message.bodyStart, `\n${text}`)];
    return [insertion(sibling?.span.startOffset ?? this.#text.length, `${text.trimStart()}\n`)];
  }

  /** Into `{ ... }` on one line: stays on the line if it fits there, else opens the block. */
  #insertInline(message: MessageNode, lines: (indent: string) => readonly ConfigLine[]): TextEdit[] {
    const indent = this.#indentAt(message.span.startOffset);
    const written = lines(`${indent}  `);
    const body = this.#text.slice(message.bodyStart, message.bodyEnd).trim();
    const newText =
      written.length === 1
        ? ` ${body === '' ? '' : `${body} `}${joinLines(written).trim()} `
        : `\n${body === '' ? '' : `${indent}  ${body}\n`}${joinLines(written)}\n${indent}`;
    return [{ startOffset: message.bodyStart, endOffset: message.bodyEnd, newText }];
  }

  #remove(field: FieldNode, value: MessageNode | ScalarNode | ListNode): TextEdit[] {
    if (field.value.kind !== 'list' || value === field.value) return this.#removeField(field);
    const { items } = field.value;
    const index = items.findIndex((item) => item === value);
    if (items.length === 1) return this.#removeField(field);
    const next = items[index + 1];
    const startOffset = next === undefined ? (items[index - 1]?.span.endOffset ?? 0) : value.span.startOffset;
    const endOffset = next === undefined ? value.span.endOffset : next.span.startOffset;
    return [{ startOffset, endOffset, newText: '' }];
  }

  /** The field, with its line when nothing else stands on it. */
  #removeField(field: FieldNode): TextEdit[] {
    const { startOffset } = field.span;
    const lineStart = this.#text.lastIndexOf('\n', startOffset - 1) + 1;
    const isAlone = this.#text.slice(lineStart, startOffset).trim() === '';
    const rest = /^[ \t]*(?:\r?\n|$)/.exec(this.#text.slice(field.endOffset));
    if (isAlone && rest !== null) {
      return [{ startOffset: lineStart, endOffset: field.endOffset + rest[0].length, newText: '' }];
    }
    const blanks = /^[ \t]*/.exec(this.#text.slice(field.endOffset))?.[0].length ?? 0;
    return [{ startOffset, endOffset: field.endOffset + blanks, newText: '' }];
  }

  /** End of the line when only blanks and a comment follow `offset` on it. */
  #lineEndIfFree(offset: number): number | undefined {
    const newline = this.#text.indexOf('\n', offset);
    const end = newline < 0 ? this.#text.length : newline;
    const comment = this.#tree.comments.find((each) => each.startOffset >= offset && each.startOffset < end);
    const rest = this.#text.slice(offset, comment?.startOffset ?? end);
    if (rest.trim() !== '') return undefined;
    return this.#text[end - 1] === '\r' ? end - 1 : end;
  }

  #indentAt(offset: number): string {
    const lineStart = this.#text.lastIndexOf('\n', offset - 1) + 1;
    return /^[ \t]*/.exec(this.#text.slice(lineStart, offset))?.[0] ?? '';
  }
}

const insertion = (offset: number, newText: string): TextEdit => ({
  startOffset: offset,
  endOffset: offset,
  newText,
});

const joinLines = (lines: readonly ConfigLine[]): string => lines.map((line) => line.text).join('\n');

function mapValue(entry: FieldNode['value']): FieldNode['value'] | undefined {
  if (entry.kind !== 'message') return undefined;
  return entry.fields.findLast((field) => field.name === 'value')?.value;
}

/** A message in which only the field at `segments` is set; undefined when the path names no field. */
function nest(
  schema: MessageSchema,
  segments: readonly PathSegment[],
  value: unknown,
): AnyMessage | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return { ...draftMessage(schema), ...(value as object) };
  const field = schema.byName.get(segment.name);
  if (field === undefined) return undefined;
  const isWhole = segment.index === undefined && segment.key === undefined;
  if (rest.length === 0 && (isWhole || field.type.kind !== 'message')) {
    return { ...draftMessage(schema), [field.property]: wrap(field, segment, value, isWhole) };
  }
  if (field.type.kind !== 'message') return undefined;
  const inner = nest(field.type, rest, value);
  return inner && { ...draftMessage(schema), [field.property]: wrap(field, segment, inner, false) };
}

function wrap(field: FieldSchema, segment: PathSegment, value: unknown, isWhole: boolean): unknown {
  if (isWhole || field.label === 'singular') return value;
  if (field.label === 'repeated') return [value];
  const map: Record<string, unknown> = {};
  setEntry(map, segment.key ?? formatSegment(segment), value);
  return map;
}
