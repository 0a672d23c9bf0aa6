import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeBackend } from '../testing/fake-backend.ts';
import { modelConfig } from '../testing/tensors.ts';
import { BackendRegistry } from './backend-registry.ts';
import { modelFiles, type ModelFiles } from './model-files.ts';

let folder: string;
let files: ModelFiles;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-registry-'));
  files = modelFiles('m', path.join(folder, 'm'), '1');
  await mkdir(files.versionDir, { recursive: true });
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const fake = new FakeBackend('fake');
const torch = new FakeBackend('torch', { runtimes: ['model.py'] });
const choose = async (backend: string, runtime = ''): Promise<string> => {
  const registry = new BackendRegistry([fake, torch], {
    directory: path.join(folder, 'backends'),
    fromPython: (name) => new FakeBackend(name, { summary: 'out of the directory' }),
  });
  const chosen = await registry.choose(modelConfig({ name: 'm', backend, runtime }), files);
  return chosen.description.name;
};
const unknown = (backend: string): string =>
  `unable to find backend library for backend '${backend}', try specifying runtime on the model configuration.`;

describe('the backend of a model', () => {
  it('is found by its name, by the name of its library, by a runtime of its own', async () => {
    expect(await choose('fake')).toBe('fake');
    expect(await choose('fake', 'libtriton_fake.so')).toBe('fake');
    expect(await choose('fake', './libtriton_fake.so')).toBe('fake');
    expect(await choose('torch', 'model.py')).toBe('torch');
  });

  it.each(['nope', 'FAKE', '../fake', '/fake', 'fake/', '.', '..', 'fake/../fake', '__proto__', 'a\\b'])(
    'is not found by the name %j',
    async (name) => {
      await expect(choose(name)).rejects.toThrow(unknown(name));
    },
  );

  it('needs a name', async () => {
    await expect(choose('')).rejects.toThrow("must specify 'backend' for 'm'");
  });

  it.each(['../x/libtriton_fake.so', '..', 'x/../../y', '../fake2/libtriton_fake.so', 'a\0'])(
    'is not looked for at the runtime %j',
    async (runtime) => {
      await expect(choose('fake', runtime)).rejects.toThrow(
        `backend library name '${runtime}' escapes backend directory '${path.join(folder, 'backends/fake')}', ` +
          "for model 'm', check model config runtime field",
      );
    },
  );

  it.each(['libtriton_other.so', 'fake', '/tmp/x.so', 'sub/libtriton_fake.so', '__invalid_runtime__'])(
    'is not taken for the runtime %j',
    async (runtime) => {
      await expect(choose('fake', runtime)).rejects.toThrow(
        `unable to find backend library '${runtime}' for model 'm', searched: '${files.versionDir}' ` +
          `'${files.modelDir}' '${path.join(folder, 'backends/fake')}' `,
      );
    },
  );

  it('is not written in Python unless its folder says so', async () => {
    const script = path.join(folder, 'backends/fake/model.py');
    await expect(choose('fake', 'model.py')).rejects.toThrow(
      `unable to find Python backend based backend library 'model.py' for model 'm', searched: '${script}'`,
    );
    await mkdir(path.dirname(script), { recursive: true });
    await writeFile(script, '');
    expect(await choose('fake', 'model.py')).toBe('fake');
    await mkdir(path.join(folder, 'backends/mine'));
    await writeFile(path.join(folder, 'backends/mine/model.py'), '');
    expect(await choose('mine')).toBe('mine');
  });

  it.each([
    ['fake', '', 'libtriton_fake.so'],
    ['mine', '', 'libtriton_mine.so'],
    ['fake', 'libcustom.so', '1/libcustom.so'],
  ])('%s with runtime %j is refused when the model brings %s', async (backend, runtime, library) => {
    await writeFile(path.join(files.modelDir, library), '');
    await expect(choose(backend, runtime)).rejects.toThrow(
      `model 'm' comes with the native backend library '${path.join(files.modelDir, library)}'`,
    );
  });
});
