// Runs suites side by side as far as the cores of the machine allow. Each writes to a log of its own; what is shown is
// one line when it ends, the end of its log when it failed, and from time to time the names of those that still run.
// Nothing is stopped for being slow: it is named.

import type { Counts, Suite, SuiteShell } from './suite.ts';
import { NONE, countsText } from './suite.ts';

/** What is run, on what, and how it is told. */
export interface RunnerOptions {
  readonly suites: readonly Suite[];
  /** Cores of the machine. */
  readonly cores: number;
  /** The surroundings of one suite. */
  openShell(suite: Suite, cores: number): SuiteShell;
  /** Of any clock that only goes forward. */
  nowMs(): number;
  /** One line for whoever watches, without its end. */
  say(text: string): void;
}

/** How one suite went. */
export interface SuiteResult {
  readonly suite: Suite;
  readonly counts: Counts;
  readonly seconds: number;
  /** Why it did not run. */
}

const FAILURE_LINES = 120;
/** A suite that needs this many times its usual time is slow. */
const SLOW_FACTOR = 2;

/** A suite that wants more cores than the machine has runs alone. */
export class SuiteRunner {
  readonly #options: RunnerOptions;
  readonly #waiting: Suite[];
  readonly #running = new Map<Suite, number>();
  readonly #results: SuiteResult[] = [];
  #usedCores = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#waiting = [...options.suites];
  }

  /** Runs all of them; resolves with what came out, in the order they ended. */
  async run(): Promise<readonly SuiteResult[]> {
    const active = new Set<Promise<void>>();
    for (;;) {
      for (const suite of this.#startable()) {
        const work: Promise<void> = this.#runOne(suite).finally(() => active.delete(work));
        active.add(work);
      }
      if (active.size === 0) return this.#results;
      await Promise.race(active);
    }
  }

  /** One line about what runs now; undefined when nothing does. */
  progress(): string | undefined {
    if (this.#running.size === 0) return undefined;
    const now = this.#options.nowMs();
    const names = [...this.#running].map(
      ([{ name }, sinceMs]) => `${name} (${Math.round((now - sinceMs) / 1000)} s)`,
    );
    return `running: ${names.join(', ')}`;
  }

  /** Those that fit beside what runs, in their order; a wide one is not held up by narrow ones behind it for ever. */
  #startable(): readonly Suite[] {
    const started: Suite[] = [];
    for (const suite of [...this.#waiting]) {
      const cores = this.#coresOf(suite);
      if (this.#usedCores + cores > this.#options.cores || this.#mustWait(suite)) continue;
      this.#waiting.splice(this.#waiting.indexOf(suite), 1);
      this.#usedCores += cores;
      this.#running.set(suite, this.#options.nowMs());
      started.push(suite);
    }
    return started;
  }

  #mustWait({ after = [] }: Suite): boolean {
    const unfinished = [...this.#waiting, ...this.#running.keys()].map(({ name }) => name);
    return after.some((name) => unfinished.includes(name));
  }

  #coresOf({ cores }: Suite): number {
    return Math.min(cores, this.#options.cores);
  }

  async #runOne(suite: Suite): Promise<void> {
    const { openShell, nowMs } = this.#options;
    const startedAtMs = nowMs();
    const shell = openShell(suite, this.#coresOf(suite));
    const reason = await suite.missing?.();
    const counts = reason === undefined ? await this.#counts(suite, shell) : { ...NONE, skipped: 1 };
    await shell.close();
    const seconds = Math.round((nowMs() - startedAtMs) / 1000);
    this.#results.push({ suite, counts, seconds });
    this.#usedCores -= this.#coresOf(suite);
    this.#running.delete(suite);
    await this.#tell(suite, shell, { counts, seconds, reason });
  }

  async #counts(suite: Suite, shell: SuiteShell): Promise<Counts> {
    try {
      return await suite.run(shell);
    } catch (thrown) {
      shell.say(`${suite.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      return { ...NONE, failed: 1 };
    }
  }

  async #tell(
    { name, usualSeconds }: Suite,
    shell: SuiteShell,
    outcome: { readonly counts: Counts; readonly seconds: number; readonly reason: string | undefined },
  ): Promise<void> {
    const { counts, seconds, reason } = outcome;
    if (counts.failed > 0) {
      const lines = (await shell.output()).trimEnd().split('\n');
      this.#options.say(
        `--- ${name}, the end of what it printed:\n${lines.slice(-FAILURE_LINES).join('\n')}\n---`,
      );
    }
    for (const line of counts.unsteady ?? []) this.#options.say(`${name}: passed at its second try: ${line}`);
    const isSlow = seconds > usualSeconds * SLOW_FACTOR;
    const slow = isSlow ? `; SLOW, ${usualSeconds} s are usual` : '';
    const why = reason === undefined ? '' : ` (${reason})`;
    this.#options.say(`${name}: ${countsText(counts)}${why} (${seconds} s${slow})`);
  }
}
