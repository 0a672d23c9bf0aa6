// Repositories that somebody made to hurt: pipes and devices where files are expected, links that multiply, absurd
// counts, files that go while they are read, names with line breaks. Each model is refused by name and at once, and the
// others load.
import { execFileSync } from 'node:child_process';
import { rm, symlink } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { javascriptBackend } from '../backends/javascript/javascript-backend.ts';
import { OnnxruntimeBackend } from '../backends/onnxruntime/onnxruntime-backend.ts';
import { systemClock } from '../base/clock.ts';
import { FakeBackend } from '../testing/fake-backend.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { identityModel } from '../testing/onnx-test-models.ts';
import type { RepositoryFixture } from '../testing/repository-fixture.ts';
import { echoConfig, inferFloats, repositoryFixture } from '../testing/repository-fixture.ts';

const onnxruntime = new OnnxruntimeBackend({ maxWorkers: 1 });
let fixture: RepositoryFixture | undefined;
let backend: FakeBackend;

afterEach(async () => {
  await fixture?.[Symbol.asyncDispose]();
  fixture = undefined;
});

afterAll(() => onnxruntime.close());

async function start(
  files: Record<string, string | Uint8Array>,
  clock = systemClock,
): Promise<RepositoryFixture> {
  backend = new FakeBackend();
  fixture = await repositoryFixture({ files, backends: [backend, javascriptBackend, onnxruntime], clock });
  return fixture;
}

const ONNX = `backend: "onnxruntime"
instance_group [ { kind: KIND_CPU count: 1 } ]`;
const IO = `input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ 4 ] } ]
output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 4 ] label_filename: "labels.txt" } ]`;
const good = { 'good/config.pbtxt': echoConfig(), 'good/1/': '' };

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  const pipe = (f: RepositoryFixture, name: string): Buffer => execFileSync('mkfifo', [f.folder.at(name)]);
  const failure = async (f: RepositoryFixture): Promise<string> =>
    await f.repository.load('m').then(
      () => 'loaded',
      (thrown: Error & { cause?: Error }) => `${thrown.message} ${thrown.cause?.message ?? ''}`,
    );

  it.each<[string, Record<string, string | Uint8Array>, string]>([
    ['m/config.pbtxt', { 'm/1/model.onnx': identityModel('FP32', [4]) }, 'is a named pipe'],
    ['m/1/model.onnx', { 'm/config.pbtxt': ONNX, 'm/1/': '' }, 'is a named pipe'],
    [
      'm/1/model.js',
      { 'm/config.pbtxt': `backend: "javascript"\n${IO}`, 'm/1/': '', 'm/labels.txt': 'a' },
      'is a named pipe',
    ],
    [
      'm/labels.txt',
      { 'm/config.pbtxt': `${ONNX}\n${IO}`, 'm/1/model.onnx': identityModel('FP32', [4]) },
      'is a named pipe',
    ],
    [
      'm/warmup/data',
      {
        'm/config.pbtxt': echoConfig(
          'model_warmup { name: "w" batch_size: 1 inputs { key: "INPUT0" value: { data_type: TYPE_FP32 dims: 4 input_data_file: "data" } } }',
        ),
        'm/1/': '',
        'm/warmup/': '',
      },
      'is a named pipe',
    ],
  ])('a pipe as %s is refused by name, and the next model loads', async (name, files, text) => {
    const f = await start({ ...files, ...good });
    pipe(f, name);
    expect(await failure(f)).toContain(`'${f.folder.at(name)}' ${text}, expected a regular file`);
    await f.repository.load('good');
  });

  it('an endless device behind a link is refused', async () => {
    const f = await start({ 'm/config.pbtxt': ONNX, 'm/1/': '' });
    await symlink('/dev/zero', f.folder.at('m/1/model.onnx'));
    expect(await failure(f)).toContain('is a device, expected a regular file');
  });

  it('a folder in the place of the configuration counts as none, in the place of labels is named', async () => {
    const f = await start({ 'm/config.pbtxt/': '', 'm/1/model.onnx': identityModel('FP32', [4]) });
    await f.repository.load('m');
    await f.folder.write({
      'n/config.pbtxt': echoConfig().replace('OUTPUT0"', 'OUTPUT0" label_filename: "l"'),
      'n/1/': '',
      'n/l/': '',
    });
    await expect(f.repository.load('n')).rejects.toThrow('Is a directory');
  });

  it('links that multiply are walked once', async () => {
    const f = await start({ 'm/config.pbtxt': echoConfig(), 'm/1/': '' });
    for (let depth = 0; depth < 12; depth += 1) {
      await f.folder.write({ [`m/farm/${depth}/x`]: '' });
      for (let link = 0; link < 6 && depth > 0; link += 1) {
        await symlink(`../${depth - 1}`, f.folder.at(`m/farm/${depth}/${link}`));
      }
    }
    await f.repository.load('m');
  });
});

