import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { readSourceTree } from './source-tree.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'conch-tree-'));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function libraries(): readonly (string | undefined)[] {
  const cacheFile = path.join(root, 'cache.json');
  const { edges } = readSourceTree({ root, folders: ['.'], workers: {}, cacheFile });
  return edges.map(({ library }) => library);
}

test('what was read before is kept, until the file differs', () => {
  const file = path.join(root, 'a.ts');
  const time = new Date('2026-01-01');
  writeFileSync(file, "import 'node:fs';");
  utimesSync(file, time, time);
  expect(libraries()).toEqual(['node:fs']);

  // As long as before and as old: nobody looks.
  writeFileSync(file, "import 'node:os';");
  utimesSync(file, time, time);
  expect(libraries()).toEqual(['node:fs']);

  utimesSync(file, new Date(), new Date());
  expect(libraries()).toEqual(['node:os']);
});

test('generated files and declarations are left out', () => {
  writeFileSync(path.join(root, 'a.generated.js'), "import 'node:fs';");
  writeFileSync(path.join(root, 'a.d.ts'), "import 'node:fs';");
  expect(libraries()).toEqual([]);
});
