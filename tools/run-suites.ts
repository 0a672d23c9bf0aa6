// Runs test suites and ends with one line `N passed, N failed, N skipped` over all of them. `tools/test.mjs` installs
// what is needed and then calls this: `[--long] [names]`, where no name means all suites of `npm test`, and `--long`
// those of tools/suites/long-suites.ts. `--list` lists them.

import { mkdirSync, rmSync } from 'node:fs';
import os from 'node:os';

import { say } from './bootstrap.mjs';
import { longSuites } from './suites/long-suites.ts';
import { quickSuites } from './suites/quick-suites.ts';
import { openSuiteShell } from './suites/suite-process.ts';
import { SuiteRunner } from './suites/suite-runner.ts';
import type { Suite } from './suites/suite.ts';
import { countsText, sum } from './suites/suite.ts';
import { reports } from './suites/test-programs.ts';

const PROGRESS_INTERVAL_MS = 60_000;

function chosenSuites(names: readonly string[], isLong: boolean, cores: number): readonly Suite[] {
  const [quick, long] = [quickSuites(cores), longSuites()];
  if (names.length === 0) return isLong ? long : quick;
  return names.map((name) => {
    const suite = [...quick, ...long].find((known) => known.name === name);
    // One that is alone has the machine.
    if (suite !== undefined) return names.length === 1 ? { ...suite, cores } : suite;
    throw new Error(
      `unknown suite ${name}; there are ${[...quick, ...long].map((known) => known.name).join(', ')}`,
    );
  });
}

function list(cores: number): void {
  for (const { name, checks, usualSeconds } of [...quickSuites(cores), ...longSuites()]) {
    process.stdout.write(`${name.padEnd(14)} ${`${usualSeconds} s`.padStart(6)}  ${checks}\n`);
  }
}

async function main(args: readonly string[]): Promise<void> {
  const cores = os.availableParallelism();
  if (args.includes('--list')) {
    list(cores);
    return;
  }
  const names = args.filter((arg) => !arg.startsWith('--'));
  const suites = chosenSuites(names, args.includes('--long'), cores);
  if (names.length === 0 && !args.includes('--long')) rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const runner = new SuiteRunner({
    suites,
    cores,
    nowMs: () => performance.now(),
    say,
    openShell: ({ name }, granted) =>
      openSuiteShell({ name, cores: granted, logFolder: reports, isShown: suites.length === 1, say }),
  });
  const timer = setInterval(() => {
    const line = runner.progress();
    if (line !== undefined) say(line);
  }, PROGRESS_INTERVAL_MS);
  const results = await runner.run().finally(() => clearInterval(timer));
  const total = sum(results.map(({ counts }) => counts));
  process.exitCode = total.failed === 0 ? 0 : 1;
  for (const line of total.unsteady ?? []) say(`passed at its second try: ${line}`);
  process.stdout.write(`${countsText(total)}\n`);
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  say(thrown instanceof Error ? thrown.message : String(thrown));
  process.stdout.write('0 passed, 1 failed, 0 skipped\n');
  process.exitCode = 1;
}
