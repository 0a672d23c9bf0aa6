// Names of files, in load calls and in configurations, cannot make the server open or run anything that is not the
// model's own: every form of a path, with and without links. Code that runs would write `ran`.
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { javascriptBackend } from '../backends/javascript/javascript-backend.ts';
import { OnnxruntimeBackend } from '../backends/onnxruntime/onnxruntime-backend.ts';
import { identityModel } from '../testing/onnx-test-models.ts';
import type { RepositoryFixture } from '../testing/repository-fixture.ts';
import { echoConfig, repositoryFixture } from '../testing/repository-fixture.ts';
import { FakeBackend } from '../testing/fake-backend.ts';
import type { RepositoryOptions } from './repository-options.ts';

const onnxruntime = new OnnxruntimeBackend({ maxWorkers: 1 });
let fixture: RepositoryFixture;

afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
});

afterAll(() => onnxruntime.close());

const IO = `input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 4 ] } ]
instance_group [ { kind: KIND_CPU count: 1 } ]`;
const JSON_IO = {
  input: [{ name: 'INPUT', data_type: 'TYPE_FP32', dims: [4] }],
  output: [{ name: 'OUTPUT', data_type: 'TYPE_FP32', dims: [4] }],
  instance_group: [{ kind: 'KIND_CPU', count: 1 }],
};

async function start(
  files: Record<string, string | Uint8Array>,
  options: Partial<RepositoryOptions> = {},
): Promise<void> {
  fixture = await repositoryFixture({
    files,
    backends: [javascriptBackend, onnxruntime, new FakeBackend()],
    options,
  });
}

/** Code that leaves a mark when it runs. */
const code = (): string =>
  `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(fixture.folder.at('ran'))}, '');
export const execute = () => [];`;
const hasRun = (): boolean => existsSync(fixture.folder.at('ran'));
/** Faults of reading a model are told in full by the log and the window; the load call gets one text for all. */
const pollFailure = (text: string): object =>
  expect.objectContaining({
    cause: expect.objectContaining({ message: expect.stringContaining(text) as string }) as object,
  }) as object;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('files of a load call without --allow-code-override', () => {
  beforeEach(() => start({}));

  const load = (file: string, config: object = {}): Promise<void> =>
    fixture.repository.load('m', {
      override: {
        configJson: JSON.stringify({ backend: 'javascript', ...JSON_IO, ...config }),
        files: new Map([
          [file, bytes(code())],
          ['1/other', new Uint8Array(1)],
        ]),
      },
    });

  it.each([
    '1/model.js',
    '1/model.js/',
    '1/model.js/.',
    '1/model.js//',
    '1/model.js/x/..',
    '1/x/../model.js',
    './1/model.mjs/',
    '1/model.cjs/.',
    '1/MODEL.JS',
    '1/model.js.',
    '1/model.js ',
    '1/model.js::$DATA',
    '1/model.py/',
    '1/libx.so.1/',
  ])('refuses %j as code', async (file) => {
    await expect(load(file)).rejects.toEqual(
      pollFailure('holds code that would run when the model is loaded'),
    );
    expect(hasRun()).toBe(false);
  });

  it.each([
    ['1/model', { default_model_filename: 'model' }],
    ['1/model.txt', { default_model_filename: 'model.txt' }],
    ['weights.bin', { default_model_filename: '../weights.bin' }],
  ])('refuses to run %j, whatever its name', async (file, config) => {
    await expect(load(file, config)).rejects.toThrow(
      "backend 'javascript' runs code of the model, and the files of 'm' came with the load call; " +
        "start the server with '--allow-code-override=true' to allow it",
    );
    expect(hasRun()).toBe(false);
  });

  it('refuses folders in folders without end', async () => {
    await expect(load(`${'a/'.repeat(2000)}x`)).rejects.toEqual(pollFailure('more than 64 folders deep'));
  });

  it.each(['../x', '/../x', '1/../../x', '', '.', '1/..', '1/\0'])(
    'keeps %j within the folder',
    async (file) => {
      await expect(load(file)).rejects.toEqual(pollFailure('must stay within model directory.'));
    },
  );
});

it('runs code of a load call where the server allows it', async () => {
  await start({}, { allowCodeOverride: true });
  await fixture.repository.load('m', {
    override: {
      configJson: JSON.stringify({ backend: 'javascript', ...JSON_IO, default_model_filename: 'main.mjs' }),
      files: new Map([['1/main.mjs', bytes(code())]]),
    },
  });
  expect(hasRun()).toBe(true);
});

