// The lines of the analyzer, in the reference's form.

/** Where lines go; each text ends with its line break. */
export interface AnalyzeOutput {
  /** Standard output, as it is. */
  print(text: string): void;
  /** Standard error, as it is. */
  printError(text: string): void;
}

/** quiet: errors only. verbose: with the time of day. */
export type Loudness = 'quiet' | 'normal' | 'verbose';

/** Lines go to standard output, errors too, as in the reference. */
export class AnalyzeLog {
  readonly #output: AnalyzeOutput;
  readonly #loudness: Loudness;
  readonly #now: () => Date;

  constructor(output: AnalyzeOutput, loudness: Loudness, now: () => Date = () => new Date()) {
    this.#output = output;
    this.#loudness = loudness;
    this.#now = now;
  }

  /** Nothing when `quiet`. */
  info(text: string): void {
    if (this.#loudness !== 'quiet') this.#line(text);
  }

  /** Nothing when `quiet`. */
  warning(text: string): void {
    if (this.#loudness !== 'quiet') this.#line(`WARNING: ${text}`);
  }

  /** Also when `quiet`. */
  error(text: string): void {
    this.#line(`ERROR: ${text}`);
  }

  /** A table: its lines do not begin with a level or the time. Nothing when `quiet`. */
  block(text: string): void {
    if (this.#loudness !== 'quiet') this.#output.print(`${text}\n`);
  }

  #line(text: string): void {
    const time = this.#loudness === 'verbose' ? `${this.#now().toTimeString().slice(0, 8)} ` : '';
    this.#output.print(`${time}[Model Analyzer] ${text}\n`);
  }
}
