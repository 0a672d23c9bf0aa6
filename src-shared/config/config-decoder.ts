// Tree plus schema to ModelConfig. Unknown fields, repeated singular fields, oneof conflicts and values of the wrong
// type become issues in source order; whatever is right is decoded all the same.
// Invariant: the result has every property of ModelConfig, whatever the text.

import { configIssue, type ConfigFix, type ConfigIssue, type IssueCode } from './config-issue.ts';
import {
  asValue,
  defaultValue,
  draftMessage,
  emptyMessage,
  setEntry,
  type DraftMessage,
  type MessageValue,
} from './message-value.ts';
import type { ModelConfig } from './model-config.ts';
import { nearestName } from './nearest-name.ts';
import { decodeScalar, foundText } from './scalar-decoder.ts';
import type { FieldSchema, MessageSchema } from './schema/field-types.ts';
import { mapEntrySchema } from './schema/map-entry.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import type { FieldNode, MessageNode, ScalarNode, TextTree, ValueNode } from './text-format/ast.ts';
import { EMPTY_MESSAGE } from './text-format/ast.ts';
import type { Span } from './text-format/lexer.ts';
import { visitFields } from './text-format/parser.ts';

const MAX_ISSUES = 100;

/** Decodes a whole document. Syntax problems of the tree are not repeated here. */
export function decodeModelConfig(tree: TextTree): { config: ModelConfig; issues: ConfigIssue[] } {
  const decoder = new Decoder();
  const config = decoder.message(tree.root, MODEL_CONFIG, '');
  return { config, issues: decoder.issues };
}

/**
 * The configuration of a text without any finding and the fields that it sets, decoded field by field while it is parsed:
 * no tree is kept of a long text. Undefined when there is something to say about it; `parseModelConfig` says it.
 */
export function decodeFaultlessText(
  text: string,
): { readonly config: ModelConfig; readonly written: ReadonlySet<string> } | undefined {
  const decoder = new Decoder();
  const result = draftMessage(MODEL_CONFIG);
  const scope: Scope = { schema: MODEL_CONFIG, message: EMPTY_MESSAGE, path: '', result };
  const written = new Set<string>();
  const isReadable = visitFields(text, (field) => {
    written.add(field.name);
    decoder.take(field, scope);
  });
  if (!isReadable || decoder.issues.length > 0) return undefined;
  return { config: asValue(result, MODEL_CONFIG), written };
}

/** Path of a field below `path`. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function removalOf({ span, endOffset }: FieldNode, title: string): ConfigFix {
  return { title, edits: [{ startOffset: span.startOffset, endOffset, newText: '' }] };
}

function removalsOf(message: MessageNode, name: string): ConfigFix[] {
  const node = message.fields.find((field) => field.name === name);
  return node === undefined ? [] : [removalOf(node, `Remove "${name}"`)];
}

/** A message that is being decoded. */
interface Scope {
  readonly schema: MessageSchema;
  readonly message: MessageNode;
  readonly path: string;
  /** What was decoded of it so far. */
  readonly result: DraftMessage;
}

/** One field as it is written. */
interface WrittenField {
  readonly node: FieldNode;
  readonly field: FieldSchema;
  readonly path: string;
}

class Decoder {
  readonly issues: ConfigIssue[] = [];

  message<Schema extends MessageSchema>(
    node: MessageNode,
    schema: Schema,
    path: string,
  ): MessageValue<Schema> {
    const result = draftMessage(schema);
    const scope: Scope = { schema, message: node, path, result };
    for (const fieldNode of node.fields) this.take(fieldNode, scope);
    return asValue(result, schema);
  }

  /** One written field of a message into its result. */
  take(node: FieldNode, scope: Scope): void {
    const field = scope.schema.byName.get(node.name);
    if (field === undefined) this.#unknownField(node, scope);
    else this.#field({ node, field, path: childPath(scope.path, field.name) }, scope);
  }

