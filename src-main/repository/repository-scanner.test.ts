// The scanner reads what is there, blames single models for their own mistakes, and copes with links and many folders.
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TempRepository } from '../testing/temp-repository.ts';
import { isModelModified, isVersionModified } from './modification-times.ts';
import type { ModelFolder } from './model-folder.ts';
import {
  checkRepositoryPath,
  listModelFolders,
  locateModel,
  scanRepositories,
} from './repository-scanner.ts';

let repository: TempRepository;
beforeEach(async () => {
  repository = await TempRepository.create();
});
afterEach(() => repository.close());

async function scanOne(name: string, modelConfigName = ''): Promise<ModelFolder> {
  const snapshot = await scanRepositories([repository.path], { modelConfigName });
  const scanned = snapshot.models.get(name)?.[0];
  if (scanned === undefined || !('folder' in scanned)) throw new Error(`${name} was not scanned`);
  return scanned.folder;
}

describe('scanRepositories', () => {
  it('takes every folder for a model, hidden ones too, and ignores plain files', async () => {
    await repository.write({ 'b/1/': '', 'a/1/': '', '.hidden/1/': '', 'README.md': 'x' });
    const found = await listModelFolders(repository.path);
    expect(found.map(({ name }) => name)).toEqual(['.hidden', 'a', 'b']);
  });

  it('sorts versions by number and warns about folders that are none', async () => {
    await repository.write({
      'm/10/': '',
      'm/9/': '',
      'm/0/': '',
      'm/003/': '',
      'm/abc/': '',
      'm/1abc/': '',
      'm/warmup/': '',
      'm/configs/': '',
    });
    const folder = await scanOne('m');
    expect(folder.versions).toEqual([0, 9, 10]);
    expect(folder.ignoredVersions.map(({ warning }) => warning)).toEqual([
      "ignore version directory '003' which contains leading zeros in its directory name",
      "ignore version directory '1abc' which fails to convert to integral number",
      "ignore version directory 'abc' which fails to convert to integral number",
    ]);
  });

  it('says where a model file without version folder belongs', async () => {
    await repository.write({ 'm/model.onnx': 'x' });
    const folder = await scanOne('m');
    expect(folder.problems).toEqual([
      `'model.onnx' lies in ${repository.at('m')} itself; it belongs in a version folder: ${repository.at('m')}/1/model.onnx`,
    ]);
  });

  it('says which folder is the repository where that of a model is named', async () => {
    await repository.write({ '1/model.py': 'x', 'config.pbtxt': '' });
    const folder = await scanOne('1');
    expect(folder.problems).toEqual([
      `'model.py' lies in ${repository.at('1')}, which looks like a version folder: then ${repository.path} is the folder of one model, and the repository to name is the folder that holds it, ${path.dirname(repository.path)}`,
    ]);
  });

  it('picks the alternate configuration only where it exists', async () => {
    await repository.write({
      'a/config.pbtxt': '',
      'a/configs/custom.pbtxt': '',
      'b/config.pbtxt': '',
      'c/1/': '',
    });
    expect((await scanOne('a', 'custom')).configPath).toBe(repository.at('a', 'configs', 'custom.pbtxt'));
    expect((await scanOne('a', 'custom')).configEntry).toBe('configs');
    expect((await scanOne('b', 'custom')).configPath).toBe(repository.at('b', 'config.pbtxt'));
    expect((await scanOne('c', 'custom')).configPath).toBeUndefined();
  });

  it('cuts a link that leads back into its own folder', async () => {
    await repository.write({ 'm/1/model.onnx': 'x' });
    await symlink(repository.at('m'), repository.at('m', '1', 'loop'));
    await symlink(repository.at('nowhere'), repository.at('m', 'dangling'));
    const folder = await scanOne('m');
    expect(folder.problems).toEqual([
      `${repository.at('m', '1', 'loop')} is a link to one of the folders it lies in; what lies behind it is ignored`,
    ]);
    expect(folder.versions).toEqual([1]);
  });

  it('does not walk a disk or a repository that something inside a model links to', async () => {
    await repository.write({ 'm/1/model.onnx': 'x', 'real/1/model.onnx': 'x' });
    await symlink('/', repository.at('m', 'labels.txt'));
    await symlink(repository.path, repository.at('m', '1', 'all'));
    await symlink(repository.at('real', '1'), repository.at('m', '2'));
    const folder = await scanOne('m');
    expect(folder.problems).toEqual(
      ['1/all', 'labels.txt'].map(
        (link) =>
          `${repository.at('m', link)} is a link to one of the folders it lies in; what lies behind it is ignored`,
      ),
    );
    expect(folder.versions).toEqual([1, 2]);
  });

  it('follows a linked model folder', async () => {
    await repository.write({ 'real/1/model.onnx': 'x' });
    await symlink(repository.at('real'), repository.at('link'));
    expect((await scanOne('link')).versions).toEqual([1]);
  });

  it('reports a repository that cannot be listed and reads the others', async () => {
    await repository.write({ 'm/1/': '' });
    const snapshot = await scanRepositories([repository.at('gone'), repository.path], {
      modelConfigName: '',
    });
    expect([...snapshot.unreadable.keys()]).toEqual([repository.at('gone')]);
    expect([...snapshot.models.keys()]).toEqual(['m']);
  });

  it('lists a name found in two repositories twice', async () => {
    await repository.write({ 'x/m/1/': '', 'y/m/1/': '' });
    const snapshot = await scanRepositories([repository.at('x'), repository.at('y')], {
      modelConfigName: '',
    });
    expect(snapshot.models.get('m')).toHaveLength(2);
  });

  it('reads thousands of folders while timers keep firing', async () => {
    const count = 2000;
    for (let at = 0; at < count; at += 100) {
      await Promise.all(
        Array.from({ length: 100 }, (_, offset) =>
          mkdir(repository.at(`m${at + offset}`, '1'), { recursive: true }),
        ),
      );
    }
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 5);
    const snapshot = await scanRepositories([repository.path], { modelConfigName: '' });
    clearInterval(ticking);
    expect(snapshot.models.size).toBe(count);
    expect(ticks).toBeGreaterThan(3);
  });
});

