// The Python here is a script, so that it works, fails and hangs when it should.

import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { isRunning } from '../../testing/is-running.ts';
import type { ConversionRequest } from './convert-to-onnx.ts';
import { convertToOnnx } from './convert-to-onnx.ts';

let folder: string;
let repository: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-converting-'));
  repository = path.join(folder, 'models');
  await mkdir(path.join(folder, 'tmp'), { recursive: true });
  await mkdir(path.join(repository, 'old', '1'), { recursive: true });
  vi.stubEnv('TMPDIR', path.join(folder, 'tmp'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const CONFIG = `name: "old" backend: "pytorch" platform: "pytorch_libtorch" max_batch_size: 4
input { name: "x" data_type: TYPE_FP32 dims: [ 3 ] } output { name: "y" data_type: TYPE_FP32 dims: [ 3 ] }`;

/** `body` sees the file of the new model as $onnx. */
async function request(body: string): Promise<ConversionRequest> {
  const program = path.join(folder, 'python3');
  const onnx = `onnx=$(sed 's/.*"onnx":"\\([^"]*\\)".*/\\1/' "$2")`;
  await writeFile(program, `#!/bin/sh\n${onnx}\n${body}\n`);
  await chmod(program, 0o755);
  const { config } = parseModelConfig(CONFIG);
  const model = path.join(repository, 'old');
  const source = path.join(model, '1/model.pt');
  const choosePython = () => Promise.resolve({ program });
  return { config, source, choosePython, folder: model, repository, newName: 'new' };
}

/** Everything below the folder besides the program and what it noted. */
async function leftOver(): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true });
  return found.filter(
    (name) => !['models', 'models/old', 'models/old/1', 'tmp', 'python3', 'pids'].includes(name),
  );
}

test.skipIf(process.platform !== 'linux')(
  'a conversion that is cancelled ends its processes and leaves nothing half-made',
  async () => {
    const pids = path.join(folder, 'pids');
    const job = await request(
      `echo half > "$onnx"\nsleep 60 &\necho $$ $! > ${pids}\necho "conch-step: exporting"\nwait`,
    );
    const stop = new AbortController();
    const details: string[] = [];
    const work = convertToOnnx(job, {
      signal: stop.signal,
      report: (_, detail) => {
        details.push(detail);
        if (detail === 'Exporting to ONNX') stop.abort(new Error('cancelled'));
      },
    });
    await expect(work).rejects.toThrow('cancelled');
    expect(details).toEqual(['Starting Python', 'Exporting to ONNX']);
    for (const pid of (await readFile(pids, 'utf8')).trim().split(' '))
      await vi.waitFor(() => expect(isRunning(Number(pid))).toBe(false));
    expect(await leftOver()).toEqual([]);
  },
);

test('one that fails says what was wrong in one sentence, and leaves nothing half-made', async () => {
  const job = await request(
    `echo half > "$onnx"\necho "Exporting to ONNX"\necho "Python has no package 'tf2onnx': run pip" >&2\nexit 2`,
  );
  const { signal } = new AbortController();
  await expect(convertToOnnx(job, { signal, report: () => undefined })).rejects.toThrow(
    "Python has no package 'tf2onnx': run pip",
  );
  expect(await leftOver()).toEqual([]);
});

test('a name that is taken is refused, and the model that has it stays', async () => {
  await writeFile(path.join(repository, 'old/1/model.pt'), 'x');
  const job = { ...(await request('exit 1')), newName: '../old' };
  const { signal } = new AbortController();
  await expect(convertToOnnx(job, { signal, report: () => undefined })).rejects.toThrow('../old');
  expect(await leftOver()).toEqual(['models/old/1/model.pt']);
});

test.skipIf(process.platform === 'win32')('a model that brings its Python is converted by it', async () => {
  const job = await request('echo "error: not this one" >&2\nexit 2');
  const bin = path.join(job.folder, 'own/bin');
  await mkdir(bin, { recursive: true });
  await writeFile(path.join(bin, 'activate'), '');
  await writeFile(path.join(bin, 'python3'), '#!/bin/sh\necho "error: in $VIRTUAL_ENV" >&2\nexit 2\n');
  await chmod(path.join(bin, 'python3'), 0o755);
  const brings = `parameters { key: "EXECUTION_ENV_PATH" value { string_value: "$$TRITON_MODEL_DIRECTORY/own" } }`;
  const { config } = parseModelConfig(`${CONFIG}\n${brings}`);
  const { signal } = new AbortController();
  const work = convertToOnnx({ ...job, config }, { signal, report: () => undefined });
  await expect(work).rejects.toThrow(`in ${path.join(job.folder, 'own')}`);
});

const noReport = { signal: new AbortController().signal, report: () => undefined };

test.skipIf(process.platform === 'win32')(
  'a framework that fails is told in its own words, with all that it printed beside them',
  async () => {
    const said = `echo "conch-step: reading"\necho "warning: old file" >&2\necho "error: no form for aten::eig" >&2`;
    const work = convertToOnnx(await request(`${said}\nexit 2`), noReport);
    await expect(work).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'no form for aten::eig',
      details: { output: 'warning: old file\nerror: no form for aten::eig' },
    });
    expect(await leftOver()).toEqual([]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a Python that is killed is told, not what it printed before',
  async () => {
    const work = convertToOnnx(await request('echo "an error that was none"\nkill -9 $$'), noReport);
    await expect(work).rejects.toThrow(
      /python3 was killed, as systems do with the largest program when memory/,
    );
    expect(await leftOver()).toEqual([]);
  },
);

test.skipIf(process.platform === 'win32')('the steps come in their order, each once', async () => {
  const details: string[] = [];
  const handle = { ...noReport, report: (_: number | undefined, detail: string) => details.push(detail) };
  const steps = ['reading', 'running', 'exporting'].map((step) => `echo "conch-step: ${step}"`).join('\n');
  const answers = `answers=$(sed 's/.*"answers":"\\([^"]*\\)".*/\\1/' "$2")\necho '{"inputs":[],"outputs":[]}' > "$answers"`;
  const made = await convertToOnnx(await request(`${steps}\n${answers}\necho none > "$onnx"`), handle);
  expect(made.verdict).toBe('cannot-compare');
  expect(details).toEqual([
    'Starting Python',
    'Reading the model',
    'Running it on made-up inputs',
    'Exporting to ONNX',
    'Running the new file on the same inputs',
  ]);
});
