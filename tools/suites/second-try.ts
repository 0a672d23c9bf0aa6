// A case that fails beside others is asked once more, by itself. One that passes then does not fail its run, but is named
// at the end of it: either it asks for more than a busy machine can promise, or it has met a race of what it tests.

import path from 'node:path';

import type { Counts } from './suite.ts';

/** What Vitest writes with `--reporter=json`, as far as it is read here. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly VitestFile[];
}

interface VitestFile {
  /** Absolute path. */
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly assertionResults: readonly {
    /** Of the groups around it, from the outermost. */
    readonly ancestorTitles: readonly string[];
    readonly title: string;
    readonly status: string;
    readonly failureMessages?: readonly string[] | null;
  }[];
}

/** One case that failed. */
export interface FailedCase {
  readonly file: string;
  /** With the groups around it, as Vitest matches patterns. */
  readonly fullName: string;
  /** The first line of why. */
  readonly reason: string;
}

/** Where more than these fail, the change is at fault and not the moment. */
const MAX_CASES = 5;

function key({ file, fullName }: Omit<FailedCase, 'reason'>): string {
  return `${file}\n${fullName}`;
}

function nameOf({ ancestorTitles, title }: VitestFile['assertionResults'][number]): string {
  return [...ancestorTitles, title].join(' > ');
}

/** In the order of the report. */
export function failedCases({ testResults }: VitestReport): readonly FailedCase[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map((one) => {
        const reason = (one.failureMessages?.[0] ?? 'no reason given').split('\n')[0] as string;
        return { file: name, fullName: nameOf(one), reason };
      }),
  );
}

/** The cases to ask again; none where too many failed, or a file failed outside of its cases. */
export function worthAsking(report: VitestReport): readonly FailedCase[] {
  const failed = failedCases(report);
  const hasBrokenFile = report.testResults.some(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
  );
  return hasBrokenFile || failed.length > MAX_CASES ? [] : failed;
}

/** Arguments for Vitest that choose these cases. */
export function choose(cases: readonly FailedCase[]): readonly string[] {
  const names = cases.map(({ fullName }) => fullName.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  const files = new Set(cases.map(({ file }) => file));
  return [...files, `--testNamePattern=^(${names.join('|')})$`];
}

/** Those of `failed` that the report of the second try has as passed. */
export function passedAgain(
  failed: readonly FailedCase[],
  second: VitestReport | undefined,
): readonly FailedCase[] {
  const passed = new Set(
    second?.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'passed')
        .map((one) => key({ file: name, fullName: nameOf(one) })),
    ),
  );
  return failed.filter((one) => passed.has(key(one)));
}

/** One line for who looks into it. */
export function caseText({ file, fullName, reason }: FailedCase): string {
  return `${path.basename(file)} > ${fullName}: ${reason}`;
}

/** Counts of a run whose cases `again` passed at their second try. */
export function withSecondTry(counts: Counts, again: readonly FailedCase[]): Counts {
  return {
    ...counts,
    passed: counts.passed + again.length,
    failed: counts.failed - again.length,
    unsteady: again.map(caseText),
  };
}

/** What Playwright writes with `--reporter=json`, as far as it is read here. */
export interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly flaky: number;
    readonly unexpected: number;
    readonly skipped: number;
  };
  readonly suites: readonly PlaywrightSuite[];
}

interface PlaywrightSuite {
  readonly file: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: string;
      readonly results: readonly { readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

/** Cases that Playwright has run twice, and that passed the second time. */
export function unsteadyInPlaywright(suites: readonly PlaywrightSuite[]): readonly FailedCase[] {
  return suites.flatMap(({ file, specs, suites: inner = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status === 'flaky')
        .map(({ results }) => {
          const message = results.find(({ error }) => error !== undefined)?.error?.message;
          return { file, fullName: title, reason: (message ?? 'no reason given').split('\n')[0] as string };
        }),
    ),
    ...unsteadyInPlaywright(inner),
  ]);
}
