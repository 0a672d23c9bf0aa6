// The commands besides `serve`, run in this process on real files.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { writeSampleRepository } from '../samples/sample-repository.ts';
import { identityModel } from '../testing/onnx-test-models.ts';
import { TempRepository } from '../testing/temp-repository.ts';
import { gpuText } from './gpu-libraries.ts';
import { runCommand } from './program.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-cli-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function conch(...args: string[]): Promise<{ output: string; errors: string; exitCode: number }> {
  const seen = { output: '', errors: '', exitCode: 0 };
  await runCommand(args, {
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

describe('program', () => {
  test('help lists every command, serve included', async () => {
    const { output, exitCode } = await conch('--help');
    for (const name of ['serve', 'check', 'inspect', 'init', 'infer', 'gpu'])
      expect(output).toContain(`  ${name}`);
    expect(exitCode).toBe(0);
  });

  test('version', async () => {
    expect((await conch('--version')).output).toBe('1.2.3\n');
  });

  test('an unknown command is an error with the nearest match', async () => {
    const { errors, exitCode } = await conch('chek');
    expect(errors).toContain("unknown command 'chek'");
    expect(errors).toContain('check');
    expect(exitCode).toBe(1);
  });
});

describe('check', () => {
  test('nothing is said of the samples, no advice either, except of the one that is broken on purpose', async () => {
    await writeSampleRepository(folder);
    const { output, exitCode } = await conch('check', folder, '--json');
    const report = JSON.parse(output) as { results: { name: string; findings: { code: string }[] }[] };
    const found = report.results.flatMap(({ name, findings }) =>
      findings.map(({ code }) => `${name} ${code}`),
    );
    expect(found).toEqual(['broken_dims D21']);
    expect(exitCode).toBe(1);
  });

  test('one model folder can be named by itself', async () => {
    await writeSampleRepository(folder);
    const { output, exitCode } = await conch('check', path.join(folder, 'simple'));
    expect(output).toBe('simple: ok\n1 model, 0 errors, 0 warnings\n');
    expect(exitCode).toBe(0);
  });

  test('a finding names file, line and column', async () => {
    const repository = await TempRepository.create({
      'm/config.pbtxt': 'name: "m"\nbackend: "identity"\nmax_batch_sise: 4\n',
      'm/1/': '',
    });
    const { output, exitCode } = await conch('check', repository.path);
    expect(output).toMatch(/m: failed\n {2}error D02 {2}m\/config\.pbtxt:3:1: .*max_batch_sise/);
    expect(exitCode).toBe(1);
    await rm(repository.path, { recursive: true });
  });

  test('a model file that cannot be read is named', async () => {
    const repository = await TempRepository.create({ 'm/1/model.onnx': 'not a model' });
    const { output, exitCode } = await conch('check', repository.path);
    expect(output).toContain('m/1/model.onnx');
    expect(exitCode).toBe(1);
    await rm(repository.path, { recursive: true });
  });

  test.each([
    ['backend: "nope"', "unable to find backend library for backend 'nope'"],
    [
      'backend: "onnxruntime" optimization { execution_accelerators { cpu_execution_accelerator [ { name: "a" } ] } }',
      "unknown Execution Accelerator 'a' is requested",
    ],
    [
      'backend: "onnxruntime" parameters { key: "execution_mode" value { string_value: "x" } }',
      "failed to convert 'x' to integral number",
    ],
  ])('what a server would refuse: %s', async (text, refusal) => {
    const model = { 'm/config.pbtxt': text, 'm/1/model.onnx': identityModel('FP32', [4]) };
    const repository = await TempRepository.create(model);
    const { output, exitCode } = await conch('check', repository.path);
    expect(output).toContain(refusal);
    expect(exitCode).toBe(1);
    await rm(repository.path, { recursive: true });
  });

  test('an ensemble whose model is not there', async () => {
    await writeSampleRepository(folder);
    const steps = (await readdir(folder)).filter((name) => name !== 'pipeline');
    for (const name of steps) await rm(path.join(folder, name), { recursive: true });
    const { output } = await conch('check', folder);
    expect(output).toMatch(/pipeline: failed\n.*error D50 .*models that are not available/);
  });

  test('a folder without models and a path that does not exist', async () => {
    expect((await conch('check', folder)).output).toBe('0 models, 0 errors, 0 warnings\n');
    const missing = await conch('check', path.join(folder, 'none'));
    expect(missing).toMatchObject({ exitCode: 1, errors: expect.stringContaining('does not exist') });
  });
});

describe('init', () => {
  test('writes the samples once', async () => {
    const target = path.join(folder, 'models');
    expect((await conch('init', target)).output).toContain('  simple\n');
    expect(await readdir(target)).toContain('pipeline');
    expect((await conch('init', target)).output).toContain('has all samples already');
  });
});

describe('inspect', () => {
  test('tells inputs, outputs and operators', async () => {
    await writeSampleRepository(folder);
    const file = path.join(folder, 'simple', '1', 'model.onnx');
    const { output, exitCode } = await conch('inspect', file);
    expect(output).toContain('INPUT0  INT32 [');
    expect(output).toMatch(/operators {3}\d+: /);
    expect(exitCode).toBe(0);
    const { suggestedName, externalData } = JSON.parse((await conch('inspect', file, '--json')).output) as {
      suggestedName: string;
      externalData: unknown[];
    };
    expect([suggestedName, externalData]).toEqual(['simple', []]);
  });

  test('prints a configuration that checks without findings', async () => {
    await writeSampleRepository(folder);
    const model = path.join(folder, 'simple');
    const { output } = await conch('inspect', path.join(model, '1', 'model.onnx'), '--config');
    await writeFile(path.join(model, 'config.pbtxt'), output);
    expect((await conch('check', model)).output).toContain('1 model, 0 errors');
  });

  test('a file that is no model', async () => {
    const file = path.join(folder, 'x.onnx');
    await writeFile(file, 'hello');
    expect(await conch('inspect', file)).toMatchObject({ exitCode: 1, output: '' });
  });
});

describe('gpu', () => {
  test.each([
    [[], false, 'linux', ['none found', 'not installed', 'the CPU']],
    [['NVIDIA H200, 580'], false, 'linux', ['NVIDIA H200', 'the CPU', 'conch gpu install']],
    [['NVIDIA H200, 580'], true, 'linux', ['installed in /f', 'the GPU']],
    [[], false, 'win32', ['DirectML is bundled']],
  ])('%j with libraries %s on %s', (gpus, hasCudaLibraries, platform, expected) => {
    const facts = {
      gpus,
      hasCudaLibraries,
      hasWebGpu: false,
      hasCudaGpu: false,
      installedBytes: 0,
      folder: '/f',
    };
    const text = gpuText(facts, platform);
    for (const part of expected) expect(text).toContain(part);
    expect(text.includes('conch gpu install')).toBe(expected.includes('conch gpu install'));
  });
});
