// Finished traces of one setting, and the rules that say when they are written and where to.

import type { SampleCounts, TraceSetting } from './trace-settings.ts';
import type { TraceFiles } from './trace-files.ts';

/** Buffered text beyond this goes to the plain file early; the file's content stays the same. */
const MAX_BUFFERED_CHARS = 32 * 1024 * 1024;

/** Lives until its setting is replaced and its last open trace is written. */
export class TraceCollector {
  readonly #setting: TraceSetting;
  readonly #counts: SampleCounts;
  readonly #files: TraceFiles;
  #buffer: string[] = [];
  #bufferedChars = 0;
  #collectedCount = 0;
  #openCount = 0;
  #isRetired = false;

  constructor(setting: TraceSetting, counts: SampleCounts, files: TraceFiles) {
    this.#setting = setting;
    this.#counts = counts;
    this.#files = files;
  }

  /** A trace of this setting has begun; `finished` follows once. */
  started(): void {
    this.#openCount += 1;
  }

  /** A bundle is complete; `records` are comma-separated, possibly none. */
  finished(records: string): void {
    this.#openCount -= 1;
    this.#collectedCount += 1;
    if (records !== '') {
      this.#buffer.push(records);
      this.#bufferedChars += records.length;
    }
    const { logFrequency } = this.#setting;
    const { remainingCount, sampledCount } = this.#counts;
    const isFull = logFrequency > 0 && this.#collectedCount % logFrequency === 0;
    const isLast = remainingCount === 0 && this.#collectedCount === sampledCount;
    if (isFull || isLast) this.#flush(true);
    else if (this.#isRetired && this.#openCount === 0) this.#flush(logFrequency > 0);
    else if (this.#bufferedChars > MAX_BUFFERED_CHARS) this.#flush(logFrequency > 0);
  }

  /** The setting was replaced, or the server stops: what is buffered is written once the last open trace has ended. */
  retire(): void {
    this.#isRetired = true;
    if (this.#openCount === 0) this.#flush(this.#setting.logFrequency > 0);
  }

  #flush(toIndexed: boolean): void {
    if (this.#buffer.length === 0) return;
    const records = this.#buffer.join(',');
    this.#buffer = [];
    this.#bufferedChars = 0;
    if (toIndexed) this.#files.writeIndexed(records);
    else this.#files.append(records);
  }
}