describe('absurd counts', () => {
  it.each([
    [
      `${ONNX} parameters { key: "intra_op_thread_count" value { string_value: "1000000" } }`,
      "'intra_op_thread_count' of model m asks for 1000000 threads, at most 1024",
    ],
    [
      echoConfig('instance_group [ { kind: KIND_CPU count: 100000 } ]'),
      'makes 100000 instances of the model, at most 1024 are allowed',
    ],
    [
      echoConfig(
        'model_warmup { name: "w" batch_size: 1 inputs { key: "INPUT0" value: { data_type: TYPE_FP32 dims: [ 100000, 100000 ] zero_data: true } } }',
      ),
      "takes 40000000000 bytes for input 'INPUT0', at most 2147483648",
    ],
    [
      echoConfig(
        'model_warmup { name: "w" batch_size: 4000000000 inputs { key: "INPUT0" value: { data_type: TYPE_FP32 dims: 4 zero_data: true } } }',
      ),
      "warmup sample 'w' of model m has batch_size 4000000000, at most 65536",
    ],
    [
      echoConfig(
        'sequence_batching { state { input_name: "I" output_name: "O" data_type: TYPE_FP32 dims: [ 100000, 100000 ] } }',
      ),
      "state input 'I' of model m takes 40000000000 bytes",
    ],
  ])('%s', async (text, refusal) => {
    const f = await start({ 'm/config.pbtxt': text, 'm/1/model.onnx': identityModel('FP32', [4]) });
    await expect(f.repository.load('m')).rejects.toThrow(refusal);
  });
});

describe('loads that do not end', () => {
  const DAY_MS = 86_400_000;

  it('lose their slots to others, and go on', async () => {
    const clock = new FakeClock();
    const stuck = ['a', 'b', 'c', 'd', 'e', 'f'];
    const f = await start(
      {
        ...good,
        ...Object.fromEntries(
          stuck.flatMap((name) => [
            [`${name}/config.pbtxt`, echoConfig()],
            [`${name}/1/`, ''],
          ]),
        ),
      },
      clock,
    );
    for (const name of stuck) backend.scripts.set(name, { loadDelayMs: DAY_MS });
    const loads = stuck.map((name) => f.repository.load(name));
    const last = f.repository.load('good');
    let isLoaded = false;
    void last.then(() => {
      isLoaded = true;
    });
    // Files are read in real time, however little of the clock's time that takes.
    for (const end = performance.now() + 15_000; !isLoaded && performance.now() < end;) {
      await clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(isLoaded).toBe(true);
    const use = f.repository.use('good', -1);
    expect((await inferFloats(use, [1, 2, 3, 4])).error).toBeUndefined();
    const ended = Promise.all(loads);
    for (let turn = 0; turn < 10; turn += 1) {
      await clock.advance(DAY_MS);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await ended;
  });
});

it('a configuration without end is refused by its size', async () => {
  const f = await start({ 'm/config.pbtxt': `# ${'x'.repeat(17_000_000)}`, 'm/1/': '', ...good });
  const refusal = `'${f.folder.at('m/config.pbtxt')}' has 17000002 bytes, expected at most 16777216`;
  await expect(f.repository.load('m')).rejects.toMatchObject({ cause: { message: refusal } });
  const override = { configJson: `{"x":"${'x'.repeat(17_000_000)}"}` };
  await expect(f.repository.load('good', { override })).rejects.toMatchObject({
    cause: { message: 'Invalid config override: it has 17000008 characters, expected at most 16777216' },
  });
});

describe('folders that change or have odd names', () => {
  it('a file that goes in mid-load fails that model alone', async () => {
    const f = await start({ ...good, 'm/config.pbtxt': echoConfig(), 'm/1/weights': 'x' });
    backend.scripts.set('m', { loadError: new Error('weights went away') });
    const load = expect(f.repository.load('m')).rejects.toThrow();
    await rm(f.folder.at('m'), { recursive: true });
    await load;
    await f.repository.load('good');
  });

  it.skipIf(process.platform === 'win32')('line breaks in names stay in names', async () => {
    const name = 'two\nlines';
    const f = await start({ [`${name}/config.pbtxt`]: echoConfig(), [`${name}/1/`]: '', ...good });
    await f.repository.load(name);
    expect(f.repository.find(name, -1).version).toBe('1');
    await f.repository.load('good');
  });

  it('thousands of folders are read, and one of them loads', async () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 2000; at += 1) files[`m${at}/1/`] = '';
    const f = await start({ ...files, ...good });
    await f.repository.load('good');
    expect(f.repository.find('good', -1).version).toBe('1');
  });
});
