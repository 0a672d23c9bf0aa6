// The parsers of `--tool-call-parser`: which calls of tools a model's text makes, whole or as it comes. Llama 3 writes objects,
// with or without a token in front, several with a semicolon between; Mistral writes a list behind its token.

import { randomBytes, randomUUID } from 'node:crypto';

import type { CallNotation } from './call-scanner.ts';
import { CallScanner } from './call-scanner.ts';

/** A family of models, by the names that the reference has for them. */
export type ToolCallParserName = 'llama3' | 'mistral';

/** One call as an answer tells it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON as text. */
  readonly arguments: string;
}

/** A piece of a streamed answer: text, the beginning of a call, or more of its arguments. */
export type ToolPiece =
  | { readonly content: string }
  | { readonly index: number; readonly id: string; readonly name: string }
  | { readonly index: number; readonly arguments: string };

interface Family {
  /** Stands in front of calls. */
  readonly token: string;
  /** What a text of calls begins with where the token is missing. */
  readonly opening: string;
  /** The token may stand behind text. */
  readonly tokenMayFollow: boolean;
  readonly notation: CallNotation;
  readonly id: () => string;
}

const FAMILIES: Readonly<Record<ToolCallParserName, Family>> = {
  llama3: {
    token: '<|python_tag|>',
    opening: '{',
    tokenMayFollow: false,
    notation: { between: ';', escapesNonAscii: true },
    id: () => `cmpl-${randomUUID()}`,
  },
  mistral: {
    token: '[TOOL_CALLS]',
    opening: '[',
    tokenMayFollow: true,
    notation: { between: '[],', escapesNonAscii: false },
    // Nine letters and digits, which the templates of these models ask for.
    id: () => randomBytes(16).toString('base64').replaceAll(/[+/=]/g, 'x').slice(0, 9),
  },
};

/** The calls of a whole text; undefined = it is no list of calls, but an answer. */
export function toolCallsIn(text: string, parser: ToolCallParserName): readonly ToolCall[] | undefined {
  const family = FAMILIES[parser];
  const start = callsStart(text, family);
  if (start !== 0) return undefined;
  const body = text.replaceAll(family.token, '');
  const calls = read(body, family);
  if (calls !== undefined || !family.tokenMayFollow) return calls;
  // Text around the list.
  const [list] = /\[\{.*\}\]/s.exec(body) ?? [];
  return list === undefined ? undefined : read(list, family);
}

function read(text: string, family: Family): readonly ToolCall[] | undefined {
  const calls: { id: string; name: string; arguments: string }[] = [];
  const scanner = new CallScanner(family.notation, {
    named: (_, name) => calls.push({ id: family.id(), name, arguments: '' }),
    argued: (index, piece) => {
      const call = calls[index];
      if (call !== undefined) call.arguments += piece;
    },
  });
  scanner.push(text);
  return scanner.isComplete ? calls : undefined;
}

/** Where calls begin in a text; -1 = nowhere yet, undefined = it may be decided by more text. */
function callsStart(text: string, { token, opening, tokenMayFollow }: Family): number | undefined {
  if (text.startsWith(token)) return 0;
  if (token.startsWith(text)) return undefined;
  if (text.startsWith(opening)) return 0;
  return tokenMayFollow ? text.indexOf(token) : -1;
}

/** Reads one streamed answer. */
export class ToolStream {
  readonly #family: Family;
  readonly #limitByteSize: number;
  readonly #scanner: CallScanner;
  #pieces: ToolPiece[] = [];
  /** Text that may become the token of calls, or from which calls are read. */
  #held = '';
  #areCalls = false;
  #hasSaid = false;
  #byteSize = 0;
  #callCount = 0;

  /** `limitByteSize`: of the text of calls. */
  constructor(parser: ToolCallParserName, limitByteSize: number) {
    const family = FAMILIES[parser];
    this.#family = family;
    this.#limitByteSize = limitByteSize;
    this.#scanner = new CallScanner(family.notation, {
      named: (index, name) => {
        this.#callCount = index + 1;
        this.#pieces.push({ index, id: family.id(), name });
      },
      argued: (index, text) => this.#pieces.push({ index, arguments: text }),
    });
  }

  /** At least one call has begun so far. */
  get hasCalls(): boolean {
    return this.#callCount > 0;
  }

  /** The text of calls is longer than the limit; nothing more is read. */
  get isOver(): boolean {
    return this.#byteSize > this.#limitByteSize;
  }

  /** What can be told after the next piece of text. */
  push(text: string): readonly ToolPiece[] {
    if (!this.#areCalls) this.#decide(text);
    else this.#readCalls(text);
    return this.#taken();
  }

  /** What was held back and is no call after all. */
  finish(): readonly ToolPiece[] {
    if (!this.hasCalls && this.#held !== '') this.#pieces.push({ content: this.#held });
    return this.#taken();
  }

  #decide(text: string): void {
    const { token } = this.#family;
    const seen = this.#held + text;
    // Behind text only the token can begin calls.
    const start = this.#hasSaid ? this.#laterStart(seen) : callsStart(seen, this.#family);
    if (start === undefined) {
      this.#held = seen;
      return;
    }
    if (start >= 0) {
      if (start > 0) this.#say(seen.slice(0, start));
      const calls = seen.slice(start);
      this.#areCalls = true;
      this.#held = '';
      this.#readCalls(calls, calls.startsWith(token) ? calls.slice(token.length) : calls);
      return;
    }
    const kept = this.#family.tokenMayFollow ? overlap(seen, token) : 0;
    this.#held = seen.slice(seen.length - kept);
    this.#say(seen.slice(0, seen.length - kept));
  }

  #laterStart(seen: string): number {
    return this.#family.tokenMayFollow ? seen.indexOf(this.#family.token) : -1;
  }

  #say(content: string): void {
    if (content === '') return;
    this.#hasSaid = true;
    this.#pieces.push({ content });
  }

  #readCalls(text: string, calls = text): void {
    this.#byteSize += Buffer.byteLength(text);
    if (this.isOver) return;
    if (!this.hasCalls) this.#held += text;
    this.#scanner.push(calls);
    if (this.hasCalls) this.#held = '';
  }

  #taken(): readonly ToolPiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

/** How many units at the end of a text may be the beginning of a token. */
function overlap(text: string, token: string): number {
  for (let count = Math.min(text.length, token.length - 1); count > 0; count--) {
    if (text.endsWith(token.slice(0, count))) return count;
  }
  return 0;
}
