// Follows docs/adding-a-backend.md in a copy of the project: the folder, the line, the model. Afterwards everything
// knows the new backend: wire, window, editor, documentation.

import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recipeBlocks } from './recipe-page.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(path.join(os.tmpdir(), 'conch-recipe-'));
  for (const part of [
    'src-main',
    'src-shared',
    'resources',
    'tools',
    'docs',
    'tests/recipes',
    'package.json',
  ]) {
    await cp(path.join(root, part), path.join(copy, part), { recursive: true });
  }
  for (const part of ['node_modules', '.prettierrc.json', 'tsconfig.base.json']) {
    await symlink(path.join(root, part), path.join(copy, part));
  }
  for (const { path: file, text } of recipeBlocks(path.join(root, 'docs/adding-a-backend.md'))) {
    const target = path.join(copy, file);
    await mkdir(path.dirname(target), { recursive: true });
    const exists = await stat(target).then(
      () => true,
      () => false,
    );
    await (exists ? appendFile(target, text) : writeFile(target, text));
  }
  await mkdir(path.join(copy, 'models/turned/1'));
}, 60_000);

afterAll(() => rm(copy, { recursive: true, force: true }));

it('gives a backend that is served, listed, offered and documented', async () => {
  const probe = path.join(copy, 'tests/recipes/backend-probe.ts');
  const { stdout } = await run(process.execPath, [probe, path.join(copy, 'models')], { cwd: copy });
  const known: unknown = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{') + 1));
  expect(known).toMatchObject({
    unloaded: { state: 'unloaded', reason: '', kind: 'reverse' },
    ready: 'ready',
    parameters: ['times'],
    answer: { model_name: 'turned', outputs: [{ name: 'OUTPUT', data: [4, 3, 2, 1] }] },
  });
  expect((known as { backends: string[] }).backends).toContain('reverse');
  await run(process.execPath, [path.join(copy, 'tools/build-proto.ts')], { cwd: copy });
  const page = await readFile(path.join(copy, 'docs/backends.md'), 'utf8');
  expect(page).toContain('`backend: "reverse"`. Turns the elements of INPUT (FP32) around.');
});
