// `npm test`: everything a change must pass, on a machine where nothing is installed yet. Runs all suites even when one
// fails, and ends with one line `N passed, N failed, N skipped` over all of them. `npm test -- unit types` runs those only.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { childEnvironment, ensureBuilt, ensureInstalled, pinnedNode, root, run, say } from './bootstrap.mjs';
import { electronOnDisk, hasDisplay } from './electron-binary.mjs';
import { findBrowser } from './find-browser.mjs';

const SUITE_LIMIT_MS = 600_000;
const reports = path.join(root, '.cache', 'test-reports');

function runNode(args, extra = {}) {
  return run(pinnedNode(), args, {
    env: childEnvironment(extra),
    timeout: SUITE_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
}

function modulePath(...names) {
  return path.join(root, 'node_modules', ...names);
}

/** A check without cases of its own counts as one. */
async function check(...args) {
  const code = await runNode(args);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

function readReport(name) {
  const file = path.join(reports, `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** A suite that ended badly without naming a failed case still failed. */
function counted(code, passed, failed, skipped) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped };
}

async function vitest(name, projects) {
  const code = await runNode([
    modulePath('vitest', 'vitest.mjs'),
    'run',
    ...projects.flatMap((project) => ['--project', project]),
    '--passWithNoTests',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${path.join(reports, `${name}.json`)}`,
  ]);
  const report = readReport(name);
  if (report === undefined) return counted(code, 0, 0, 0);
  const skipped = report.numPendingTests + report.numTodoTests;
  return counted(code, report.numPassedTests, report.numFailedTests, skipped);
}

/** The official Python clients against a running server; one skipped case where they cannot be installed. */
async function officialClients() {
  const code = await runNode(['tools/conformance-tritonclient.ts']);
  const report = readReport('tritonclient');
  if (report?.reason !== undefined) say(`the official Python clients are skipped: ${report.reason}`);
  return counted(code, report?.passed ?? 0, report?.failed ?? 0, report?.skipped ?? 0);
}

async function endToEnd() {
  await ensureBuilt();
  const browser = await findBrowser();
  if (browser.file === undefined) say(`end-to-end tests in a browser are skipped: ${browser.reason}`);
  const electron = hasDisplay() ? electronOnDisk() : undefined;
  const code = await runNode(
    [modulePath('@playwright', 'test', 'cli.js'), 'test', '--pass-with-no-tests', '--reporter=dot,json'],
    {
      CONCH_BROWSER: browser.file ?? '',
      CONCH_ELECTRON: electron ?? '',
      PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(reports, 'e2e.json'),
    },
  );
  const stats = readReport('e2e')?.stats;
  if (stats === undefined) return counted(code, 0, 0, 0);
  return counted(code, stats.expected + stats.flaky, stats.unexpected, stats.skipped);
}

const SUITES = {
  types: () => check(modulePath('typescript', 'bin', 'tsc'), '-b'),
  lint: () =>
    check(modulePath('eslint', 'bin', 'eslint.js'), '.', '--cache', '--cache-location', '.cache/eslint'),
  format: () =>
    check(
      modulePath('prettier', 'bin', 'prettier.cjs'),
      '--check',
      '--log-level=warn',
      '--cache',
      '--cache-location=.cache/prettier',
      '.',
    ),
  rooms: () => check('tools/check-rooms.ts'),
  docs: () => check('tools/check-docs.ts'),
  unused: () => check(modulePath('knip', 'bin', 'knip.js'), '--no-config-hints'),
  unit: () => vitest('unit', ['unit', 'renderer']),
  // The clients first: code that the window shows for them is run with what they install.
  conformance: async () => sum([await officialClients(), await vitest('conformance', ['conformance'])]),
  e2e: endToEnd,
};

function sum(results) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) for (const key of Object.keys(total)) total[key] += result[key];
  return total;
}

function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

async function runSuite(name) {
  const startedAt = Date.now();
  try {
    const result = await SUITES[name]();
    say(`${name}: ${line(result)} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
    return result;
  } catch (error) {
    say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

async function main() {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !Object.hasOwn(SUITES, name));
  if (unknown.length > 0)
    throw new Error(`unknown suite ${unknown[0]}; there are ${Object.keys(SUITES).join(', ')}`);
  await ensureInstalled();
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const results = [];
  for (const name of wanted.length > 0 ? wanted : Object.keys(SUITES)) results.push(await runSuite(name));
  const total = sum(results);
  process.exitCode = total.failed === 0 ? 0 : 1;
  process.stdout.write(`${line(total)}\n`);
}

try {
  await main();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.stdout.write('0 passed, 1 failed, 0 skipped\n');
  process.exitCode = 1;
}
