// The playground as the window uses it: contract calls in, real sockets to a real server, answers out.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { PlaygroundRequest } from '../../../src-shared/contract/inference-calls.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { mlpRequest, playgroundRequest, startControlWorld, typedInput } from '../../testing/control-world.ts';
import { plainPng } from '../../testing/png-file.ts';

const run = promisify(execFile);
const numbers = Array.from({ length: 16 }, (_, index) => index);
const ones = numbers.map(() => 1);

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld();
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const simple = (change: Partial<PlaygroundRequest> = {}): PlaygroundRequest =>
  playgroundRequest(
    'simple',
    [typedInput('INPUT0', 'INT32', [1, 16], numbers), typedInput('INPUT1', 'INT32', [1, 16], ones)],
    change,
  );

async function upload(bytes: Uint8Array): Promise<string> {
  const { blob } = await world.client.call('blob/create', {});
  await world.client.call('blob/append', { blob, base64: Buffer.from(bytes).toString('base64') });
  return blob;
}

describe('sending', () => {
  test('the three encodings give the same outputs', async () => {
    const outputs = [];
    for (const protocol of ['http-json', 'http-binary', 'grpc'] as const) {
      const result = await world.client.call('playground/send', simple({ protocol, id: 'r1' }));
      expect(result, result.error).toMatchObject({ ok: true, status: protocol === 'grpc' ? 0 : 200 });
      outputs.push(result.responses[0]?.outputs.map(({ name, preview }) => [name, preview]));
    }
    expect(outputs[0]).toEqual([
      ['OUTPUT0', numbers.map((n) => String(n + 1))],
      ['OUTPUT1', numbers.map((n) => String(n - 1))],
    ]);
    expect(outputs[1]).toEqual(outputs[0]);
    expect(outputs[2]).toEqual(outputs[0]);
  });

  test('times add up, and a lone request knows its batch', async () => {
    const result = await world.client.call('playground/send', mlpRequest());
    const sum = result.timing.reduce((total, { ms }) => total + ms, 0);
    expect(sum).toBeCloseTo(result.totalMs, 3);
    expect(result.batchSize).toBe(1);
    expect(result.timing.map(({ name }) => name)).toEqual(['send', 'queue', 'compute', 'server', 'receive']);
  });

  test('a lone request to an ensemble knows how long its steps took', async () => {
    const raw = typedInput('RAW', 'UINT8', [1, 32, 32, 3], new Array<number>(32 * 32 * 3).fill(7));
    const result = await world.client.call('playground/send', playgroundRequest('pipeline', [raw]));
    expect(result, result.error).toMatchObject({ ok: true, batchSize: undefined });
    expect(result.timing.map(({ name }) => name)).toEqual(['send', 'steps', 'server', 'receive']);
    expect(result.timing.find(({ name }) => name === 'steps')?.ms).toBeGreaterThan(0);
    expect(result.timing.reduce((total, { ms }) => total + ms, 0)).toBeCloseTo(result.totalMs, 3);
  });

  test('a wrong shape gives the message verbatim, its meaning, and the input at fault', async () => {
    const inputs = [
      typedInput('INPUT0', 'INT32', [1, 17], [...numbers, 16]),
      typedInput('INPUT1', 'INT32', [1, 16], ones),
    ];
    const result = await world.client.call('playground/send', simple({ inputs }));
    expect(result).toMatchObject({ ok: false, status: 400, faultyInput: 'INPUT0' });
    expect(result.error).toContain(
      "unexpected shape for input 'INPUT0' for model 'simple'. Expected [1,16], got [1,17]",
    );
    expect(result.explanation).toContain('[1,17]');
  });

  test('a sequence adds up, and its end and a missing start are noticed', async () => {
    const step = (id: string, value: number, start: boolean, end: boolean) =>
      world.client.call(
        'playground/send',
        playgroundRequest('accumulate', [typedInput('INPUT', 'FP32', [1, 1], [value])], {
          sequence: { id, start, end },
        }),
      );
    const io = await world.client.call('playground/interface', { model: 'accumulate' });
    expect(io).toMatchObject({ isSequence: true, sequenceIdleMs: 60_000 });
    const results = [
      await step('7', 1, true, false),
      await step('7', 2, false, false),
      await step('7', 3, false, true),
    ];
    expect(results.map(({ responses }) => responses[0]?.outputs[0]?.preview)).toEqual([['1'], ['3'], ['6']]);
    const missing = await step('8', 1, false, false);
    expect(missing.error).toContain('must specify the START flag');
    expect(missing.explanation).toContain('No sequence with this id');
  });

  test('repeats go out side by side and failures are counted by message', async () => {
    const good = await world.client.call('playground/repeat', {
      request: mlpRequest(),
      count: 40,
      concurrency: 8,
    });
    expect(good).toMatchObject({ okCount: 40, failCount: 0, errors: [] });
    expect(good.latencyMs?.p99).toBeGreaterThanOrEqual(good.latencyMs?.p50 ?? Infinity);
    const bad = await world.client.call('playground/repeat', {
      request: simple({ version: '9' }),
      count: 3,
      concurrency: 2,
    });
    expect(bad.okCount).toBe(0);
    expect(bad.errors).toEqual([{ message: expect.stringContaining('version 9') as string, count: 3 }]);
  });

  test('an aborted send ends at once and leaves the server serving', async () => {
    const controller = new AbortController();
    const sent = world.client.call(
      'playground/repeat',
      { request: mlpRequest(), count: 10_000, concurrency: 4 },
      { signal: controller.signal },
    );
    await world.client.call('playground/send', mlpRequest());
    controller.abort(new DOMException('cancelled', 'AbortError'));
    await expect(sent).rejects.toThrow('cancelled');
    expect((await world.client.call('playground/send', mlpRequest())).ok).toBe(true);
  });
});

