// `conch handover`, run in this process on real files.

import { access, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { identityModel } from '../testing/onnx-test-models.ts';
import { TempRepository } from '../testing/temp-repository.ts';
import { runCommand } from './program.ts';

let folder: string;
let repository: TempRepository;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-handover-'));
  repository = await TempRepository.create({ 'sound/1/model.onnx': identityModel('FP32', [4]) });
});
afterEach(async () => {
  await rm(folder, { recursive: true });
  await repository.close();
});

async function conch(...args: string[]): Promise<{ output: string; errors: string; exitCode: number }> {
  const seen = { output: '', errors: '', exitCode: 0 };
  await runCommand(['handover', ...args], {
    print: (text) => {
      seen.output += text;
    },
    printError: (text) => {
      seen.errors += text;
    },
    setExitCode: (code) => {
      seen.exitCode = code;
    },
    version: '1.2.3',
    signal: new AbortController().signal,
  });
  return seen;
}

const out = (...names: string[]): string => path.join(folder, 'out', ...names);
const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const JAVASCRIPT = {
  'js/config.pbtxt':
    'backend: "javascript" input [ { name: "X" data_type: TYPE_FP32 dims: [ 4 ] } ] output [ { name: "Y" data_type: TYPE_FP32 dims: [ 4 ] } ]',
  'js/1/model.js': 'export default {};',
};

