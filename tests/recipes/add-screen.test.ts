// Follows docs/adding-a-screen.md in a copy of the project: texts, screen, entry, test. The compiler and the rooms have
// nothing against it, and the test passes.

import { expect, it } from 'vitest';

import { ProjectCopy } from './project-copy.ts';

it('gives a screen that compiles, keeps to its room and passes its test', async () => {
  await using copy = await ProjectCopy.create([
    'src-main',
    'src-shared',
    'src-preload',
    'src-renderer',
    'tools',
    'package.json',
    'ARCHITECTURE.md',
  ]);
  await copy.follow('docs/adding-a-screen.md');

  await copy.run('node_modules/typescript/bin/tsc', '--build', '--singleThreaded', 'src-renderer');
  expect(await copy.run('tools/check-rooms.ts')).toContain('ok');
  await copy.run('node_modules/vitest/vitest.mjs', 'run', '--project=renderer', 'serving-view');
}, 600_000);
