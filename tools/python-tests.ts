// The tests of resources/python: pytest on a Python of this machine that has it beside numpy, else on one of our own
// with both from PyPI. Ends with the line that suites are counted by; says why where neither can be had.

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pythonEnvironment, runProgram } from './python-environment.ts';

const root = path.resolve(import.meta.dirname, '..');
/** Any numpy that the Python can have; a pytest that runs on every Python that models may use. */
const PACKAGES = ['pytest==8.4.2', 'numpy'];
const TESTS_LIMIT_MS = 300_000;

async function main(): Promise<number> {
  const python = firstWithBoth() ?? (await pythonEnvironment('venv-python-tests', PACKAGES));
  if (typeof python !== 'string' && 'missing' in python) {
    console.log(`the tests of resources/python are skipped: ${python.missing}`);
    console.log('0 passed, 0 failed, 1 skipped');
    return 0;
  }
  const program = typeof python === 'string' ? python : python.python;
  // Pytest keeps the folders of its last runs where all look for temporary files.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-python-tests-'));
  const options = ['-m', 'pytest', path.join(root, 'tests/python'), '-q', '-p', 'no:cacheprovider'];
  const kept = ['--basetemp', path.join(folder, 'pytest')];
  const { code, output } = await runProgram(program, [...options, ...kept, ...process.argv.slice(2)], {
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    limitMs: TESTS_LIMIT_MS,
    echo: true,
  });
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  const count = (what: string): number =>
    Number(new RegExp(String.raw`(\d+) ${what}`).exec(output.trim().split('\n').at(-1) ?? '')?.[1] ?? 0);
  const failed = count('failed') + count('errors?');
  console.log(`${count('passed')} passed, ${failed} failed, ${count('skipped')} skipped`);
  return code;
}

/** The environment of the test machine (`.ci/prepare`), else what `python3` is. */
function firstWithBoth(): string | undefined {
  const candidates = [path.join(os.homedir(), '.cache/conch-frameworks/bin/python3'), 'python3'];
  return candidates.find((program) => spawnSync(program, ['-c', 'import numpy, pytest']).status === 0);
}

process.exitCode = await main();
