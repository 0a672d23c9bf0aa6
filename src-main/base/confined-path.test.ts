import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confinedPath, normalizedPath } from './confined-path.ts';

let root: string;
let model: string;
let version: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'conch-confined-')));
  model = path.join(root, 'model');
  version = path.join(model, '1');
  await mkdir(path.join(version, 'sub'), { recursive: true });
  await writeFile(path.join(root, 'outside.js'), '');
  await writeFile(path.join(model, 'shared.js'), '');
  await symlink(path.join(root, 'outside.js'), path.join(version, 'link.js'));
  await symlink('../shared.js', path.join(version, 'inner.js'));
  await symlink(root, path.join(version, 'up'));
  await symlink('loop', path.join(version, 'loop'));
  await symlink(path.join(root, 'nowhere.js'), path.join(version, 'dangling.js'));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

const confined = (name: string): Promise<string | undefined> =>
  confinedPath(name, { base: version, within: [model] });

describe('a name that leads to a file', () => {
  it.each([
    ['model.js', '1/model.js'],
    ['sub/model.js', '1/sub/model.js'],
    ['model.js/', '1/model.js'],
    ['sub/../model.js', '1/model.js'],
    ['../shared.js', 'shared.js'],
    ['../../model/shared.js', 'shared.js'],
    ['/model.js', '1/model.js'],
    ['inner.js', '1/inner.js'],
    ['none/deeper/file', '1/none/deeper/file'],
    ['.', '1'],
  ])('%j stays within: %s', async (name, expected) => {
    expect(await confined(name)).toBe(path.join(model, expected));
  });

  it.each([
    `${'a/'.repeat(300)}x`,
    '../../outside.js',
    'sub/../../../outside.js',
    '..',
    '../..',
    'link.js',
    'up/outside.js',
    'up/none.js',
    'loop',
    'model.js\0.onnx',
  ])('%j leads out', async (name) => {
    const expected = name === '..' ? model : undefined;
    expect(await confined(name)).toBe(expected);
  });

  it('takes a dangling link for its own place, where nothing can be opened', async () => {
    expect(await confined('dangling.js')).toBe(path.join(version, 'dangling.js'));
  });

  it('is judged by its spelling alone where nothing is there yet', () => {
    const folder = { base: model, within: [model] };
    expect(normalizedPath('1/x/../model.js/.', folder)).toBe(path.join(version, 'model.js'));
    expect(normalizedPath('1/../../outside.js', folder)).toBeUndefined();
  });

  it('follows a version folder that is a link to a release elsewhere', async () => {
    const release = path.join(root, 'releases', 'a');
    await mkdir(release, { recursive: true });
    await symlink(release, path.join(model, '2'));
    const linked = path.join(model, '2');
    expect(await confinedPath('model.js', { base: linked, within: [model] })).toBeUndefined();
    expect(await confinedPath('model.js', { base: linked, within: [model], alsoResolved: [linked] })).toBe(
      path.join(linked, 'model.js'),
    );
  });
});
