// The Python that tests of Python models run on: the one in `.cache/python`, the one that `.ci/prepare` makes in the
// user's cache, else the first python3 of the system that has what is needed. Suites that need one are skipped, and say
// so, where there is none.

import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

const CANDIDATES = [
  path.resolve(import.meta.dirname, '../../.cache/python/bin/python3'),
  path.join(os.homedir(), '.cache/conch-frameworks/bin/python3'),
  'python3',
  '/usr/bin/python3',
  path.join(os.homedir(), '.cache/conch-transformers/bin/python3'),
];

function firstWith(module: string): string | undefined {
  const look = `import importlib.util, sys; sys.exit(importlib.util.find_spec('${module.split('.')[0]}') is None)`;
  const code = module.includes('.') ? `import ${module}` : look;
  return CANDIDATES.find((program) => spawnSync(program, ['-c', code]).status === 0);
}

const found = new Map<string, string | undefined>();

/** Path of a Python with the module; undefined when this machine has none. */
export function testPython(module = 'numpy'): string | undefined {
  if (!found.has(module)) found.set(module, firstWith(module));
  return found.get(module);
}

/** Name for a suite that is skipped without a Python that has the module. */
export function needsPython(title: string, module = 'numpy'): string {
  return testPython(module) === undefined ? `${title} (skipped: no python3 with ${module})` : title;
}