describe('handover', () => {
  test('for Kubernetes leaves no file in the folder that `kubectl apply -f` takes for a manifest and is none', async () => {
    await conch(repository.path, '--target=kubernetes', '--output', out(), '--force');
    const names = await readdir(out(), { recursive: true });
    const taken = names.filter((name) => /\.(?:json|ya?ml)$/.test(name));

    expect(taken.length).toBeGreaterThan(0);
    for (const name of taken) expect(await readFile(out(name), 'utf8'), name).toContain('apiVersion:');
  });

  test('writes what starts the engine, and nothing anew the second time', async () => {
    const first = await conch(repository.path, '--output', out(), '--name', 'shop');
    expect([first.exitCode, first.errors]).toEqual([0, '']);
    expect(first.output).toContain(`written to ${out()}:\n  compose.yaml\n`);
    expect(await readFile(out('compose.yaml'), 'utf8')).toContain(`- ${repository.path}:/models:ro`);
    expect((await conch(repository.path, '--output', out(), '--name', 'shop')).output).toContain(
      '  compose.yaml (unchanged)\n',
    );
  });

  test('replaces what an export wrote, and no file of the user unless told to', async () => {
    await conch(repository.path, '--output', out(), '--name', 'shop');
    expect((await conch(repository.path, '--output', out(), '--name', 'store')).errors).toBe('');
    expect(await readFile(out('compose.yaml'), 'utf8')).toContain('name: store');
    await writeFile(out('compose.yaml'), 'services: {}');
    await writeFile(out('prometheus.yaml'), 'mine: true');
    await writeFile(out('notes.txt'), 'mine');
    const refused = await conch(repository.path, '--output', out(), '--monitoring');
    expect(refused.errors).toBe(
      `conch: nothing was written: '${out()}' has files that no export wrote, or that were changed since: compose.yaml, prometheus.yaml\n`,
    );
    expect(refused.exitCode).toBe(1);
    expect(await readFile(out('compose.yaml'), 'utf8')).toBe('services: {}');
    const replaced = await conch(repository.path, '--output', out(), '--monitoring', '--replace');
    expect([replaced.exitCode, replaced.errors]).toEqual([0, '']);
    expect(await readFile(out('prometheus.yaml'), 'utf8')).not.toContain('mine');
    expect(await readFile(out('notes.txt'), 'utf8')).toBe('mine');
    expect((await conch(repository.path, '--output', out())).errors).toBe('');
  });

  test('keeps a skeleton that was filled in', async () => {
    await repository.write(JAVASCRIPT);
    await conch(repository.path, '--output', out(), '--force');
    const skeleton = out('skeletons', 'js', '1', 'model.py');
    await writeFile(skeleton, 'class TritonPythonModel: pass');
    const { errors } = await conch(repository.path, '--output', out(), '--force');
    expect(errors).toContain('changed since: skeletons/js/1/model.py\n');
    expect(await readFile(skeleton, 'utf8')).toBe('class TritonPythonModel: pass');
  });

  test('writes nothing into a repository, also one that a link leads to', async () => {
    await symlink(repository.path, path.join(folder, 'link'));
    for (const place of [
      repository.path,
      path.join(repository.path, 'export'),
      path.join(folder, 'link', 'export'),
    ]) {
      const { errors } = await conch(repository.path, '--output', place);
      expect(errors).toBe(
        `conch: nothing was written: '${place}' lies in the repository '${repository.path}'\n`,
      );
    }
    expect(await readdir(repository.path)).toEqual(['sound']);
    const beside = `${repository.path}-export`;
    expect((await conch(repository.path, '--output', beside)).errors).toBe('');
    await rm(beside, { recursive: true });
  });

  test('says that a file is in the way', async () => {
    await writeFile(out(), '');
    const { errors } = await conch(repository.path, '--output', out());
    expect(errors).toBe(
      `conch: '${out('compose.yaml')}' cannot be written: a file lies where a folder is needed\n`,
    );
  });

  test.runIf(process.platform === 'linux')('ends where no folder can be made', async () => {
    const { errors, exitCode } = await conch(repository.path, '--output', '/proc/no-such-entry/out');
    expect(errors).toMatch(
      /^conch: '\/proc\/no-such-entry\/out\/compose\.yaml' cannot be written: ENOENT: .* '\/proc\/no-such-entry'\n$/,
    );
    expect(exitCode).toBe(1);
  });

  test('without a folder it says what it would write', async () => {
    const { output } = await conch(repository.path, '-t', 'kubernetes');
    expect(output).toContain('With --output FOLDER these are written: triton-models.yaml, deployment.yaml');
  });

  test('with an error nothing is written, unless it is forced', async () => {
    await repository.write(JAVASCRIPT);
    const refused = await conch(repository.path, '--output', out());
    expect(refused.exitCode).toBe(1);
    expect(refused.output).toMatch(/js: failed\n {2}error H02 .*js\/config\.pbtxt:1:1: only Conch runs/);
    expect(refused.errors).toBe('conch: nothing was written: the checks found 1 error(s) for this target\n');
    expect(await isThere(out())).toBe(false);
    expect((await conch(repository.path, '--output', out(), '--force')).exitCode).toBe(0);
    expect(await isThere(out('skeletons', 'js', '1', 'model.py'))).toBe(true);
  });

  test('--check writes nothing; --json has the format of `conch check`', async () => {
    await repository.write(JAVASCRIPT);
    const { output, exitCode } = await conch(repository.path, '--check', '--json', '--output', out());
    expect(exitCode).toBe(1);
    expect(await isThere(out())).toBe(false);
    expect(JSON.parse(output)).toMatchObject({
      models: 2,
      errors: 1,
      server: [{ severity: 'info', code: 'H16', file: '' }],
      results: [
        {
          name: 'js',
          path: repository.at('js'),
          findings: [
            {
              severity: 'error',
              file: repository.at('js/config.pbtxt'),
              line: 1,
              code: 'H02',
              message: expect.any(String) as unknown,
              hint: expect.any(String) as unknown,
            },
          ],
        },
        { name: 'sound' },
      ],
    });
  });

  test('options of the server follow behind two dashes', async () => {
    await conch(
      '-o',
      out(),
      '--',
      `--model-repository=${repository.path}`,
      '--log-verbose',
      '2',
      '--http-port=9000',
    );
    const text = await readFile(out('compose.yaml'), 'utf8');
    expect(text).toContain('- --log-verbose=2\n');
    expect(text).toContain('- 9000:8000\n');
  });

  test.each([
    [['--release', '7'], 'release: a release is written like 26.07'],
    [['--name', 'Not A Label'], 'name: a name has up to 40 small letters'],
    [['--at', 'ftp://x'], "'ftp://x' is no place for a repository"],
    [['--', '--no-such-option'], "unrecognized option '--no-such-option'"],
    [['--', '--log-verbose=much'], 'log-verbose'],
  ])('what cannot be carried out: %o', async (args, message) => {
    const { errors, exitCode } = await conch(repository.path, '-o', out(), ...args);
    expect(errors).toContain(message);
    expect(exitCode).toBe(1);
    expect(await isThere(out())).toBe(false);
  });

  test('a relative place starts in the folder of the shell', async () => {
    await conch(repository.path, '-o', out(), '--at', 'models');
    const text = await readFile(out('compose.yaml'), 'utf8');
    expect(text).toContain(`- ${path.resolve('models')}:/models:ro`);
  });

  test('upload says what it did, and what it would do', async () => {
    const dry = await conch('upload', repository.path, out(), '--dry-run');
    expect(dry.output).toMatch(
      /^ {2}write sound\/1\/model\.onnx \(\d+ bytes\)\nto write: 1, to remove: 0, unchanged: 0\n$/,
    );
    expect(await isThere(out())).toBe(false);
    expect((await conch('upload', repository.path, out())).output).toContain(
      'written: 1, removed: 0, unchanged: 0',
    );
    expect(await isThere(out('sound', '1', 'model.onnx'))).toBe(true);
    expect((await conch('upload', repository.path, out())).output).toBe(
      'written: 0, removed: 0, unchanged: 1\n',
    );
  });

  test('no repository', async () => {
    expect((await conch()).errors).toContain('--model-repository must be specified');
  });

  test('a repository that is not there', async () => {
    expect((await conch('/nowhere')).errors).toBe("conch: '/nowhere' does not exist\n");
  });
});
