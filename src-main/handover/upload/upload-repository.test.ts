// Uploads to a folder.

import { readFile, readdir, symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { TempRepository } from '../../testing/temp-repository.ts';
import { FolderTarget } from './folder-target.ts';
import { MANIFEST_FILE } from './upload-manifest.ts';
import type { UploadPlan } from './upload-plan.ts';
import { uploadRepository } from './upload-repository.ts';
import type { UploadTarget } from './upload-target.ts';

let repository: TempRepository;
let store: TempRepository;
beforeEach(async () => {
  repository = await TempRepository.create({
    'm/config.pbtxt': 'name: "m"',
    'm/1/model.onnx': 'one',
    'm/2/model.onnx': 'two',
    'm/labels.txt': 'a\nb',
    'ensemble/config.pbtxt': 'platform: "ensemble"',
    'ensemble/1/': '',
    '.git/HEAD': 'ref',
  });
  store = await TempRepository.create();
});
afterEach(async () => {
  await repository.close();
  await store.close();
});

const upload = (
  more: { readonly prune?: boolean; readonly isDry?: boolean } = {},
  target: UploadTarget = new FolderTarget(store.path),
): Promise<UploadPlan> =>
  uploadRepository(repository.path, store.path, target, {
    prune: false,
    isDry: false,
    signal: new AbortController().signal,
    ...more,
  });

const namesOf = ({ puts }: UploadPlan): readonly string[] => puts.map(({ name }) => name);

/** Fails at the object after `count` of them. */
class InterruptedTarget extends FolderTarget {
  #left: number;
  constructor(folder: string, count: number) {
    super(folder);
    this.#left = count;
  }

  override async put(...args: Parameters<FolderTarget['put']>) {
    this.#left -= 1;
    if (this.#left < 0) throw new Error('the line is cut');
    return await super.put(...args);
  }
}

test('new versions first, configurations last, hidden files not at all', async () => {
  const plan = await upload();
  expect(namesOf(plan)).toEqual([
    'ensemble/1/',
    'm/1/model.onnx',
    'm/2/model.onnx',
    'm/labels.txt',
    'ensemble/config.pbtxt',
    'm/config.pbtxt',
  ]);
  expect((await readdir(store.path, { recursive: true })).sort()).toEqual([
    'ensemble',
    'ensemble/1',
    'ensemble/config.pbtxt',
    'm',
    'm/1',
    'm/1/model.onnx',
    'm/2',
    'm/2/model.onnx',
    'm/config.pbtxt',
    'm/labels.txt',
  ]);
});

test('one file was changed, one object is written', async () => {
  await upload();
  expect(namesOf(await upload())).toEqual([]);
  await repository.write({ 'm/1/model.onnx': 'ONE' });
  const again = await upload();
  expect(namesOf(again)).toEqual(['m/1/model.onnx']);
  expect(again.keptCount).toBe(5);
  expect(await readFile(store.at('m/1/model.onnx'), 'utf8')).toBe('ONE');
});

test('a version that is new goes before what was changed', async () => {
  await upload();
  await repository.write({
    'm/1/model.onnx': 'ONE',
    'm/3/model.onnx': 'three',
    'm/config.pbtxt': 'name: "m" ',
  });
  expect(namesOf(await upload())).toEqual(['m/3/model.onnx', 'm/1/model.onnx', 'm/config.pbtxt']);
});

test.each([0, 1, 3, 5])('interrupted after %i objects and repeated', async (count) => {
  await expect(upload({}, new InterruptedTarget(store.path, count))).rejects.toThrow('the line is cut');
  const rest = await upload();
  expect(rest.puts.length).toBe(6 - count);
  expect(namesOf(rest).at(-1)).toBe('m/config.pbtxt');
  expect(await readFile(store.at('m/config.pbtxt'), 'utf8')).toBe('name: "m"');
  expect(namesOf(await upload())).toEqual([]);
});

test('what somebody else wrote there is written again', async () => {
  await upload();
  await store.write({ 'm/labels.txt': 'others' });
  expect(namesOf(await upload())).toEqual(['m/labels.txt']);
});

test('a list that cannot be read counts as none', async () => {
  await upload();
  await repository.write({ [MANIFEST_FILE]: '{"half' });
  expect((await upload()).puts.length).toBe(6);
});

test('nothing is removed unless it is asked for', async () => {
  await upload();
  await repository.remove('m/2');
  expect((await upload()).removals).toEqual([]);
  expect((await upload({ prune: true })).removals).toEqual(['m/2/model.onnx']);
  expect(await readdir(store.at('m/2'))).toEqual([]);
});

test('a dry run writes nothing', async () => {
  expect((await upload({ isDry: true })).puts.length).toBe(6);
  expect(await readdir(store.path)).toEqual([]);
});

describe('links', () => {
  test('inside the repository are followed', async () => {
    await symlink('../1/model.onnx', repository.at('m/2/copy.onnx'));
    await upload();
    expect(await readFile(store.at('m/2/copy.onnx'), 'utf8')).toBe('one');
  });

  test('that lead out are refused before anything is written', async () => {
    await symlink('/etc/hostname', repository.at('m/host'));
    await expect(upload()).rejects.toThrow(`the link '${repository.at('m/host')}' leads out`);
    expect(await readdir(store.path)).toEqual([]);
  });
});