describe('inputs from files', () => {
  test('an image is preprocessed, previewed and classified with labels', async () => {
    const red = plainPng(64, 48, [0xe0, 0x20, 0x20]);
    const input = {
      name: 'IMAGE',
      datatype: 'FP32',
      shape: [1, 3, 32, 32],
      source: {
        kind: 'image',
        blob: await upload(red),
        resize: 'stretch',
        layout: 'NCHW',
        channels: 'RGB',
        scaling: 'INCEPTION',
      },
    } as const;
    const preview = await world.client.call('playground/previewInput', { ...input, shape: [1, 3, 32, 32] });
    expect(preview.shape).toEqual([1, 3, 32, 32]);
    expect([preview.min, preview.max].map((value) => Math.round(value * 100))).toEqual([-75, 76]);
    const request = playgroundRequest('image_tiny', [{ ...input, shape: [1, 3, 32, 32] }], {
      outputs: [{ name: 'SCORES', classification: 3 }],
    });
    const { responses } = await world.client.call('playground/send', request);
    const classes = responses[0]?.outputs[0]?.classes ?? [];
    expect(classes).toHaveLength(3);
    expect(classes[0]?.label).toBe('red');
  });

  test('an ensemble that ends in the number of a class is offered the names that a step has', async () => {
    const labelsOf = (model: string, output: string) =>
      world.client.call('playground/labels', { model, version: '', output });
    const { labels, step } = await labelsOf('pipeline', 'CLASS');
    expect(labels).toEqual([]);
    expect(step).toMatchObject({ model: 'image_tiny', output: 'SCORES' });
    const own = await labelsOf('image_tiny', 'SCORES');
    expect(own.step).toBeUndefined();
    expect(step?.labels).toEqual(own.labels);
    expect(await labelsOf('simple', 'OUTPUT0')).toEqual({ labels: [] });
  });

  test.each([
    ['json', '{"data": [[1, 2, 3], [4, 9007199254740993, 6]]}'],
    ['csv', '1,2,3\n4,9007199254740993,6\n'],
  ] as const)('a %s file keeps long integers', async (format, text) => {
    const { preview } = await world.client.call('playground/previewInput', {
      name: 'x',
      datatype: 'INT64',
      shape: [2, 3],
      source: { kind: 'blob', blob: await upload(Buffer.from(text)), format },
    });
    expect(preview).toEqual(['1', '2', '3', '4', '9007199254740993', '6']);
  });
});

