// Text-format document to tree, without a schema. After a mistake it goes on at the next field, so that one pass
// reports them all. What depends on a field's type (a missing value, a missing colon) is left in the tree for the decoder.
// Invariant: never throws and always advances; time is linear in the length of the text.

import type { FieldNode, ListNode, MessageNode, ScalarNode, TextEdit, TextTree, ValueNode } from './ast.ts';
import type { Span, Token } from './lexer.ts';
import { decodeStringLiteral } from './string-literal.ts';
import { spanOf, TokenCursor } from './token-cursor.ts';

/** Nesting at which the reference parser gives up too. */
const MAX_DEPTH = 100;

/** After an identifier these show that it is a field's name, not a value. */
const NAME_FOLLOWERS = new Set([':', '{', '<', '[', '=']);

/** Parses any text; mistakes are in `problems`, in source order. */
export function parseText(text: string): TextTree {
  return new Parser(text).document();
}

/**
 * Hands the fields of the outermost level to `take` one after the other and keeps none of them, so that a long text needs
 * no more memory than its longest field. False when the text has a mistake, of which `parseText` tells.
 */
export function visitFields(text: string, take: (field: FieldNode) => void): boolean {
  return new Parser(text).visit({ push: take });
}

/** Where fields go when they are read; an array keeps them. */
interface FieldSink {
  push(field: FieldNode): unknown;
}