  #field(written: WrittenField, scope: Scope): void {
    const { node, field, path } = written;
    if (field.type.kind !== 'message' && field.label !== 'map' && !node.hasColon) {
      this.#missingColon(node, path);
    }
    if (field.label === 'singular') {
      this.#checkRepetition(written, scope);
      const value = this.#single(node.value, node, field, path);
      if (value !== undefined) {
        clearOneof(field, scope.schema, scope.result);
        scope.result[field.property] = value;
      }
      return;
    }
    const items = node.value.kind === 'list' ? node.value.items : [node.value];
    for (const item of items) {
      if (field.label === 'map') this.#mapEntry(item, written, scope);
      else this.#element(item, written, scope.result);
    }
  }

  #element(item: MessageNode | ScalarNode, { node, field, path }: WrittenField, result: DraftMessage): void {
    const list = result[field.property] as unknown[];
    const value = this.#single(item, node, field, `${path}[${list.length}]`);
    if (value !== undefined) list.push(value);
  }

  #mapEntry(
    item: MessageNode | ScalarNode,
    { node, field, path }: WrittenField,
    { schema, result }: Scope,
  ): void {
    if (item.kind === 'scalar') {
      this.#expectedBrace(item, node, path);
      return;
    }
    const keyNode = item.fields.findLast((entryField) => entryField.name === 'key')?.value;
    const keyText = keyNode?.kind === 'scalar' ? keyNode.value : '';
    const entryPath = `${path}[${JSON.stringify(keyText)}]`;
    const entry = this.message(item, mapEntrySchema(field, schema), entryPath);
    const map = result[field.property] as Record<string, unknown>;
    const key = String(entry['key']);
    if (Object.hasOwn(map, key)) {
      this.#report('D04', `The key "${key}" of ${field.name} is given twice; the last one counts.`, {
        path: entryPath,
        span: keyNode?.span ?? item.span,
        hint: 'Remove one of the two entries.',
        severity: 'warning',
        fixes: [],
      });
    }
    const valueType = field.type;
    const absent = valueType.kind === 'message' ? emptyMessage(valueType) : undefined;
    setEntry(map, key, entry['value'] ?? absent);
  }

  /** Value of one written item; undefined when it is wrong, which has then been reported. */
  #single(value: ValueNode, node: FieldNode, field: FieldSchema, path: string): unknown {
    if (field.type.kind === 'message') {
      if (value.kind === 'message') return this.message(value, field.type, path);
      if (value.kind === 'scalar') this.#expectedBrace(value, node, path);
      else
        this.#syntax(
          'Expected "{", found "[".',
          value.span,
          path,
          'Only one block is allowed here: no list.',
        );
      return undefined;
    }
    const scalar = value.kind === 'scalar' ? value : punctuation(value);
    const result = decodeScalar(scalar, field);
    if (result.isValid) return result.value;
    const isMissing = scalar.scalarKind === 'missing' && value.kind === 'scalar';
    const { message, hint, replacement } = result.problem;
    const isSyntax = isMissing || value.kind !== 'scalar';
    const listHint = value.kind === 'list' ? 'This field takes one value: no list. ' : '';
    this.#report(isSyntax ? 'D01' : 'D03', message, {
      path,
      span: isMissing ? node.nameSpan : value.span,
      hint: listHint + hint,
      severity: 'error',
      fixes:
        replacement === undefined
          ? singleItemFix(value)
          : [
              {
                title: `Change to ${replacement}`,
                edits: [{ ...offsets(value.span), newText: replacement }],
              },
            ],
    });
    return undefined;
  }

  #expectedBrace(value: ScalarNode, node: FieldNode, path: string): void {
    const span = value.scalarKind === 'missing' ? node.nameSpan : value.span;
    this.#syntax(`Expected "{", found "${foundText(value)}".`, span, path, 'This field is a block: { ... }.');
  }

  #missingColon(node: FieldNode, path: string): void {
    const { value } = node;
    const found = value.kind === 'scalar' ? foundText(value) : value.kind === 'list' ? '[' : '{';
    const at = node.nameSpan.endOffset;
    this.#report('D01', `Expected ":", found "${found}".`, {
      path,
      span: value.kind === 'scalar' && value.scalarKind === 'missing' ? node.nameSpan : value.span,
      hint: `A colon belongs between "${node.name}" and its value.`,
      severity: 'error',
      fixes: [{ title: 'Insert ":"', edits: [{ startOffset: at, endOffset: at, newText: ':' }] }],
    });
  }

  #checkRepetition({ node, field, path }: WrittenField, { schema, result, message }: Scope): void {
    const isSet = result[field.property] !== defaultValue(field);
    if ((!isSet && field.oneof === undefined) || this.issues.length >= MAX_ISSUES) return;
    const removal = removalOf(node, `Remove this "${field.name}"`);
    if (isSet) {
      const first = message.fields.find((each) => each.name === field.name);
      this.#report('D04', `Non-repeated field "${field.name}" is specified multiple times.`, {
        path,
        span: node.nameSpan,
        hint: `It is already given in line ${first?.span.line ?? node.span.line}.`,
        severity: 'error',
        fixes: [removal],
      });
      return;
    }
    const rival = schema.fields.find(
      (other) => other !== field && other.oneof === field.oneof && result[other.property] !== undefined,
    );
    if (rival === undefined) return;
    const conflict = `Field "${field.name}" is specified along with field "${rival.name}", another member of oneof "${field.oneof}".`;
    this.#report(field.oneof === 'scheduling_choice' ? 'D30' : 'D04', conflict, {
      path,
      span: node.nameSpan,
      hint: `Keep one of "${rival.name}" and "${field.name}".`,
      severity: 'error',
      fixes: [removal, ...removalsOf(message, rival.name)],
    });
  }

  #unknownField(node: FieldNode, { schema, path }: Scope): void {
    if (this.issues.length >= MAX_ISSUES) return;
    const nearest = nearestName(node.name, schema.byName.keys());
    const home = nearest === node.name ? undefined : homeOf(node.name);
    const suggestion =
      home !== undefined
        ? `"${node.name}" belongs into ${home}.`
        : nearest === undefined
          ? `Known here: ${[...schema.byName.keys()].slice(0, 12).join(', ')}.`
          : `Did you mean "${nearest}"?`;
    this.#report('D02', `Message type "${schema.typeName}" has no field named "${node.name}".`, {
      path: childPath(path, node.name),
      span: node.nameSpan,
      hint: suggestion,
      severity: 'error',
      fixes:
        nearest === undefined || home !== undefined
          ? []
          : [{ title: `Change to "${nearest}"`, edits: [{ ...offsets(node.nameSpan), newText: nearest }] }],
    });
  }

  #syntax(message: string, span: Span, path: string, hint: string): void {
    this.#report('D01', message, { path, span, hint, severity: 'error', fixes: [] });
  }

  #report(
    code: IssueCode,
    message: string,
    options: Pick<ConfigIssue, 'path' | 'span' | 'hint' | 'severity' | 'fixes'>,
  ): void {
    if (this.issues.length >= MAX_ISSUES) return;
    this.issues.push(configIssue(code, message, { ...options, statusCode: 'INTERNAL' }));
  }
}

