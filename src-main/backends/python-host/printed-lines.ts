// What a model prints, as lines of the log. A model that prints without end must fill neither the log nor the memory,
// so lines have a length and a second has a number of them; what is left out is counted and said.

import { StringDecoder } from 'node:string_decoder';
import type { Clock, Timer } from '../../base/clock.ts';

const LARGEST_LINE = 16 * 1024;
const LINES_PER_SECOND = 1000;
const SECOND_NS = 1e9;

/** For one stream of one process. Bytes are taken for UTF-8; a line without an end is said when the stream ends. */
export class PrintedLines {
  readonly #clock: Clock;
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';
  #secondStartNs = 0;
  #linesInSecond = 0;
  #leftOut = 0;
  /** Says what was left out when the second is over, should the model print no more. */
  #saying: Timer | undefined;

  constructor(clock: Clock, onLine: (line: string) => void) {
    this.#clock = clock;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    if (this.#isFull()) {
      // Not even looked at: a gigabyte costs no more than reading it.
      this.#leaveOut();
      this.#rest = '';
      return;
    }
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
      this.#sayLeftOut();
    }
    return this.#linesInSecond >= LINES_PER_SECOND;
  }

  #line(text: string): void {
    const line = text.trimEnd();
    if (line === '') return;
    if (this.#isFull()) {
      this.#leaveOut();
      return;
    }
    this.#linesInSecond += 1;
    const cut = line.length - LARGEST_LINE;
    this.#onLine(cut > 0 ? `${line.slice(0, LARGEST_LINE)}... (${cut} characters more)` : line);
  }

  #leaveOut(): void {
    this.#leftOut += 1;
    this.#saying ??= this.#clock.after(SECOND_NS / 1e6, () => this.#sayLeftOut());
  }

  #sayLeftOut(): void {
    this.#saying?.cancel();
    this.#saying = undefined;
    if (this.#leftOut === 0) return;
    this.#onLine(
      `(${this.#leftOut} further pieces of output left out: more than ${LINES_PER_SECOND} lines a second)`,
    );
    this.#leftOut = 0;
  }
}