describe('code to take away', () => {
  test('the curl text returns the same JSON', async () => {
    const request = simple({ protocol: 'http-json', id: "it's" });
    const snippets = await world.client.call('playground/snippets', request);
    const curl = snippets.find(({ title }) => title === 'curl');
    const { stdout } = await run('bash', ['-c', curl?.code ?? '']);
    const { rawHead } = await world.client.call('playground/send', request);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(rawHead));
  });

  test('a request that cannot be built leaves the code for the rest of the server', async () => {
    const asked = { language: 'curl' as const, model: 'simple' };
    const subjects = async (request: PlaygroundRequest): Promise<readonly string[]> =>
      (await world.client.call('playground/serverSnippets', { ...asked, request })).map(
        ({ subject }) => subject,
      );
    expect(await subjects(simple())).toContain('infer');
    const broken = await subjects(simple({ inputs: [{ ...simple().inputs[0]!, datatype: 'NONE' }] }));
    expect(broken).not.toContain('infer');
    expect(broken).toContain('statistics');
  });

  test('a request too large to print is sent from its saved body', async () => {
    const request = playgroundRequest('batch_mlp', [
      { name: 'FEATURES', datatype: 'FP32', shape: [8, 64], source: { kind: 'fill', value: 'ones' } },
    ]);
    const { blob, byteSize } = await world.client.call('playground/requestBody', request);
    const parts: Buffer[] = [];
    for (let offset = 0; offset < byteSize; offset += 49_152) {
      const part = await world.client.call('blob/read', { blob, offset, byteSize: 49_152 });
      parts.push(Buffer.from(part.base64, 'base64'));
    }
    const folder = path.dirname(world.repositoryPath);
    await writeFile(path.join(folder, 'request.bin'), Buffer.concat(parts));
    const snippets = await world.client.call('playground/snippets', request);
    await run('bash', ['-c', snippets[0]?.code ?? ''], { cwd: folder });
    const answer = await readFile(path.join(folder, 'response.bin'), 'latin1');
    expect(answer).toContain('"name":"PROBABILITIES","datatype":"FP32","shape":[8,10]');
  });

  test('parameters, sequences and requested outputs are in every language', async () => {
    const request = mlpRequest({
      version: '1',
      priority: 2,
      sequence: { id: 'abc', start: true, end: false },
      parameters: { trace: 'yes' },
      outputs: [{ name: 'PROBABILITIES', classification: 2 }],
    });
    const snippets = await world.client.call('playground/snippets', request);
    expect(snippets.map(({ title }) => title)).toEqual([
      'curl',
      'Python (HTTP)',
      'JavaScript (fetch)',
      'C++ (HTTP)',
      'Python (gRPC)',
      'Node (gRPC)',
    ]);
    for (const { title, code } of snippets) {
      for (const word of ['batch_mlp', 'FEATURES', 'PROBABILITIES', 'abc', 'trace', 'yes']) {
        expect(code, title).toContain(word);
      }
    }
  });
});

describe('saved requests', () => {
  test('they leave as one text with their files and come back as requests of their own', async () => {
    const { client } = world;
    const raw = Buffer.from(new Float32Array(64).fill(0.25).buffer);
    const source = { kind: 'blob', blob: await upload(raw), format: 'raw' } as const;
    const request = playgroundRequest('batch_mlp', [
      { name: 'FEATURES', datatype: 'FP32', shape: [1, 64], source },
    ]);
    const before = await client.call('playground/savedList', { model: 'batch_mlp' });
    await client.call('playground/save', { id: '', name: 'quarter', request, withExpectation: true });
    const { blob, byteSize } = await client.call('playground/exportSaved', { model: 'batch_mlp' });
    const { base64 } = await client.call('blob/read', { blob, offset: 0, byteSize });
    const text = Buffer.from(base64, 'base64').toString();
    expect(text).toContain(raw.toString('base64'));
    expect(text).not.toContain('saved:');
    await client.call('playground/importSaved', {
      model: 'batch_mlp',
      blob: await upload(Buffer.from(text)),
    });
    const after = await client.call('playground/savedList', { model: 'batch_mlp' });
    expect(after).toHaveLength(2 * (before.length + 1));
    expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
    const copy = after.find(({ name }) => name === 'quarter');
    const run = await client.call('playground/runSaved', { model: 'batch_mlp', id: copy?.id ?? '' });
    expect(run).toMatchObject({ passed: true });
    for (const { id } of after) await client.call('playground/deleteSaved', { model: 'batch_mlp', id });
    const wrong = await upload(Buffer.from('{"format":"other"}'));
    await expect(
      client.call('playground/importSaved', { model: 'batch_mlp', blob: wrong }),
    ).rejects.toMatchObject({ code: 'INVALID_ARG' });
  });

  test('an expectation is checked, and an uploaded file survives the upload', async () => {
    const { client } = world;
    const raw = Buffer.alloc(64 * 4);
    const request = playgroundRequest('batch_mlp', [
      {
        name: 'FEATURES',
        datatype: 'FP32',
        shape: [1, 64],
        source: { kind: 'blob', blob: await upload(raw), format: 'raw' },
      },
    ]);
    const saved = await client.call('playground/save', {
      id: '',
      name: 'zeros',
      request,
      withExpectation: true,
    });
    const [input] = request.inputs;
    if (input?.source.kind === 'blob') await client.call('blob/release', { blob: input.source.blob });
    expect(await client.call('playground/runSaved', { model: 'batch_mlp', id: saved.id })).toMatchObject({
      passed: true,
      message: 'All outputs are as expected.',
    });
    expect(await client.call('playground/savedList', { model: 'batch_mlp' })).toHaveLength(1);
    await client.call('playground/deleteSaved', { model: 'batch_mlp', id: saved.id });
    expect(await client.call('playground/savedList', { model: 'batch_mlp' })).toEqual([]);
    await expect(
      client.call('playground/previewInput', { ...input, ...saved.request.inputs[0] } as never),
    ).rejects.toThrow('the file saved with this request is gone');
  });
});
