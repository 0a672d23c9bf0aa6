// The tree of a text-format document, as written: order, repetition and list form are kept, nothing is interpreted.
// Invariant: spans nest (a child's span lies inside its parent's) and siblings are in source order.

import type { Comment, Span } from './lexer.ts';

/** How a value was written. */
export type ScalarKind = 'string' | 'identifier' | 'integer' | 'float' | 'missing';

/** A value that is no block and no list. */
export interface ScalarNode {
  readonly kind: 'scalar';
  /** `missing`: no value was written; `text` is then the token found instead. */
  readonly scalarKind: ScalarKind;
  /** Source text of the value without its sign, adjacent strings joined raw. */
  readonly text: string;
  readonly isNegative: boolean;
  /** Decoded text of a string; the source text of anything else. */
  readonly value: string;
  readonly span: Span;
}

/** A block, or the whole text. */
export interface MessageNode {
  readonly kind: 'message';
  readonly fields: readonly FieldNode[];
  /** Braces included; for the root, the whole text. */
  readonly span: Span;
  /** Offsets just inside the braces. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

/** A value written in brackets, `dims: [ 1, 2 ]`, never a field that is repeated; may be empty. */
export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly (ScalarNode | MessageNode)[];
  readonly span: Span;
}

/** What stands behind the name of a field. */
export type ValueNode = ScalarNode | MessageNode | ListNode;

/** A field as it was written. Spans are offsets into the text. */
export interface FieldNode {
  readonly kind: 'field';
  readonly name: string;
  readonly nameSpan: Span;
  readonly hasColon: boolean;
  readonly value: ValueNode;
  /** Name to end of value, without a separator. */
  readonly span: Span;
  /** End of the field including a `,` or `;` that follows it. */
  readonly endOffset: number;
}

/**
 * Replaces the text from `startOffset` up to `endOffset`, which is not part of it. Both count UTF-16 code units
 * from the start of the document, and equal ones insert.
 */
export interface TextEdit {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly newText: string;
}

/** A fault of the text alone: the rest of the document is read regardless. Each fix is complete by itself. */
export interface SyntaxProblem {
  readonly message: string;
  readonly span: Span;
  readonly hint: string;
  readonly fixes: readonly { readonly title: string; readonly edits: readonly TextEdit[] }[];
}

/** A parsed document. */
export interface TextTree {
  readonly text: string;
  readonly root: MessageNode;
  readonly comments: readonly Comment[];
  /** In source order. */
  readonly problems: readonly SyntaxProblem[];
}

/** `text` after `edits`, which must not overlap. */
export function applyTextEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let offset = 0;
  for (const edit of edits.toSorted((a, b) => a.startOffset - b.startOffset)) {
    result += text.slice(offset, edit.startOffset) + edit.newText;
    offset = edit.endOffset;
  }
  return result + text.slice(offset);
}

/** Stands for a message that is not in the text, at its beginning. */
export const EMPTY_MESSAGE: MessageNode = {
  kind: 'message',
  fields: [],
  span: { startOffset: 0, endOffset: 0, line: 1, column: 1 },
  bodyStart: 0,
  bodyEnd: 0,
};
