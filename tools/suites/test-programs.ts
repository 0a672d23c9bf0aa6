// How the programs that suites are made of are run, and how what they report becomes counts.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { pinnedNode, root } from '../bootstrap.mjs';
import type { PlaywrightReport, VitestReport } from './second-try.ts';
import {
  caseText,
  choose,
  passedAgain,
  unsteadyInPlaywright,
  withSecondTry,
  worthAsking,
} from './second-try.ts';
import type { Counts, SuiteShell } from './suite.ts';
import { byExitCode, orFailed } from './suite.ts';

const END_TO_END_LIMIT_MS = 3_600_000;
export const reports = path.join(root, '.cache', 'test-reports');

/** Programs of the packages we install. */
const programs = {
  tsc: 'typescript/bin/tsc',
  oxlint: 'oxlint/bin/oxlint',
  oxfmt: 'oxfmt/bin/oxfmt',
  prettier: 'prettier/bin/prettier.cjs',
  knip: 'knip/bin/knip.js',
  vitest: 'vitest/vitest.mjs',
  playwright: '@playwright/test/cli.js',
};

/** What surrounds a program. */
interface Surroundings {
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** A command that runs the program, with its arguments; empty = none. */
  readonly before?: readonly string[];
}

/** Resolves with its exit code. */
export function runProgram(
  shell: SuiteShell,
  program: keyof typeof programs,
  args: readonly string[],
  { environment, before = [] }: Surroundings = {},
): Promise<number> {
  const file = path.join(root, 'node_modules', programs[program]);
  const [command = pinnedNode(), ...rest] = [...before, pinnedNode(), file, ...args];
  return shell.run(command, rest, environment);
}

/** What a program wrote to `<name>.json` among the reports; undefined when it wrote nothing. */
export async function readReport<Report>(name: string): Promise<Report | undefined> {
  const file = path.join(reports, `${name}.json`);
  return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Report) : undefined;
}

/** How a run of Vitest differs from one of all tests of its projects. */
interface VitestRun {
  /** Only test files whose path contains one of these. */
  readonly files?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Its tests wait for other processes more than they compute. */
  readonly waits?: boolean;
}

/** Workers for tests that wait more than they compute: twice the cores of their suite, of those that the machine has. */
function waitingWorkers({ cores }: SuiteShell): number {
  return Math.min(2 * cores, os.availableParallelism());
}

/** Tests of these projects of vitest.config.ts. */
export async function vitest(
  shell: SuiteShell,
  name: string,
  projects: readonly string[],
  { files = [], environment, waits = false }: VitestRun = {},
): Promise<Counts> {
  const ask = (reportName: string, workers: number, chosen: readonly string[]): Promise<number> => {
    const args = [
      'run',
      ...chosen,
      ...projects.flatMap((project) => ['--project', project]),
      `--maxWorkers=${workers}`,
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${path.join(reports, `${reportName}.json`)}`,
    ];
    return runProgram(shell, 'vitest', args, { environment });
  };
  const code = await ask(name, waits ? waitingWorkers(shell) : shell.cores, files);
  const report = await readReport<VitestReport>(name);
  if (report === undefined) return byExitCode(code === 0 ? 1 : code);
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  const failed = worthAsking(report);
  if (failed.length === 0) return orFailed(code, counts);
  const again = `${name}-again`;
  await ask(again, 1, choose(failed));
  return withSecondTry(counts, passedAgain(failed, await readReport<VitestReport>(again)));
}

/** A run of Playwright. */
export interface EndToEnd {
  /** As in playwright.config.ts. */
  readonly project: 'browser' | 'electron';
  /** Files or folders of tests; default all. */
  readonly only?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** A command that gives the tests their display; empty = they have one. */
  readonly before?: readonly string[];
}

/** The end-to-end tests in one shell. */
export async function playwright(
  shell: SuiteShell,
  name: string,
  { project, only = [], environment, before = [] }: EndToEnd,
): Promise<Counts> {
  const args = [
    'test',
    ...only,
    `--project=${project}`,
    `--workers=${waitingWorkers(shell)}`,
    '--retries=1',
    '--reporter=dot,json',
    // Ends in order, so that no app and no display is left behind.
    `--global-timeout=${END_TO_END_LIMIT_MS}`,
  ];
  const report = path.join(reports, `${name}.json`);
  const variables = {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    // What it translates of the tests is kept for the next run, and not among temporary files.
    PWTEST_CACHE_DIR: path.join(root, '.cache', 'playwright'),
  };
  const code = await runProgram(shell, 'playwright', args, { environment: variables, before });
  const found = await readReport<PlaywrightReport>(name);
  if (found === undefined) return byExitCode(code === 0 ? 1 : code);
  const { expected, flaky, unexpected, skipped } = found.stats;
  return orFailed(code, {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
    unsteady: unsteadyInPlaywright(found.suites).map(caseText),
  });
}
