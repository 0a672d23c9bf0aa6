// Field paths such as `input[0].dims[1]` or `parameters["k"].string_value`: reading them, and going between a path
// and a place in the tree. Paths use the names of the file format.

import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import type { FieldNode, MessageNode, ScalarNode } from './text-format/ast.ts';
import { EMPTY_MESSAGE } from './text-format/ast.ts';
import type { Span } from './text-format/lexer.ts';
import { childPath } from './config-decoder.ts';
import { mapEntrySchema } from './schema/map-entry.ts';

/** One step of a path such as `input[0].dims`. */
export interface PathSegment {
  readonly name: string;
  /** Element of a repeated field. */
  readonly index: number | undefined;
  /** Key of a map entry. */
  readonly key: string | undefined;
}

const SEGMENT = /\.?([A-Za-z_]\w*)(?:\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\])?/y;

/** Segments of a path; what does not look like one ends the list. */
export function parsePath(path: string): PathSegment[] {
  const segments: PathSegment[] = [];
  SEGMENT.lastIndex = 0;
  for (let match = SEGMENT.exec(path); match !== null; match = SEGMENT.exec(path)) {
    segments.push({
      name: match[1] ?? '',
      index: match[2] === undefined ? undefined : Number(match[2]),
      key: match[3] === undefined ? undefined : (JSON.parse(match[3]) as string),
    });
  }
  return segments;
}

/** A written value together with the field it stands in and the message around that. */
export interface LocatedValue {
  readonly field: FieldNode;
  readonly value: MessageNode | ScalarNode | FieldNode['value'];
  readonly parent: MessageNode;
}

/** All written items of repeated or map field `name` in `message`, in order, long and list form alike. */
export function itemsOf(message: MessageNode, name: string): readonly LocatedValue[] {
  return indexOf(message).items.get(name) ?? [];
}

/** What a message holds, by name; a tree is never changed, so it is counted once. */
interface MessageIndex {
  readonly items: ReadonlyMap<string, readonly LocatedValue[]>;
  /** Field name -> key -> last entry with that key; filled when first asked for. */
  readonly entries: Map<string, ReadonlyMap<string, LocatedValue>>;
  /** Place of each item among those of its field; filled when first asked for. */
  readonly places: Map<LocatedValue['value'], number>;
}

const indices = new WeakMap<MessageNode, MessageIndex>();

function indexOf(message: MessageNode): MessageIndex {
  const known = indices.get(message);
  if (known !== undefined) return known;
  const items = new Map<string, LocatedValue[]>();
  for (const field of message.fields) {
    const list = items.get(field.name) ?? [];
    items.set(field.name, list);
    const values = field.value.kind === 'list' ? field.value.items : [field.value];
    for (const value of values) list.push({ field, value, parent: message });
  }
  const index: MessageIndex = { items, entries: new Map(), places: new Map() };
  indices.set(message, index);
  return index;
}

/** The entry of map field `name` that counts for `key`: the last one. */
export function entryOf(message: MessageNode, name: string, key: string): LocatedValue | undefined {
  const { entries } = indexOf(message);
  const known =
    entries.get(name) ?? new Map(itemsOf(message, name).map((item) => [entryKey(item.value), item]));
  entries.set(name, known);
  return known.get(key);
}

/** Place of `value` among the items of its field `name` in `message`. */
function placeOf(message: MessageNode, name: string, value: LocatedValue['value']): number {
  const { places } = indexOf(message);
  if (!places.has(value))
    for (const [at, item] of itemsOf(message, name).entries()) places.set(item.value, at);
  return places.get(value) ?? -1;
}

/** Key text of a map entry as written; empty when absent. */
export function entryKey(value: LocatedValue['value']): string {
  if (value.kind !== 'message') return '';
  const key = value.fields.findLast((field) => field.name === 'key')?.value;
  return key?.kind === 'scalar' ? key.value : '';
}

/** Where `path` is written; undefined when it is not. */
export function locatePath(root: MessageNode, path: string): LocatedValue | undefined {
  let message: MessageNode = root;
  let located: LocatedValue | undefined;
  for (const segment of parsePath(path)) {
    located = locateSegment(message, segment);
    if (located === undefined) return undefined;
    const next = segment.key === undefined ? located.value : entryValue(located.value);
    message = next?.kind === 'message' ? next : EMPTY_MESSAGE;
  }
  return located;
}

/** Span of `path`, or of the nearest enclosing field that is written; undefined when not even that is. */
export function spanOfPath(root: MessageNode, path: string): Span | undefined {
  for (let current = path; current !== ''; current = parentPath(current)) {
    const located = locatePath(root, current);
    if (located === undefined) continue;
    const isWhole = current === path;
    const { value, field } = located;
    if (isWhole && value.kind === 'scalar')
      return value.scalarKind === 'missing' ? field.nameSpan : field.span;
    return value === field.value ? field.nameSpan : firstLine(value.span, value);
  }
  return undefined;
}

/** `a.b[0].c` -> `a.b[0]`; `a[0]` -> `a`; `a` -> ``. */
function parentPath(path: string): string {
  const segments = parsePath(path);
  const last = segments.pop();
  if (last === undefined) return '';
  const prefix = segments.map(formatSegment).join('.');
  if (last.index === undefined && last.key === undefined) return prefix;
  return childPath(prefix, last.name);
}

