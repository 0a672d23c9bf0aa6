// Tokens of the protobuf text format, one at a time, with offset, line and column. Comments are collected beside them.
// Invariant: total and linear. Any input is cut into tokens that cover it; what is malformed still becomes a token and
// is reported through `onProblem`, so the parser always has something to go on with.

/** What a token is. */
export type TokenKind = 'identifier' | 'integer' | 'float' | 'string' | 'symbol' | 'end';

/** Offsets count UTF-16 units from the start of the text; line and column are 1-based and tell where it starts. */
export interface Span {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly line: number;
  readonly column: number;
}

/** A piece of the text that is neither white space nor comment. */
export interface Token extends Span {
  readonly kind: TokenKind;
  readonly text: string;
  /** True when nothing but white space stands before it on its line. */
  readonly isFirstOnLine: boolean;
}

/** A `#` comment without its line end. */
export interface Comment extends Span {
  readonly text: string;
  readonly isFirstOnLine: boolean;
}

/** Takes what is wrong with the text, in source order. */
export type ProblemSink = (message: string, span: Span) => void;

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BACKSLASH = 92;
const DOT = 46;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isHexDigit = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
const isIdentifierStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
const isBlank = (code: number): boolean => code === 32 || (code >= TAB && code <= CARRIAGE_RETURN);

/** Reads one document once. A byte order mark at its start is no part of the language, in Triton either. */
export class Lexer {
  readonly comments: Comment[] = [];
  readonly #text: string;
  readonly #onProblem: ProblemSink;
  #offset = 0;
  #line = 1;
  #lineStart = 0;
  #isFirstOnLine = true;

  constructor(text: string, onProblem: ProblemSink) {
    this.#text = text;
    this.#onProblem = onProblem;
  }

  /** The next token; after the last one, `end` tokens for ever. */
  next(): Token {
    this.#skipBlanksAndComments();
    const start = this.#offset;
    const kind = start >= this.#text.length ? 'end' : this.#scan(this.#text.charCodeAt(start));
    const token: Token = {
      kind,
      text: this.#text.slice(start, this.#offset),
      startOffset: start,
      endOffset: this.#offset,
      line: this.#line,
      column: start - this.#lineStart + 1,
      isFirstOnLine: this.#isFirstOnLine,
    };
    this.#isFirstOnLine = false;
    return token;
  }

  #skipBlanksAndComments(): void {
    const text = this.#text;
    while (this.#offset < text.length) {
      const code = text.charCodeAt(this.#offset);
      if (code === LINE_FEED) {
        this.#offset += 1;
        this.#line += 1;
        this.#lineStart = this.#offset;
        this.#isFirstOnLine = true;
      } else if (isBlank(code)) {
        this.#offset += 1;
      } else if (code === 35) {
        this.#comment();
      } else {
        return;
      }
    }
  }

  #comment(): void {
    const start = this.#offset;
    const lineEnd = this.#text.indexOf('\n', start);
    this.#offset = lineEnd < 0 ? this.#text.length : lineEnd;
    this.comments.push({
      text: this.#text.slice(start, this.#offset).trimEnd(),
      ...this.#spanFrom(start),
      isFirstOnLine: this.#isFirstOnLine,
    });
  }

  #scan(code: number): TokenKind {
    if (isIdentifierStart(code)) {
      this.#skipIdentifier();
      return 'identifier';
    }
    if (isDigit(code) || (code === DOT && isDigit(this.#text.charCodeAt(this.#offset + 1)))) {
      return this.#number();
    }
    if (code === 34 || code === 39) {
      this.#string(code);
      return 'string';
    }
    const start = this.#offset;
    this.#offset += 1;
    if (code < 32 || code === 127) {
      this.#problem('Invalid control characters encountered in text.', start);
    } else if (code > 127) {
      const codePoint = this.#text.codePointAt(start) ?? code;
      if (codePoint > 0xffff) this.#offset += 1;
      this.#problem(`Interpreting non ascii codepoint ${codePoint}.`, start);
    }
    return 'symbol';
  }

  #skipIdentifier(): void {
    const text = this.#text;
    let code = text.charCodeAt(this.#offset);
    while (isIdentifierStart(code) || isDigit(code)) {
      this.#offset += 1;
      code = text.charCodeAt(this.#offset);
    }
  }

  #skipWhile(accept: (code: number) => boolean): void {
    while (accept(this.#text.charCodeAt(this.#offset))) this.#offset += 1;
  }

  #number(): TokenKind {
    const start = this.#offset;
    const text = this.#text;
    let kind: TokenKind = 'integer';
    const second = text.charCodeAt(start + 1) | 32;
    if (text.charCodeAt(start) === 48 && second === 120) {
      this.#offset += 2;
      this.#skipWhile(isHexDigit);
      if (this.#offset === start + 2) this.#problem('"0x" must be followed by hex digits.', start);
    } else {
      kind = this.#decimal(start);
    }
    if (isIdentifierStart(text.charCodeAt(this.#offset))) {
      this.#problem('Need space between number and identifier.', start);
    } else if (text.charCodeAt(this.#offset) === DOT) {
      this.#offset += 1;
      this.#skipWhile(isDigit);
      const reason =
        kind === 'integer'
          ? 'Hex and octal numbers must be integers.'
          : "Already saw decimal point or exponent; can't have another one.";
      this.#problem(reason, start);
    }
    return kind;
  }

  #decimal(start: number): TokenKind {
    const text = this.#text;
    let kind: TokenKind = 'integer';
    this.#skipWhile(isDigit);
    const digits = text.slice(start, this.#offset);
    if (text.charCodeAt(this.#offset) === DOT) {
      kind = 'float';
      this.#offset += 1;
      this.#skipWhile(isDigit);
    }
    if ((text.charCodeAt(this.#offset) | 32) === 101) {
      kind = 'float';
      this.#offset += 1;
      const sign = text.charCodeAt(this.#offset);
      if (sign === 43 || sign === 45) this.#offset += 1;
      const digitsStart = this.#offset;
      this.#skipWhile(isDigit);
      if (this.#offset === digitsStart) this.#problem('"e" must be followed by exponent.', start);
    }
    if ((text.charCodeAt(this.#offset) | 32) === 102) {
      kind = 'float';
      this.#offset += 1;
    }
    if (kind === 'integer' && digits.length > 1 && digits.startsWith('0') && /[89]/.test(digits)) {
      this.#problem('Numbers starting with leading zero must be in octal.', start);
    }
    return kind;
  }

  #string(quote: number): void {
    const start = this.#offset;
    const text = this.#text;
    this.#offset += 1;
    while (this.#offset < text.length) {
      const code = text.charCodeAt(this.#offset);
      if (code === quote) {
        this.#offset += 1;
        return;
      }
      // Triton's reader takes it for the end of the text.
      if (code === 0) break;
      if (code === LINE_FEED) {
        if (text.charCodeAt(this.#offset - 1) === CARRIAGE_RETURN) this.#offset -= 1;
        this.#problem('String literals cannot cross line boundaries.', start);
        return;
      }
      const next = text.charCodeAt(this.#offset + 1);
      this.#offset += code === BACKSLASH && !Number.isNaN(next) && next !== LINE_FEED ? 2 : 1;
    }
    this.#problem('Unexpected end of string.', start);
  }

  #spanFrom(start: number): Span {
    return {
      startOffset: start,
      endOffset: this.#offset,
      line: this.#line,
      column: start - this.#lineStart + 1,
    };
  }

  #problem(message: string, start: number): void {
    this.#onProblem(message, this.#spanFrom(start));
  }
}
