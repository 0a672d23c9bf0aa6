// What `conch check` and a hand-over find in folders: which folder is a model, what cannot be read, and what an ensemble
// says of the models beside it.

import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { Disposer } from '../base/disposer.ts';
import { createBackends } from '../engine-backends.ts';
import { defaultEngineOptions } from '../options/engine-options.ts';
import { identityModel } from '../testing/onnx-test-models.ts';
import { repositoryOfTest } from '../testing/repository-of-test.ts';
import type { RepositoryFiles } from '../testing/temp-repository.ts';
import type { CheckedModel, CheckOptions } from './check-model.ts';
import { checkModel } from './check-model.ts';
import { checkFolder, checkFolders } from './check-repository.ts';

const owned = new Disposer();
const OPTIONS: CheckOptions = {
  modelConfigName: '',
  isStrict: false,
  backends: createBackends(defaultEngineOptions.backends, [], owned).registry,
};
async function check(
  files: RepositoryFiles,
  options: Partial<CheckOptions> = {},
): Promise<readonly CheckedModel[]> {
  return checkFolder((await repositoryOfTest(files)).path, { ...OPTIONS, ...options });
}

const names = (models: readonly CheckedModel[]): readonly string[] => models.map(({ name }) => name);
const errorsOf = ({ findings }: CheckedModel): readonly string[] =>
  findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
const allErrors = (models: readonly CheckedModel[]): readonly string[] => models.flatMap(errorsOf);

const SOUND = `backend: "identity" max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 1 ] } ]`;
const model = (name: string): RepositoryFiles => ({ [`${name}/config.pbtxt`]: SOUND, [`${name}/1/`]: '' });
const ensemble = (step: string): RepositoryFiles => ({
  'e/1/': '',
  'e/config.pbtxt': `platform: "ensemble" max_batch_size: 8
input [ { name: "IN" data_type: TYPE_INT32 dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] } ]
ensemble_scheduling { step [ { model_name: "${step}" model_version: -1
  input_map { key: "INPUT0" value: "IN" } output_map { key: "OUTPUT0" value: "OUT" } } ] }`,
});

describe('which folder is a model', () => {
  test('one with a configuration, or with version folders alone', async () => {
    const repository = await repositoryOfTest({
      ...model('m'),
      'bare/1/model.onnx': identityModel('FP32', [4]),
    });
    expect(names(await checkFolder(repository.at('m'), OPTIONS))).toEqual(['m']);
    const [bare] = await checkFolder(repository.at('bare'), OPTIONS);
    expect(bare).toMatchObject({ name: 'bare', versions: [1], findings: [] });
    expect(bare?.config.input).toHaveLength(1);
  });

  test('models that are named by numbers do not make their repository a model', async () => {
    const models = await check({ ...model('42'), ...model('other') });
    expect(names(models)).toEqual(['42', 'other']);
    expect(allErrors(models)).toEqual([]);
    expect(names(await check({ ...model('1'), ...model('2') }))).toEqual(['1', '2']);
  });

  test('links to models count, those to nothing do not', async () => {
    const repository = await repositoryOfTest({ ...model('m'), 'repository/': '' });
    await symlink(repository.at('m'), repository.at('repository/linked'));
    await symlink(repository.at('nowhere'), repository.at('repository/dead'));
    expect(names(await checkFolder(repository.at('repository'), OPTIONS))).toEqual(['linked']);
  });

  test('a path that is none, and a file', async () => {
    const repository = await repositoryOfTest({ file: '' });
    await expect(checkFolder(repository.at('none'), OPTIONS)).rejects.toThrow('none');
    await expect(checkFolder(repository.at('file'), OPTIONS)).rejects.toThrow('is not a folder');
  });
});