describe('default_model_filename', () => {
  beforeEach(async () => {
    await start({
      'm/1/model.onnx': identityModel('FP32', [4]),
      'm/shared.onnx': identityModel('FP32', [4]),
      'm/1/sub/inner.onnx': identityModel('FP32', [4]),
      'outside.onnx': identityModel('FP32', [4]),
    });
    await writeFile(fixture.folder.at('outside.js'), code());
    await symlink('../../outside.js', fixture.folder.at('m/1/link.js'));
    await symlink('../../outside.onnx', fixture.folder.at('m/1/link.onnx'));
    await symlink('../..', fixture.folder.at('m/1/up'));
  });

  const load = (backend: string, name: string): Promise<void> =>
    fixture.repository.load('m', {
      override: { configJson: JSON.stringify({ backend, ...JSON_IO, default_model_filename: name }) },
    });

  it.each([
    '../../outside.js',
    '../../../outside.js',
    'sub/../../../outside.js',
    'link.js',
    'up/outside.js',
    './up/./outside.js',
  ])('%j runs nothing outside of the model', async (name) => {
    await expect(load('javascript', name)).rejects.toThrow(
      `default_model_filename '${name}' of model 'm' leads out of '${fixture.folder.at('m')}'`,
    );
    expect(hasRun()).toBe(false);
  });

  it.each(['../../outside.onnx', 'link.onnx', 'up/outside.onnx', 'up'])(
    '%j opens no model outside of the folder',
    async (name) => {
      await expect(load('onnxruntime', name)).rejects.toThrow("of model 'm' leads out of");
    },
  );

  it('takes an absolute name for one below the version folder, as Triton does', async () => {
    await expect(load('onnxruntime', fixture.folder.at('outside.onnx'))).rejects.toThrow(
      `failed to stat file ${fixture.folder.at('m/1')}${fixture.folder.at('outside.onnx')}`,
    );
  });

  it.each(['model.onnx', './model.onnx', 'sub/inner.onnx', '../shared.onnx', '.'])(
    'serves %j of its own folder',
    async (name) => {
      await load('onnxruntime', name);
      expect(fixture.repository.find('m', -1).version).toBe('1');
    },
  );

  it('serves a model file that its owner linked, and a version folder that is a link', async () => {
    await mkdir(fixture.folder.at('releases/a'), { recursive: true });
    await fixture.folder.write({ 'releases/a/net.onnx': identityModel('FP32', [4]) });
    await fixture.folder.write({ 'linked/config.pbtxt': `backend: "onnxruntime"\n${IO}`, 'linked/1/': '' });
    await symlink('../../outside.onnx', fixture.folder.at('linked/1/model.onnx'));
    await fixture.repository.load('linked');
    await fixture.folder.write({
      'released/config.pbtxt': `backend: "onnxruntime"\ndefault_model_filename: "net.onnx"\n${IO}`,
    });
    await symlink(fixture.folder.at('releases/a'), fixture.folder.at('released/1'));
    await fixture.repository.load('released');
  });
});

describe('other files that a configuration names', () => {
  const load = (extra: string): Promise<void> => {
    const write = fixture.folder.write({ 'm/config.pbtxt': echoConfig(extra), 'm/1/': '' });
    return write.then(() => fixture.repository.load('m'));
  };
  const warmup = (file: string): string => `model_warmup [ { name: "w" batch_size: 1 inputs { key: "INPUT0"
    value: { data_type: TYPE_FP32 dims: [ 4 ] input_data_file: "${file}" } } } ]`;
  const state = (file: string): string => `sequence_batching { state [ { input_name: "I" output_name: "O"
    data_type: TYPE_FP32 dims: [ 4 ] initial_state: { data_type: TYPE_FP32 dims: [ 4 ] name: "s" data_file: "${file}" } } ] }`;

  beforeEach(async () => {
    await start({ 'data.bin': new Uint8Array(16), 'm/warmup/': '', 'm/initial_state/': '' });
    await symlink('../../data.bin', fixture.folder.at('m/warmup/link'));
    await symlink('../../data.bin', fixture.folder.at('m/initial_state/link'));
  });

  it.each([
    ['cc_model_filenames', `cc_model_filenames { key: "7.5" value: "../../data.bin" }`],
    ['input_data_file', warmup('../../data.bin')],
    ['input_data_file by a link', warmup('link')],
    ['input_data_file within the model', warmup('../config.pbtxt')],
    ['data_file', state('../../data.bin')],
    ['data_file by a link', state('link')],
  ])('%s stays in its folder', async (_what, extra) => {
    await expect(load(extra)).rejects.toThrow("of model 'm' leads out of");
  });

  it.each(['MD5:../data.bin', 'MD5:warmup/link'])('checksum of %j tells nothing', async (key) => {
    const agent = `model_repository_agents { agents [ { name: "checksum" parameters { key: "${key}" value: "0" } } ] }`;
    await expect(load(agent)).rejects.toEqual(pollFailure("it leads out of the model's folder"));
  });
});