/** A brace or bracket where a scalar belongs, as the token that was found. */
function punctuation(value: MessageNode | Extract<ValueNode, { kind: 'list' }>): ScalarNode {
  const text = value.kind === 'list' ? '[' : '{';
  return { kind: 'scalar', scalarKind: 'missing', text, isNegative: false, value: '', span: value.span };
}

/** `[ 8 ]` where one value belongs: drop the brackets. */
function singleItemFix(value: ValueNode): readonly ConfigFix[] {
  const item = value.kind === 'list' && value.items.length === 1 ? value.items[0] : undefined;
  if (item?.kind !== 'scalar' || item.scalarKind === 'missing') return [];
  const newText = (item.isNegative ? '-' : '') + item.text;
  return [{ title: 'Remove the brackets', edits: [{ ...offsets(value.span), newText }] }];
}

function clearOneof(field: FieldSchema, schema: MessageSchema, result: DraftMessage): void {
  if (field.oneof === undefined) return;
  for (const other of schema.fields) {
    if (other.oneof === field.oneof) result[other.property] = undefined;
  }
}

const offsets = (span: Span): { startOffset: number; endOffset: number } => ({
  startOffset: span.startOffset,
  endOffset: span.endOffset,
});

let homes: Map<string, string> | undefined;

/** Block that knows a field of this name, for a field written in the wrong place. */
function homeOf(name: string): string | undefined {
  homes ??= collectHomes(MODEL_CONFIG, '', new Map());
  return homes.get(name);
}

function collectHomes(schema: MessageSchema, path: string, found: Map<string, string>): Map<string, string> {
  for (const field of schema.fields) {
    if (!found.has(field.name)) found.set(field.name, path === '' ? 'the top level' : `"${path}"`);
  }
  for (const field of schema.fields) {
    if (field.type.kind === 'message') collectHomes(field.type, childPath(path, field.name), found);
  }
  return found;
}
