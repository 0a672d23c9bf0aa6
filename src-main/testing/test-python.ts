// The Python that tests of Python models run on: the one `.ci/run` makes in `.cache/python`, else the first python3 of
// the system that has numpy. Suites that need one are skipped, and say so, where there is none.

import { spawnSync } from 'node:child_process';
import path from 'node:path';

const CANDIDATES = [path.resolve(import.meta.dirname, '../../.cache/python/bin/python3'), 'python3'];

function firstWith(module: string): string | undefined {
  return CANDIDATES.find((program) => spawnSync(program, ['-c', `import ${module}`]).status === 0);
}

let found: { readonly program: string | undefined } | undefined;

/** Path of a Python with numpy; undefined when this machine has none. */
export function testPython(): string | undefined {
  found ??= { program: firstWith('numpy') };
  return found.program;
}

/** Name for a suite that is skipped without Python. */
export function needsPython(title: string): string {
  return testPython() === undefined ? `${title} (skipped: no python3 with numpy)` : title;
}
