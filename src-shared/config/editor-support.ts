// What an editor asks about a config.pbtxt beside completion: explanations, layout, outline, and the places of a tensor
// or model name. All answers are computed from the text; nothing is kept.

import { entryKey, itemsOf, pathAtOffset } from './config-path.ts';
import { typeText } from './editor-completion.ts';
import type { FieldSchema } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import type { FieldNode, MessageNode, ScalarNode, TextEdit, TextTree } from './text-format/ast.ts';
import type { Span } from './text-format/lexer.ts';
import { printTree } from './text-format/printer.ts';
import { encodeStringLiteral } from './text-format/string-literal.ts';

/** What the editor says of a place in the text. */
export interface Hover {
  /** Field or value with its type, such as `max_batch_size: int32`. */
  readonly title: string;
  readonly doc: string;
  /** Further facts, such as unit, default, allowed values, example, effect. */
  readonly facts: readonly { readonly label: string; readonly text: string }[];
  readonly path: string;
  readonly span: Span;
}

/** What stands at `offset`; undefined over comments, white space and unknown fields. */
export function hoverAt(tree: TextTree, offset: number): Hover | undefined {
  const { field, fieldSchema, path } = pathAtOffset(tree.root, MODEL_CONFIG, offset);
  if (field === undefined || fieldSchema === undefined) return undefined;
  if (offset > field.nameSpan.endOffset) return hoverValue(field, fieldSchema, path, offset);
  return {
    title: `${fieldSchema.name}: ${typeText(fieldSchema)}`,
    doc: fieldSchema.doc,
    facts: factsOf(fieldSchema),
    path,
    span: field.nameSpan,
  };
}

function hoverValue(field: FieldNode, schema: FieldSchema, path: string, offset: number): Hover | undefined {
  const items = field.value.kind === 'list' ? field.value.items : [field.value];
  const item = items.find((each) => each.span.startOffset <= offset && offset <= each.span.endOffset);
  if (item?.kind !== 'scalar' || schema.type.kind !== 'enum') return undefined;
  const value = schema.type.values.find(
    (each) => each.name === item.text || String(each.number) === item.text,
  );
  if (value === undefined) return undefined;
  return { title: `${value.name} = ${value.number}`, doc: value.doc, facts: [], path, span: item.span };
}

function factsOf(field: FieldSchema): { label: string; text: string }[] {
  const facts: [string, string | undefined][] = [
    ['Unit', field.unit],
    ['Default', field.defaultText],
    ['Allowed', field.limits],
    ['Effect', field.effect],
    ['Example', field.example],
    ['Only for', field.isTensorRtOnly === true ? 'TensorRT models' : undefined],
    [
      'Values',
      field.type.kind === 'enum' ? field.type.values.map((value) => value.name).join(', ') : undefined,
    ],
  ];
  return facts.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }]));
}

/** Edits that give the document its canonical layout; none when it has mistakes or already has it. */
export function formatEdits(tree: TextTree): TextEdit[] {
  const printed = printTree(tree);
  if (printed === undefined || printed === tree.text) return [];
  return [{ startOffset: 0, endOffset: tree.text.length, newText: printed }];
}

/** A block or field of the outline. */
export interface OutlineItem {
  readonly name: string;
  /** Name inside the block or its scalar value, where it has one. */
  readonly detail: string;
  readonly span: Span;
  readonly nameSpan: Span;
  readonly children: readonly OutlineItem[];
}

/** Blocks and fields of the document, in source order. */
export function outlineOf(tree: TextTree): OutlineItem[] {
  return outlineFields(tree.root);
}

function outlineFields(message: MessageNode): OutlineItem[] {
  return message.fields.flatMap((field) => {
    const items = field.value.kind === 'list' ? field.value.items : [field.value];
    const blocks = items.filter((item) => item.kind === 'message');
    if (blocks.length === 0) return [outlineScalar(field)];
    return blocks.map((block) => ({
      name: field.name,
      detail: blockName(block),
      span: block.span,
      nameSpan: field.nameSpan,
      children: outlineFields(block),
    }));
  });
}

function outlineScalar(field: FieldNode): OutlineItem {
  const { value } = field;
  const scalars = value.kind === 'list' ? value.items.filter((item) => item.kind === 'scalar') : [value];
  const detail = scalars
    .map((item) => (item.kind === 'scalar' ? `${item.isNegative ? '-' : ''}${item.value}` : ''))
    .join(', ');
  return { name: field.name, detail, span: field.span, nameSpan: field.nameSpan, children: [] };
}

function blockName(block: MessageNode): string {
  const named = ['name', 'model_name', 'kind'].flatMap((name) => itemsOf(block, name))[0]?.value;
  return named?.kind === 'scalar' ? named.value : entryKey(block);
}

/** Model that the step around `offset` calls, when the offset is on its name. */
export function stepModelAt(tree: TextTree, offset: number): string | undefined {
  const { field, schema } = pathAtOffset(tree.root, MODEL_CONFIG, offset);
  const isModelName = schema?.typeName === 'inference.ModelEnsembling.Step' && field?.name === 'model_name';
  return isModelName && field.value.kind === 'scalar' ? field.value.value : undefined;
}

/** Places of the ensemble tensor at `offset`: the ensemble's own inputs and outputs, and the values of step maps. */
export function ensembleTensorAt(
  tree: TextTree,
  offset: number,
): { readonly name: string; readonly spans: readonly Span[] } | undefined {
  const occurrences = tensorNodes(tree);
  const here = occurrences.find(({ span }) => span.startOffset <= offset && offset <= span.endOffset);
  if (here === undefined) return undefined;
  const spans = occurrences.filter((node) => node.value === here.value).map((node) => node.span);
  return { name: here.value, spans };
}

/** Edits that rename the ensemble tensor at `offset` everywhere; none elsewhere. */
export function renameTensorEdits(tree: TextTree, offset: number, newName: string): TextEdit[] {
  const newText = encodeStringLiteral(newName);
  return (ensembleTensorAt(tree, offset)?.spans ?? []).map(({ startOffset, endOffset }) => ({
    startOffset,
    endOffset,
    newText,
  }));
}

function tensorNodes(tree: TextTree): ScalarNode[] {
  const ensemble = tree.root.fields.find((field) => field.name === 'ensemble_scheduling')?.value;
  if (ensemble?.kind !== 'message') return [];
  const blocks = (message: MessageNode, name: string): MessageNode[] =>
    itemsOf(message, name).flatMap(({ value }) => (value.kind === 'message' ? [value] : []));
  const scalars = (message: MessageNode, name: string): ScalarNode[] =>
    itemsOf(message, name).flatMap(({ value }) => (value.kind === 'scalar' ? [value] : []));
  return [
    ...['input', 'output'].flatMap((name) =>
      blocks(tree.root, name).flatMap((block) => scalars(block, 'name')),
    ),
    ...blocks(ensemble, 'step').flatMap((step) =>
      ['input_map', 'output_map'].flatMap((map) =>
        blocks(step, map).flatMap((entry) => scalars(entry, 'value')),
      ),
    ),
  ];
}
