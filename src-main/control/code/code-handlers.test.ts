// The source files of models as the window edits them, and models made from templates, on real files.

import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CODE_TEMPLATES } from '../../../src-shared/contract/code-calls.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { playgroundRequest, startControlWorld, typedInput } from '../../testing/control-world.ts';
import { needsPython, testPython } from '../../testing/test-python.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld([]);
  await put('code/config.pbtxt', 'backend: "python"\n');
  await put('code/1/model.py', 'one = 1\n');
  await put('code/2/model.py', 'two = 2\n');
  await put('code/2/helpers.py', '');
  await put('code/2/weights.bin', '');
  await put('code/2/__pycache__/model.py', '');
  await world.client.call('repository/rescan', {});
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

async function put(name: string, text: string | Uint8Array): Promise<string> {
  const file = path.join(world.repositoryPath, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

const MODEL = 'code';
const read = (file: string) => world.client.call('code/read', { model: MODEL, file });
const write = (file: string, text: string, expectedHash: string | undefined) =>
  world.client.call('code/write', { model: MODEL, file, text, expectedHash });

describe('source files', () => {
  test('are listed with the one that is loaded first', async () => {
    const files = await world.client.call('code/files', { model: MODEL });
    expect(files.map(({ path: file, isMain }) => [file, isMain])).toEqual([
      ['2/model.py', true],
      ['1/model.py', false],
      ['2/helpers.py', false],
    ]);
  });

  test('are written only over what was read', async () => {
    const before = await read('2/model.py');
    expect(before).toMatchObject({
      exists: true,
      text: 'two = 2\n',
      readOnlyReason: undefined,
      refusal: undefined,
    });
    const written = await write('2/model.py', 'two = 3\n', before.hash);
    expect(await readFile(written.path, 'utf8')).toBe('two = 3\n');
    await expect(write('2/model.py', 'lost', before.hash)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(write('2/model.py', 'lost', '')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect((await read('2/model.py')).text).toBe('two = 3\n');
  });

  test('that are no text are not opened, and nothing is written over them', async () => {
    const bytes = Uint8Array.from([0x6e, 0xff, 0x00]);
    const file = await put('code/2/odd.py', bytes);
    const { refusal, hash } = await read('2/odd.py');
    expect(refusal).toBe('binary');
    await expect(write('2/odd.py', 'text', hash)).rejects.toMatchObject({ code: 'INVALID_ARG' });
    expect(Buffer.from(bytes).equals(await readFile(file))).toBe(true);
  });

  test.each([
    '../simple/config.txt',
    '1/../../outside.py',
    '2/out.py',
    '2/weights.bin',
    'config.pbtxt',
    '.git/x.py',
  ])('%s is none of them', async (name) => {
    const outside = await put('../outside.py', 'secret');
    await symlink(outside, path.join(world.repositoryPath, 'code/2/out.py')).catch(() => undefined);
    await expect(read(name)).rejects.toMatchObject({ code: 'INVALID_ARG' });
    await expect(write(name, 'x', '')).rejects.toMatchObject({ code: 'INVALID_ARG' });
    expect(await readFile(outside, 'utf8')).toBe('secret');
  });

  test.skipIf(process.getuid?.() === 0)('of a folder that may not be written say so', async () => {
    const file = await put('code/3/model.py', 'x');
    await chmod(file, 0o444);
    const { readOnlyReason, hash } = await read('3/model.py');
    expect(readOnlyReason).toContain('EACCES');
    await expect(write('3/model.py', 'y', hash)).rejects.toThrow('cannot be written');
  });
});

const PICTURE = [1, 2, 2, 3];

describe.skipIf(testPython() === undefined)(needsPython('templates'), () => {
  test.each(CODE_TEMPLATES)('%s runs as it is written', async (template) => {
    const name = `my_${template}`;
    const { file } = await world.client.call('code/createFromTemplate', {
      template,
      name,
      repository: world.repositoryPath,
    });
    const { models } = await world.client.call('repository/snapshot', {});
    const made = models.find((model) => model.name === name);
    expect(made?.reason).toBeUndefined();
    expect(made?.state).toBe('ready');
    expect((await world.client.call('code/files', { model: name }))[0]).toMatchObject({
      path: file,
      isMain: true,
    });
    const request = playgroundRequest(name, INPUTS[template]);
    const answer = await world.client.call('playground/send', request);
    expect(JSON.stringify(answer)).toContain(ANSWERS[template]);
  });

  test('scores that are probabilities already are not squeezed by a second softmax', async () => {
    const shares = [typedInput('SCORES', 'FP32', [1, 4], [0, 0.875, 0.125, 0])];
    const answer = await world.client.call('playground/send', playgroundRequest('my_postprocess', shares));
    expect(JSON.stringify(answer)).toContain('0.875');
  });

  test('a name that is taken is refused', async () => {
    const again = { template: 'model', name: 'code', repository: world.repositoryPath } as const;
    await expect(world.client.call('code/createFromTemplate', again)).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    });
  });
});

const INPUTS = {
  model: [typedInput('INPUT0', 'FP32', [1, 2], [1, 2]), typedInput('INPUT1', 'FP32', [1, 2], [3, 4])],
  preprocess: [typedInput('IMAGE', 'UINT8', PICTURE, Array<number>(12).fill(255))],
  postprocess: [typedInput('SCORES', 'FP32', [1, 3], [0, 9, 1])],
};
const ANSWERS = { model: 'DIFFERENCE', preprocess: '224', postprocess: 'class 1' };
