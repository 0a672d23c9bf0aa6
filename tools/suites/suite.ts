// What a suite is, for those that list them and for what runs them.

/** Cases of one suite, or of all. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of those that passed, the ones that failed at their first try, one line each. */
  readonly unsteady?: readonly string[];
}

/** One suite: what it needs, and what runs it. */
export interface Suite {
  readonly name: string;
  /** One clause for the list of suites. */
  readonly checks: string;
  /** Processor cores it keeps busy; it is never told to use more than the machine has. */
  readonly cores: number;
  /** What it takes on two quiet cores. A run that needs more than twice as long is called slow by name. */
  readonly usualSeconds: number;
  /** Suites that have to end before this one starts, when they are part of the run. */
  readonly after?: readonly string[];
  /** Why it cannot run on this machine; undefined when it can. Asked just before it starts. */
  missing?(): Promise<string | undefined> | string | undefined;
  /** Rejects when the suite could not be run at all; failed tests are counted. */
  run(shell: SuiteShell): Promise<Counts>;
}

/** What a suite works with. */
export interface SuiteShell {
  /** Cores it may use. */
  readonly cores: number;
  /** Runs a program in the root of the repository, its output in the log of the suite. Resolves with its exit code. */
  run(
    command: string,
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<number>;
  /** A sentence for the user, now. */
  say(text: string): void;
  /** Everything the suite has printed so far. */
  output(): Promise<string>;
  /** Removes what its programs left in their folder for temporary files, and says what that was. */
  close(): Promise<void>;
}

/** Of a suite that ran no test. */
export const NONE: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Zeros for no suites. */
export function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (total, { passed, failed, skipped, unsteady = [] }) => ({
      passed: total.passed + passed,
      failed: total.failed + failed,
      skipped: total.skipped + skipped,
      unsteady: [...(total.unsteady ?? []), ...unsteady],
    }),
    NONE,
  );
}

/** As the last line of a run says it. */
export function countsText({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** A check without cases of its own counts as one. */
export function byExitCode(code: number): Counts {
  return code === 0 ? { ...NONE, passed: 1 } : { ...NONE, failed: 1 };
}

/** A suite that ended badly without naming a failed case still failed. */
export function orFailed(code: number, counts: Counts): Counts {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Counts of a program that ends with `N passed, N failed, N skipped`, or else by its exit code. */
export function countsOf(code: number, output: string): Counts {
  const lines = [...output.matchAll(/(\d+) passed, (\d+) failed, (\d+) skipped/g)];
  const last = lines.at(-1);
  if (last === undefined) return byExitCode(code);
  const [passed, failed, skipped] = last.slice(1).map(Number);
  return orFailed(code, { passed: passed ?? 0, failed: failed ?? 0, skipped: skipped ?? 0 });
}
