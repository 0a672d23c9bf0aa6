// The lines of the analyzer, in the reference's form.

export interface AnalyzeOutput {
  print(text: string): void;
  printError(text: string): void;
}

export type Loudness = 'quiet' | 'normal' | 'verbose';

export class AnalyzeLog {
  readonly #output: AnalyzeOutput;
  readonly #loudness: Loudness;
  readonly #now: () => Date;

  constructor(output: AnalyzeOutput, loudness: Loudness, now: () => Date = () => new Date()) {
    this.#output = output;
    this.#loudness = loudness;
    this.#now = now;
  }

  info(text: string): void {
    if (this.#loudness !== 'quiet') this.#line(text);
  }

  warning(text: string): void {
    if (this.#loudness !== 'quiet') this.#line(`WARNING: ${text}`);
  }

  error(text: string): void {
    this.#line(`ERROR: ${text}`);
  }

  /** Tables, without what lines begin with. */
  block(text: string): void {
    if (this.#loudness !== 'quiet') this.#output.print(`${text}\n`);
  }

  #line(text: string): void {
    const time = this.#loudness === 'verbose' ? `${this.#now().toTimeString().slice(0, 8)} ` : '';
    this.#output.print(`${time}[Model Analyzer] ${text}\n`);
  }
}
