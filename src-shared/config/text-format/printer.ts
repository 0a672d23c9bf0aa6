// Tree back to text in one canonical layout: two blanks per level, one field per line, comments and single blank lines
// kept, list and long forms as they were written.
// Invariant: printing what was printed changes nothing, and the values stay what they were.

import type { FieldNode, ListNode, MessageNode, ScalarNode, TextTree } from './ast.ts';
import { encodeStringLiteral } from './string-literal.ts';

const INDENT = '  ';
/** Longer lists of scalars get a line per element. */
const MAX_LINE_LENGTH = 100;

/** Canonical layout of a document; undefined when it has syntax problems, so that nothing is lost. */
export function printTree(tree: TextTree): string | undefined {
  if (tree.problems.length > 0 || hasMissingValue(tree.root)) return undefined;
  const printer = new Printer(tree);
  printer.body(tree.root, '');
  return printer.text();
}

function hasMissingValue(message: MessageNode): boolean {
  return message.fields.some((field) => {
    const items = field.value.kind === 'list' ? field.value.items : [field.value];
    return items.some((item) =>
      item.kind === 'message' ? hasMissingValue(item) : item.scalarKind === 'missing',
    );
  });
}

class Printer {
  readonly #tree: TextTree;
  readonly #lines: string[] = [];
  #nextComment = 0;
  /** End of what has been printed, in the source. */
  #offset = 0;

  constructor(tree: TextTree) {
    this.#tree = tree;
  }

  text(): string {
    const text = this.#lines.join('\n');
    return text === '' ? '' : `${text}\n`;
  }

  /** Fields and comments of a message, without its braces. */
  body(message: MessageNode, indent: string): void {
    let isFirst = true;
    this.#offset = Math.max(this.#offset, message.bodyStart);
    for (const field of message.fields) {
      isFirst = !this.#commentsBefore(field.span.startOffset, indent, isFirst) && isFirst;
      this.#blankLine(field.span.startOffset, isFirst);
      this.#field(field, indent);
      this.#offset = Math.max(this.#offset, field.endOffset);
      this.#trailingComment();
      isFirst = false;
    }
    this.#commentsBefore(message.bodyEnd, indent, isFirst);
  }

  #field(field: FieldNode, indent: string): void {
    const { value } = field;
    if (value.kind === 'message') this.#message(value, `${indent}${field.name} `, indent, '');
    else if (value.kind === 'list') this.#list(value, field.name, indent);
    else this.#lines.push(`${indent}${field.name}: ${scalarText(value)}`);
  }

  #message(message: MessageNode, opening: string, indent: string, ending: string): void {
    const isEmpty =
      message.fields.length === 0 && !this.#hasCommentIn(message.span.startOffset, message.bodyEnd);
    if (isEmpty) {
      this.#lines.push(`${opening}{ }${ending}`);
    } else {
      this.#lines.push(`${opening}{`);
      this.body(message, indent + INDENT);
      this.#lines.push(`${indent}}${ending}`);
    }
    this.#offset = Math.max(this.#offset, message.span.endOffset);
  }

  #list(list: ListNode, name: string, indent: string): void {
    const { items, span } = list;
    const scalars = items.filter((item) => item.kind === 'scalar');
    const hasBlocks = scalars.length < items.length;
    const opening = hasBlocks ? `${indent}${name} [` : `${indent}${name}: [`;
    if (!hasBlocks && !this.#hasCommentIn(span.startOffset, span.endOffset)) {
      const line = `${opening} ${scalars.map(scalarText).join(', ')}${items.length === 0 ? '' : ' '}]`;
      if (line.length <= MAX_LINE_LENGTH) {
        this.#lines.push(line);
        return;
      }
    }
    const inner = indent + INDENT;
    this.#lines.push(opening);
    this.#offset = Math.max(this.#offset, span.startOffset + 1);
    for (const [index, item] of items.entries()) {
      const ending = index < items.length - 1 ? ',' : '';
      this.#commentsBefore(item.span.startOffset, inner, true);
      if (item.kind === 'message') this.#message(item, inner, inner, ending);
      else this.#lines.push(`${inner}${scalarText(item)}${ending}`);
      this.#offset = Math.max(this.#offset, item.span.endOffset);
      this.#trailingComment(items[index + 1]?.span.startOffset ?? span.endOffset);
    }
    this.#commentsBefore(span.endOffset, inner, true);
    this.#lines.push(`${indent}]`);
  }

  /** Prints waiting comments that start before `offset`; true when there were any. */
  #commentsBefore(offset: number, indent: string, isFirst: boolean): boolean {
    let hasPrinted = false;
    for (;;) {
      const comment = this.#tree.comments[this.#nextComment];
      if (comment === undefined || comment.startOffset >= offset) return hasPrinted;
      this.#blankLine(comment.startOffset, isFirst && !hasPrinted);
      this.#lines.push(indent + comment.text);
      this.#offset = Math.max(this.#offset, comment.endOffset);
      this.#nextComment += 1;
      hasPrinted = true;
    }
  }

  /** A comment on the line where the last thing ended stays there. */
  #trailingComment(limit = Number.POSITIVE_INFINITY): void {
    const comment = this.#tree.comments[this.#nextComment];
    if (comment === undefined || comment.startOffset >= limit) return;
    const between = this.#tree.text.slice(this.#offset, comment.startOffset);
    const isOnLine = comment.startOffset >= this.#offset && /^[ \t,;]*$/.test(between);
    if (!isOnLine) return;
    this.#lines.push(`${this.#lines.pop() ?? ''} ${comment.text}`);
    this.#offset = comment.endOffset;
    this.#nextComment += 1;
  }

  /** One blank line where the source has any, except at the start of a block. */
  #blankLine(offset: number, isFirst: boolean): void {
    if (isFirst) return;
    const between = this.#tree.text.slice(this.#offset, offset);
    if (/\n[^\S\n]*\n/.test(between)) this.#lines.push('');
  }

  #hasCommentIn(start: number, end: number): boolean {
    const comment = this.#tree.comments[this.#nextComment];
    return comment !== undefined && comment.startOffset >= start && comment.startOffset < end;
  }
}

function scalarText(scalar: ScalarNode): string {
  const text = scalar.scalarKind === 'string' ? encodeStringLiteral(scalar.value) : scalar.text;
  return scalar.isNegative ? `-${text}` : text;
}