class Parser {
  readonly #text: string;
  readonly #cursor: TokenCursor;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#cursor = new TokenCursor(text);
  }

  document(): TextTree {
    const fields: FieldNode[] = [];
    this.visit(fields);
    const span: Span = { startOffset: 0, endOffset: this.#text.length, line: 1, column: 1 };
    const root: MessageNode = {
      kind: 'message',
      fields,
      span,
      bodyStart: 0,
      bodyEnd: this.#text.length,
    };
    const problems = this.#cursor.problems.toSorted((a, b) => a.span.startOffset - b.span.startOffset);
    return { text: this.#text, root, comments: this.#cursor.comments, problems };
  }

  /** Reads to the end; true when there was no mistake. */
  visit(fields: FieldSink): boolean {
    while (this.#cursor.token.kind !== 'end') {
      this.#fields(fields);
      if (this.#cursor.isClosingBrace()) {
        this.#cursor.report(
          `Expected identifier, got: ${this.#cursor.token.text}`,
          this.#cursor.token,
          'This brace closes nothing: remove it, or add the brace that opens its block.',
          [{ title: `Remove "${this.#cursor.token.text}"`, edits: [replace(this.#cursor.token, '')] }],
        );
        this.#cursor.advance();
      }
    }
    return this.#cursor.problems.length === 0;
  }

  /** Fields up to a closing brace or the end, which are left standing. */
  #fields(fields: FieldSink): void {
    while (this.#cursor.token.kind !== 'end' && !this.#cursor.isClosingBrace()) {
      if (this.#cursor.token.kind === 'identifier') {
        fields.push(this.#field(this.#cursor.advance()));
      } else if (this.#cursor.isSymbol('[')) {
        fields.push(this.#extensionField());
      } else {
        this.#cursor.report(
          `Expected identifier, got: ${this.#cursor.token.text}`,
          this.#cursor.token,
          'A field starts here: a name, a colon, a value.',
        );
        this.#cursor.recover();
      }
    }
  }

  #field(name: Token): FieldNode {
    let hasColon = this.#cursor.isSymbol(':');
    if (hasColon) {
      this.#cursor.advance();
    } else if (this.#cursor.isSymbol('=')) {
      this.#cursor.report(
        'Expected ":", found "=".',
        this.#cursor.token,
        'A value follows a colon in this format.',
        [{ title: 'Replace "=" by ":"', edits: [replace(this.#cursor.token, ':')] }],
      );
      this.#cursor.advance();
      hasColon = true;
    }
    return this.#finishField(name.text, name, hasColon, this.#value());
  }

  /** `[a.b.c]: value` names an extension; no configuration has any, so the decoder calls it unknown. */
  #extensionField(): FieldNode {
    const start = this.#cursor.advance();
    let end = start.endOffset;
    while (
      this.#cursor.token.kind !== 'end' &&
      !this.#cursor.token.isFirstOnLine &&
      !this.#cursor.isClosingBrace()
    ) {
      const token = this.#cursor.advance();
      end = token.endOffset;
      if (token.text === ']') break;
    }
    const hasColon = this.#cursor.isSymbol(':');
    if (hasColon) this.#cursor.advance();
    const nameSpan = spanOf(start, end);
    return this.#finishField(this.#text.slice(start.startOffset, end), nameSpan, hasColon, this.#value());
  }

  #finishField(name: string, nameSpan: Span, hasColon: boolean, value: ValueNode): FieldNode {
    const isMissing = value.kind === 'scalar' && value.scalarKind === 'missing';
    const valueEnd = isMissing ? nameSpan.endOffset + (hasColon ? 1 : 0) : value.span.endOffset;
    const span = spanOf(nameSpan, Math.max(valueEnd, nameSpan.endOffset));
    let endOffset = span.endOffset;
    if (this.#cursor.isSymbol(',') || this.#cursor.isSymbol(';'))
      endOffset = this.#cursor.advance().endOffset;
    return { kind: 'field', name, nameSpan, hasColon, value, span, endOffset };
  }

  #value(): ValueNode {
    if (this.#cursor.isSymbol('{') || this.#cursor.isSymbol('<')) return this.#message();
    if (this.#cursor.isSymbol('[')) return this.#list();
    if (this.#startsScalar()) return this.#scalar();
    const missing = this.#missing();
    const goesOn =
      this.#cursor.token.kind === 'identifier' ||
      this.#cursor.token.kind === 'end' ||
      this.#cursor.isClosingBrace() ||
      this.#cursor.isSymbol(',') ||
      this.#cursor.isSymbol(';');
    if (!goesOn) this.#cursor.recover();
    return missing;
  }

  #message(): MessageNode {
    const open = this.#cursor.advance();
    const closer = open.text === '{' ? '}' : '>';
    const fields: FieldNode[] = [];
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) {
      this.#cursor.report(
        `Message is too deep, the parser exceeded the configured recursion limit of ${MAX_DEPTH}.`,
        open,
        'Blocks are nested far deeper than any configuration needs.',
      );
      this.#cursor.skipBlock();
    } else {
      this.#fields(fields);
    }
    this.#depth -= 1;
    const bodyEnd = this.#cursor.token.startOffset;
    let end = bodyEnd;
    if (this.#cursor.token.kind === 'end') {
      this.#cursor.report(
        'Expected identifier, got: ',
        this.#cursor.token,
        `The block opened in line ${open.line} is not closed: add "${closer}".`,
        [{ title: `Add "${closer}"`, edits: [insert(this.#text.trimEnd().length, `\n${closer}\n`)] }],
      );
    } else {
      if (this.#cursor.token.text !== closer) {
        this.#cursor.report(
          `Expected "${closer}", found "${this.#cursor.token.text}".`,
          this.#cursor.token,
          `The block opened in line ${open.line} must end with "${closer}".`,
          [{ title: `Replace by "${closer}"`, edits: [replace(this.#cursor.token, closer)] }],
        );
      }
      end = this.#cursor.advance().endOffset;
    }
    return { kind: 'message', fields, span: spanOf(open, end), bodyStart: open.endOffset, bodyEnd };
  }

  #list(): ListNode {
    const open = this.#cursor.advance();
    const items: (ScalarNode | MessageNode)[] = [];
    let end = open.endOffset;
    if (this.#cursor.isSymbol(']'))
      return { kind: 'list', items, span: spanOf(open, this.#cursor.advance().endOffset) };
    for (;;) {
      const item = this.#listItem();
      items.push(item);
      end = Math.max(end, item.span.endOffset);
      if (this.#cursor.isSymbol(']')) {
        end = this.#cursor.advance().endOffset;
        break;
      }
      if (this.#cursor.isSymbol(',')) {
        end = this.#cursor.advance().endOffset;
        continue;
      }
      if (!this.#missingComma(open, end)) break;
    }
    return { kind: 'list', items, span: spanOf(open, end) };
  }

  #listItem(): ScalarNode | MessageNode {
    if (this.#cursor.isSymbol('{') || this.#cursor.isSymbol('<')) return this.#message();
    return this.#startsScalar() ? this.#scalar() : this.#missing();
  }

  /** Between two items something else than a comma; true when the list goes on. */
  #missingComma(open: Token, end: number): boolean {
    const startsItem = this.#startsScalar() || this.#cursor.isSymbol('{') || this.#cursor.isSymbol('<');
    const found = `Expected ",", found "${this.#cursor.token.text}".`;
    if (startsItem) {
      this.#cursor.report(found, this.#cursor.token, 'Elements of a list are separated by commas.', [
        { title: 'Insert ","', edits: [insert(end, ',')] },
      ]);
      return true;
    }
    this.#cursor.report(
      found,
      this.#cursor.token,
      `The list opened in line ${open.line} is not closed: add "]".`,
      [{ title: 'Insert "]"', edits: [insert(end, ' ]')] }],
    );
    if (
      this.#cursor.token.kind === 'identifier' ||
      this.#cursor.token.kind === 'end' ||
      this.#cursor.isClosingBrace()
    )
      return false;
    this.#cursor.recover();
    return false;
  }

  #startsScalar(): boolean {
    const { kind } = this.#cursor.token;
    if (kind === 'string' || kind === 'integer' || kind === 'float') return true;
    if (kind === 'identifier') return !NAME_FOLLOWERS.has(this.#cursor.peek().text);
    return this.#cursor.isSymbol('-');
  }

  #scalar(): ScalarNode {
    const first = this.#cursor.token;
    const isNegative = this.#cursor.isSymbol('-');
    if (isNegative) this.#cursor.advance();
    const token = this.#cursor.token;
    if (token.kind === 'symbol' || token.kind === 'end') return this.#missing();
    if (token.kind === 'string') return this.#stringLiterals(first, isNegative);
    this.#cursor.advance();
    return {
      kind: 'scalar',
      scalarKind: token.kind,
      text: token.text,
      isNegative,
      value: token.text,
      span: spanOf(first, token.endOffset),
    };
  }

  /** Adjacent literals are one value. */
  #stringLiterals(first: Token, isNegative: boolean): ScalarNode {
    let text = '';
    let value = '';
    let end = first.endOffset;
    while (this.#cursor.token.kind === 'string') {
      const token = this.#cursor.advance();
      const decoded = decodeStringLiteral(token.text);
      if (decoded.problem !== undefined) {
        this.#cursor.report(
          decoded.problem,
          token,
          'Known escapes: \\n \\t \\r \\" \\\' \\\\ \\x41 \\101 \\u0041; write a backslash as \\\\.',
        );
      }
      text += token.text;
      value += decoded.value;
      end = token.endOffset;
    }
    return { kind: 'scalar', scalarKind: 'string', text, isNegative, value, span: spanOf(first, end) };
  }

  #missing(): ScalarNode {
    const { text } = this.#cursor.token;
    const span = spanOf(this.#cursor.token);
    return { kind: 'scalar', scalarKind: 'missing', text, isNegative: false, value: '', span };
  }
}

const replace = (span: Span, newText: string): TextEdit => ({
  startOffset: span.startOffset,
  endOffset: span.endOffset,
  newText,
});

const insert = (offset: number, newText: string): TextEdit => ({
  startOffset: offset,
  endOffset: offset,
  newText,
});