/** `a.b[0].c` -> `a`, `a.b`, `a.b[0]`, `a.b[0].c`: what is around a field, outermost first, and itself. */
export function pathsAround(path: string): string[] {
  const paths: string[] = [];
  SEGMENT.lastIndex = 0;
  for (let match = SEGMENT.exec(path); match !== null; match = SEGMENT.exec(path)) {
    const end = SEGMENT.lastIndex;
    const suffix = match[2] === undefined ? match[3] : match[2];
    if (suffix !== undefined) paths.push(path.slice(0, end - suffix.length - 2));
    paths.push(path.slice(0, end));
  }
  return paths;
}

/** `[3]`, `["key"]` or `name["key"]` behind the name of the field. */
export function formatSegment({ name, index, key }: PathSegment): string {
  if (index !== undefined) return `${name}[${index}]`;
  return key === undefined ? name : `${name}[${JSON.stringify(key)}]`;
}

function entryValue(value: LocatedValue['value']): FieldNode['value'] | undefined {
  if (value.kind !== 'message') return undefined;
  return value.fields.findLast((field) => field.name === 'value')?.value;
}

function locateSegment(message: MessageNode, segment: PathSegment): LocatedValue | undefined {
  if (segment.key !== undefined) return entryOf(message, segment.name, segment.key);
  const items = itemsOf(message, segment.name);
  if (segment.index !== undefined) return items[segment.index];
  const field = items[0]?.field ?? message.fields.find((candidate) => candidate.name === segment.name);
  return field === undefined ? undefined : { field, value: field.value, parent: message };
}

/** A block is shown by its opening brace, so that a marker does not cover half of the file. */
function firstLine(span: Span, value: LocatedValue['value']): Span {
  return value.kind === 'message' ? { ...span, endOffset: span.startOffset + 1 } : span;
}

/** What surrounds an offset: the innermost message, its schema, and the field the offset lies in. */
export interface PathContext {
  readonly path: string;
  /** Innermost message around the offset. */
  readonly message: MessageNode;
  /** Undefined inside an unknown field. */
  readonly schema: MessageSchema | undefined;
  readonly messagePath: string;
  /** Field of that message the offset lies in or touches. */
  readonly field: FieldNode | undefined;
  readonly fieldSchema: FieldSchema | undefined;
  /** Messages from the root to the innermost, that one included. */
  readonly ancestors: readonly { readonly path: string; readonly message: MessageNode }[];
}

/** Context of `offset` in a tree. Inside a map entry but not in its value block, the schema is that of the entry. */
export function pathAtOffset(root: MessageNode, rootSchema: MessageSchema, offset: number): PathContext {
  let scope: Scope = { message: root, schema: rootSchema, path: '' };
  const ancestors = [{ path: '', message: root }];
  for (;;) {
    const { message, schema, path: messagePath } = scope;
    const field = fieldAt(message, offset);
    const fieldSchema = field && schema?.byName.get(field.name);
    const context = { message, schema, messagePath, field, fieldSchema, ancestors };
    if (field === undefined) return { ...context, path: messagePath };
    const item = itemAt(field, offset);
    const isEntryValue = scope.isEntry === true && field.name === 'value';
    const path = isEntryValue
      ? messagePath
      : childPath(messagePath, itemPath(message, field, fieldSchema, item));
    if (item?.kind !== 'message' || offset < item.bodyStart || offset > item.bodyEnd)
      return { ...context, path };
    scope = innerScope(item, path, schema, fieldSchema);
    ancestors.push({ path, message: item });
  }
}

interface Scope {
  readonly message: MessageNode;
  readonly schema: MessageSchema | undefined;
  readonly path: string;
  /** The message is an entry of a map: a key and a value. */
  readonly isEntry?: boolean;
}

function innerScope(
  message: MessageNode,
  path: string,
  parent: MessageSchema | undefined,
  field: FieldSchema | undefined,
): Scope {
  if (field?.label === 'map' && parent !== undefined) {
    return { message, path, schema: mapEntrySchema(field, parent), isEntry: true };
  }
  return { message, path, schema: field?.type.kind === 'message' ? field.type : undefined };
}

function fieldAt(message: MessageNode, offset: number): FieldNode | undefined {
  return lastAround(message.fields, offset);
}

/** The last of `nodes`, which are in source order, that `offset` lies in or touches. */
function lastAround<Node extends { readonly span: Span }>(
  nodes: readonly Node[],
  offset: number,
): Node | undefined {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((nodes[middle]?.span.startOffset ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const last = nodes[low - 1];
  return last !== undefined && offset <= last.span.endOffset ? last : undefined;
}

function itemAt(field: FieldNode, offset: number): MessageNode | ScalarNode | undefined {
  if (field.value.kind !== 'list') return field.value;
  return lastAround(field.value.items, offset);
}

function itemPath(
  message: MessageNode,
  field: FieldNode,
  schema: FieldSchema | undefined,
  item: MessageNode | ScalarNode | undefined,
): string {
  if (schema === undefined || schema.label === 'singular' || item === undefined) return field.name;
  if (schema.label === 'map') return `${field.name}[${JSON.stringify(entryKey(item))}]`;
  return `${field.name}[${placeOf(message, field.name, item)}]`;
}
