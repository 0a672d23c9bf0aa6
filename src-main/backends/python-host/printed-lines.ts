// What a model prints, as lines of the log. A model that prints without end must fill neither the log nor the memory,
// so lines have a length and a second has a number of lines and of characters; what is left out is counted and said.

import { StringDecoder } from 'node:string_decoder';
import type { Clock, Timer } from '../../base/clock.ts';

const LARGEST_LINE = 16 * 1024;
const LINES_PER_SECOND = 1000;
const CHARACTERS_PER_SECOND = 1024 * 1024;
const SECOND_NS = 1e9;
const NEW_LINE = 10;

/** Lines with something in them that begin in the chunk or go on in it. */
function linesIn(chunk: Buffer): number {
  let count = 0;
  let before = NEW_LINE;
  for (let at = 0; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? NEW_LINE;
    if (before === NEW_LINE && byte !== NEW_LINE) count += 1;
    before = byte;
  }
  return count;
}

/** For one stream of one process. Bytes are taken for UTF-8; a line without an end is said when the stream ends. */
export class PrintedLines {
  readonly #clock: Clock;
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #secondStartNs = 0;
  #linesInSecond = 0;
  #charactersInSecond = 0;
  /** Lines of which something was left out. */
  #leftOut = 0;
  /** The last chunk was left out and ended within a line, which is counted. */
  #isWithinLine = false;
  /** Says what was left out when the second is over, should the model print no more. */
  #saying: Timer | undefined;

  constructor(clock: Clock, onLine: (line: string) => void) {
    this.#clock = clock;
    this.#onLine = onLine;
  }

  /** Bytes as they came; they may begin and end within a letter. */
  push(chunk: Buffer): void {
    if (this.#isFull()) {
      // Counted, neither decoded nor cut: a gigabyte costs hardly more than reading it.
      this.#leaveOut(linesIn(chunk) - (this.#isWithinLine && chunk[0] !== NEW_LINE ? 1 : 0));
      this.#isWithinLine = chunk.at(-1) !== NEW_LINE;
      this.#rest = '';
      return;
    }
    this.#isWithinLine = false;
    const lines = (this.#rest + this.#decoder.write(chunk)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line);
    if (this.#rest.length > LARGEST_LINE) {
      this.#line(this.#rest);
      this.#rest = '';
    }
  }

  /** The output ended, perhaps within a line. */
  end(): void {
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
    this.#sayLeftOut();
  }

  #isFull(): boolean {
    const nowNs = this.#clock.nowNs();
    if (nowNs - this.#secondStartNs >= SECOND_NS) {
      this.#secondStartNs = nowNs;
      this.#linesInSecond = 0;
      this.#charactersInSecond = 0;
      this.#sayLeftOut();
    }
    return this.#linesInSecond >= LINES_PER_SECOND || this.#charactersInSecond >= CHARACTERS_PER_SECOND;
  }

  #line(text: string): void {
    const line = text.trimEnd();
    if (line === '') return;
    if (this.#isFull()) {
      this.#leaveOut(1);
      return;
    }
    this.#linesInSecond += 1;
    this.#charactersInSecond += Math.min(line.length, LARGEST_LINE);
    const cut = line.length - LARGEST_LINE;
    this.#onLine(cut > 0 ? `${line.slice(0, LARGEST_LINE)}... (${cut} characters more)` : line);
  }

  #leaveOut(lines: number): void {
    this.#leftOut += lines;
    this.#saying ??= this.#clock.after(SECOND_NS / 1e6, () => this.#sayLeftOut());
  }

  #sayLeftOut(): void {
    this.#saying?.cancel();
    this.#saying = undefined;
    if (this.#leftOut === 0) return;
    this.#onLine(
      `(${this.#leftOut} further lines of output left out: more than ${LINES_PER_SECOND} lines or 1 MiB a second)`,
    );
    this.#leftOut = 0;
  }
}
