// Follows docs/adding-a-backend.md in a copy of the project: the folder, the line, the model. Afterwards everything
// knows the new backend: wire, window, editor, documentation.

import { mkdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

import { ProjectCopy } from './project-copy.ts';

it('gives a backend that is served, listed, offered and documented', async () => {
  await using copy = await ProjectCopy.create([
    'src-main',
    'src-shared',
    'resources',
    'tools',
    'docs',
    'tests/recipes',
    'package.json',
  ]);
  await copy.follow('docs/adding-a-backend.md');
  await mkdir(copy.at('models/turned/1'));

  const stdout = await copy.run('tests/recipes/backend-probe.ts', copy.at('models'));
  const known: unknown = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1));
  expect(known).toMatchObject({
    unloaded: { state: 'unloaded', kind: 'reverse' },
    ready: 'ready',
    parameters: ['times'],
    answer: { model_name: 'turned', outputs: [{ name: 'OUTPUT', data: [4, 3, 2, 1] }] },
  });
  expect(known).not.toHaveProperty('unloaded.reason');
  expect((known as { backends: string[] }).backends).toContain('reverse');
  await copy.run('tools/build-proto.ts');
  const page = await readFile(copy.at('docs/backends.md'), 'utf8');
  expect(page).toContain('`backend: "reverse"`. Turns the elements of INPUT (FP32) around.');
});
