// Where the parser stands in the token stream, the problems found so far, and how it gets past what it cannot read.

import type { SyntaxProblem } from './ast.ts';
import { Lexer, type Comment, type Span, type Token } from './lexer.ts';

/** More mistakes than anybody reads; further ones are dropped. */
const MAX_PROBLEMS = 100;

const OPENERS = new Set(['{', '<', '[']);
const CLOSERS = new Set(['}', '>', ']']);

type Fix = SyntaxProblem['fixes'][number];

/** Looks one token ahead. Problems are collected and never thrown. */
export class TokenCursor {
  readonly problems: SyntaxProblem[] = [];
  readonly #lexer: Lexer;
  #current: Token;
  #peeked: Token | undefined;

  constructor(text: string) {
    this.#lexer = new Lexer(text, (message, span) =>
      this.report(message, span, lexicalHint(message), closingQuote(text, message, span)),
    );
    this.#current = this.#lexer.next();
  }

  /** The token that has not been taken yet. */
  get token(): Token {
    return this.#current;
  }

  /** Those behind which the cursor stands, in the order of the text. */
  get comments(): readonly Comment[] {
    return this.#lexer.comments;
  }

  /** Skips to where the next field may start; takes at least one token unless a brace closes the block. */
  recover(): void {
    let depth = 0;
    let isFirst = true;
    while (this.#current.kind !== 'end') {
      const { text, kind } = this.#current;
      if (!isFirst && depth === 0 && kind === 'identifier' && this.#current.isFirstOnLine) return;
      if (kind === 'symbol' && depth === 0 && (text === '}' || text === '>')) return;
      isFirst = false;
      this.advance();
      if (kind !== 'symbol') continue;
      if (OPENERS.has(text)) depth += 1;
      else if (CLOSERS.has(text)) depth = Math.max(0, depth - 1);
      else if (depth === 0 && (text === ',' || text === ';')) return;
    }
  }

  /** Skips the inside of a block without recursion, up to its closing brace. */
  skipBlock(): void {
    let depth = 0;
    while (this.#current.kind !== 'end') {
      if (this.isClosingBrace()) {
        if (depth === 0) return;
        depth -= 1;
      } else if (this.isSymbol('{') || this.isSymbol('<')) {
        depth += 1;
      }
      this.advance();
    }
  }

  /** The present token is this symbol; nothing is taken. */
  isSymbol(text: string): boolean {
    return this.#current.kind === 'symbol' && this.#current.text === text;
  }

  /** The present token closes a block, in either of the two forms; nothing is taken. */
  isClosingBrace(): boolean {
    return this.isSymbol('}') || this.isSymbol('>');
  }

  /** The token behind the present one; nothing is taken. */
  peek(): Token {
    this.#peeked ??= this.#lexer.next();
    return this.#peeked;
  }

  /** Takes the present token and gives it back; at the end of the text the same one again. */
  advance(): Token {
    const token = this.#current;
    this.#current = this.#peeked ?? this.#lexer.next();
    this.#peeked = undefined;
    return token;
  }

  /** One problem per place: what follows from the first is noise. */
  report(message: string, span: Span, hint: string, fixes: readonly Fix[] = []): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    if (this.problems.at(-1)?.span.startOffset === span.startOffset) return;
    this.problems.push({ message, span: spanOf(span), hint, fixes });
  }
}

/** The span of `start`, stretched to `endOffset`. */
export function spanOf(start: Span, endOffset = start.endOffset): Span {
  return { startOffset: start.startOffset, endOffset, line: start.line, column: start.column };
}

/** A string that its line or the text ends: closed behind its last character that is no punctuation of what follows. */
function closingQuote(text: string, message: string, { startOffset, endOffset }: Span): Fix[] {
  if (!message.startsWith('String') && !message.startsWith('Unexpected end')) return [];
  const quote = text.charAt(startOffset);
  const written = text.slice(startOffset, endOffset);
  const kept = written.replace(/[\s,;\]}>]+$/, '');
  const offset = startOffset + (kept.length > 1 ? kept.length : written.trimEnd().length);
  return [{ title: `Insert ${quote}`, edits: [{ startOffset: offset, endOffset: offset, newText: quote }] }];
}

const BYTE_ORDER_MARK = 0xfeff;

function lexicalHint(message: string): string {
  if (message.startsWith('String') || message.startsWith('Unexpected end')) {
    return 'Close the string with the quote it starts with, on the same line.';
  }
  if (message.startsWith('Need space')) return 'Put a blank between the number and what follows.';
  if (message.endsWith(` ${BYTE_ORDER_MARK}.`)) {
    return 'This is a byte order mark, which some editors put first in a file and none shows: save it without.';
  }
  if (message.startsWith('Invalid control') || message.startsWith('Interpreting')) {
    return 'Only strings and comments may hold such characters: remove it.';
  }
  return 'Numbers are written as 42, -1, 0x2A, 052 or 0.5.';
}