describe('locateModel', () => {
  it('finds nothing for names that are paths', async () => {
    await repository.write({ 'm/1/': '' });
    for (const name of ['', '.', '..', 'm/1', '../x', 'm\\1']) {
      expect(await locateModel([repository.path], name)).toEqual([]);
    }
    expect(await locateModel([repository.path], 'm')).toHaveLength(1);
  });
});

describe('checkRepositoryPath', () => {
  it('uses the reference texts', async () => {
    await repository.write({ file: 'x' });
    await expect(checkRepositoryPath(repository.at('none'))).rejects.toMatchObject({
      code: 'INTERNAL',
      message: `failed to stat file ${repository.at('none')}`,
    });
    await expect(checkRepositoryPath(repository.at('file'))).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message: 'repository path is not a valid directory',
    });
  });
});

describe('modification times', () => {
  const rows: readonly [touched: string, model: boolean, version1: boolean, version2: boolean][] = [
    ['m/config.pbtxt', true, false, false],
    ['m/1/model.onnx', true, true, false],
    ['m/labels.txt', true, true, true],
    ['m/warmup/data', true, true, true],
    ['m', true, false, false],
  ];
  it.each(rows)('%s: model %s, version 1 %s, version 2 %s', async (touched, model, version1, version2) => {
    await repository.write({
      'm/config.pbtxt': '',
      'm/1/model.onnx': '',
      'm/2/model.onnx': '',
      'm/labels.txt': '',
      'm/warmup/data': '',
    });
    const before = await scanOne('m');
    await repository.touch(touched);
    const after = await scanOne('m');
    expect(isModelModified(before.times, after.times)).toBe(model);
    expect(isVersionModified(before, after, '1')).toBe(version1);
    expect(isVersionModified(before, after, '2')).toBe(version2);
    expect(isModelModified(after.times, after.times)).toBe(false);
  });
});