describe('what cannot be read is a finding, and the others are checked', () => {
  test('a pipe in the place of a configuration', async () => {
    const repository = await repositoryOfTest({ ...model('good'), 'pipe/1/': '' });
    execFileSync('mkfifo', [repository.at('pipe/config.pbtxt')]);
    const [good, pipe] = await checkFolder(repository.path, OPTIONS);
    expect(good?.findings).toEqual([]);
    expect(pipe?.findings).toEqual([
      expect.objectContaining({
        severity: 'error',
        file: repository.at('pipe/config.pbtxt'),
        message: expect.stringContaining('named pipe') as string,
      }),
    ]);
  });

  test('a configuration that a server refuses by its size', async () => {
    const models = await check({
      ...model('good'),
      'long/config.pbtxt': `${SOUND}\n# ${'x'.repeat(16 * 1024 * 1024)}`,
      'long/1/': '',
    });
    expect(models.map(errorsOf)).toEqual([[], [expect.stringContaining('16777216')]]);
  });

  test('a folder that is gone when its turn comes', async () => {
    const repository = await repositoryOfTest(model('m'));
    const location = { repository: repository.path, name: 'gone', path: repository.at('gone') };
    const gone = await checkModel(location, OPTIONS);
    expect(gone).toMatchObject({ name: 'gone', versions: [], config: { name: 'gone' } });
    expect(gone.findings).toMatchObject([{ severity: 'error', file: repository.at('gone') }]);
  });

  test('a version folder without the file that its backend loads', async () => {
    const io = SOUND.replace('backend: "identity"', '');
    const models = await check({
      'js/config.pbtxt': `backend: "javascript" ${io}`,
      'js/1/': '',
      'js_ts/config.pbtxt': `backend: "javascript" ${io}`,
      'js_ts/1/model.ts': '',
      'named/config.pbtxt': `backend: "python" default_model_filename: "main.py" ${io}`,
      'named/1/model.py': '',
      'py/config.pbtxt': `backend: "python" ${io}`,
      'py/1/modle.py': '',
      'pt/config.pbtxt': `platform: "pytorch_libtorch" ${io}`,
      'pt/1/model.pt2': '',
      'pt_code/config.pbtxt': `backend: "pytorch" runtime: "model.py" ${io}`,
      'pt_code/1/model.py': '',
    });
    const found = Object.fromEntries(models.map((each) => [each.name, errorsOf(each)]));
    expect(found).toEqual({
      js: [expect.stringContaining('looked for model.js, model.mjs, model.cjs, model.ts')],
      js_ts: [],
      named: [expect.stringMatching(/named[/\\]1', looked for main\.py$/)],
      py: [expect.stringMatching(/py[/\\]1', looked for model\.py$/)],
      pt: [expect.stringMatching(/pt[/\\]1', looked for model\.pt$/)],
      pt_code: [],
    });
    expect(models.find(({ name }) => name === 'py')?.findings).toMatchObject([
      {
        file: expect.stringMatching(/py[/\\]1$/) as string,
        hint: expect.stringContaining('into 1/') as string,
      },
    ]);
  });

  test('a parameter that is no number is told once, with its place', async () => {
    const [model] = await check({
      'm/config.pbtxt': 'parameters { key: "intra_op_thread_count" value { string_value: "two" } }',
      'm/1/model.onnx': identityModel('FP32', [4]),
    });
    expect(model?.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      { message: "failed to convert 'two' to integral number", code: 'D43', line: 1 },
    ]);
  });

  test('a model file that is none', async () => {
    const models = await check({ ...model('good'), 'm/1/model.onnx': 'no model' });
    expect(models[1]?.findings).toMatchObject([{ severity: 'error' }]);
    expect(models[1]?.findings[0]?.file).toMatch(/m[/\\]1[/\\]model\.onnx$/);
    expect(models[0]?.findings).toEqual([]);
  });
});

describe('a configuration', () => {
  test('the profile of the option is taken where it is there', async () => {
    const files = {
      ...model('m'),
      'm/configs/tuned.pbtxt': `${SOUND} parameters { key: "a" }`,
      ...model('n'),
    };
    const [m, n] = await check(files, { modelConfigName: 'tuned' });
    expect(m?.configPath).toContain(path.join('configs', 'tuned.pbtxt'));
    expect(n?.configPath).toContain('config.pbtxt');
    expect(allErrors([m, n].filter((found) => found !== undefined))).toEqual([]);
  });

  test('has to be complete by itself where completion is off', async () => {
    const files = {
      'm/1/model.onnx': identityModel('FP32', [4]),
      'm/config.pbtxt': 'backend: "onnxruntime"',
    };
    expect(allErrors(await check(files))).toEqual([]);
    expect(allErrors(await check(files, { isStrict: true }))).not.toEqual([]);
  });

  test('a fault of its text is told once, at its place, and nothing that would follow from it', async () => {
    const [m] = await check({ 'm/1/': '', 'm/config.pbtxt': SOUND.replace('[ 1 ]', '[ "1" ]') });
    expect(m?.findings).toMatchObject([{ severity: 'error', line: 2, column: 56 }]);
  });

  test('the place of a field is that in the text, or of what is around it', async () => {
    const [m] = await check(model('m'));
    expect(m?.placeOf('input[0].dims')).toMatchObject({ line: 2, column: 48 });
    expect(m?.placeOf('input[0].reshape.shape')).toMatchObject({ line: 2, column: 9 });
    expect(m?.placeOf('optimization.graph')).toMatchObject({ line: 0, column: 0 });
  });
});

describe('an ensemble', () => {
  test('finds its models beside it', async () => {
    const models = await check({ ...ensemble('m'), ...model('m') });
    expect(allErrors(models)).toEqual([]);
  });

  test('tells why a model beside it is no use', async () => {
    const broken = { 'm/1/': '', 'm/config.pbtxt': SOUND.replace('8', '-3') };
    const [e] = await check({ ...ensemble('m'), ...broken });
    expect(allErrors(e === undefined ? [] : [e])).toEqual([
      expect.stringMatching(/'e' depends on 'm' which is not valid.*'max_batch_size' must be non-negative/),
    ]);
  });

  test('finds it in another repository that the same server serves, unless two have it', async () => {
    const first = await repositoryOfTest(ensemble('m'));
    const second = await repositoryOfTest(model('m'));
    const third = await repositoryOfTest(model('m'));
    const [found = []] = await checkFolders([first.path, second.path], OPTIONS);
    expect(allErrors(found)).toEqual([]);
    const [twice = []] = await checkFolders([first.path, second.path, third.path], OPTIONS);
    expect(allErrors(twice)).toEqual([expect.stringContaining('not available or ambiguous: m')]);
  });

  test('is not told that a model is missing which may lie where nobody looks', async () => {
    const { path: folder } = await repositoryOfTest(ensemble('m'));
    const [unseen = []] = await checkFolders([folder], OPTIONS, { hasOthers: true });
    expect(allErrors(unseen)).toEqual([]);
    expect(allErrors(await checkFolder(path.join(folder, 'e'), OPTIONS))).toEqual([]);
  });

  test('does not fit its model', async () => {
    const [e] = await check({
      ...ensemble('m'),
      'm/1/': '',
      'm/config.pbtxt': SOUND.replaceAll('INT32', 'FP32'),
    });
    expect(e?.findings).toMatchObject([{ severity: 'error' }, { severity: 'error' }]);
  });
});

test('a check that was cancelled stops before the next model', async () => {
  const { path: folder } = await repositoryOfTest(model('m'));
  const checking = checkFolders([folder], OPTIONS, { signal: AbortSignal.abort(new Error('cancelled')) });
  await expect(checking).rejects.toThrow('cancelled');
});
