// Everything at once: loads, unloads, overrides with good and bad content and requests of clients cross, with real
// model files. No request is lost, none sees half a model, and nothing is left behind.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeOnnx } from '../../../src-main/onnx/onnx-writer.ts';
import { seededRandom } from '../../../src-main/onnx/seeded-random.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';

/** A = I + add and B = I - add: an answer that mixes two models shows. */
function pair(add: number): Uint8Array {
  const tensor = (name: string) => ({ name, datatype: 'INT32' as const, shape: ['batch', 1] });
  return writeOnnx({
    graph: {
      name: 'pair',
      nodes: [
        { opType: 'Add', inputs: ['I', 'add'], outputs: ['A'] },
        { opType: 'Sub', inputs: ['I', 'add'], outputs: ['B'] },
      ],
      inputs: [tensor('I')],
      outputs: [tensor('A'), tensor('B')],
      initializers: [
        { name: 'add', datatype: 'INT32', dims: [1], data: new Uint8Array(Int32Array.of(add).buffer) },
      ],
    },
  });
}

const io = (name: string): string => `{ name: "${name}" data_type: TYPE_INT32 dims: [ 1 ] }`;
const CONFIG = `max_batch_size: 8 input [ ${io('I')} ] output [ ${io('A')}, ${io('B')} ]
instance_group { kind: KIND_CPU count: 1 } dynamic_batching { }`;
const OVERRIDE = JSON.stringify({
  backend: 'onnxruntime',
  max_batch_size: 8,
  input: [{ name: 'I', data_type: 'TYPE_INT32', dims: [1] }],
  output: ['A', 'B'].map((name) => ({ name, data_type: 'TYPE_INT32', dims: [1] })),
});
const ENSEMBLE = `platform: "ensemble" max_batch_size: 8 input [ ${io('I')} ] output [ ${io('A')}, ${io('B')} ]
ensemble_scheduling { step [ { model_name: "M" model_version: -1 input_map { key: "I" value: "I" }
  output_map { key: "A" value: "A" } output_map { key: "B" value: "B" } } ] }`;

const GONE =
  /Request for unknown model: '[ME]' (has no available versions|version 1 is not at ready state)|is not at ready state/;
const LOAD_ERRORS = new RegExp(
  [
    `^load failed for model '[ME]': version 1 is at UNAVAILABLE state: Internal: onnx runtime error`,
    `^load failed for model '[ME]': ensemble 'E' depends on 'M' which has no loaded version`,
    `^load failed for model '[ME]': ensemble E contains models that are not available`,
    `^failed to load '[ME]', (unexpected miss in global map|no version is available|failed to poll from model repository)`,
    `^failed to unload 'M', versions that are still available: 1`,
    `Newer operation has been applied to the model lifecycle`,
  ].join('|'),
);

let folder: string;
const before = process.env['TMPDIR'];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-storm-'));
  process.env['TMPDIR'] = folder;
});

afterEach(async () => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

it('loads, unloads, overrides and requests cross: whole answers, known errors, nothing left', async () => {
  const random = seededRandom(7);
  await using repository = await TempRepository.create({
    'M/config.pbtxt': CONFIG,
    'M/1/model.onnx': pair(1),
    'E/config.pbtxt': ENSEMBLE,
    'E/1/': '',
  });
  const engine = await startTestEngine(repository.path, {
    log: { info: false, warning: false, error: false },
  });
  const url = `http://127.0.0.1:${engine.ports.http}/v2`;
  const post = async (at: string, body: unknown): Promise<[number, Record<string, unknown>]> => {
    const reply = await fetch(`${url}/${at}`, { method: 'POST', body: JSON.stringify(body) });
    const text = await reply.text();
    return [reply.status, text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)];
  };
  const strange: string[] = [];
  let okCount = 0;
  let isOver = false;
  const client = async (model: string): Promise<void> => {
    while (!isOver) {
      const [status, body] = await post(`models/${model}/infer`, {
        inputs: [{ name: 'I', datatype: 'INT32', shape: [1, 1], data: [100] }],
      });
      if (status === 200) {
        const [a, b] = body['outputs'] as { data: number[] }[];
        okCount += 1;
        if ((a?.data[0] ?? 0) + (b?.data[0] ?? 0) !== 200) strange.push(JSON.stringify(body));
      } else if (!GONE.test(String(body['error']))) strange.push(String(body['error']));
    }
  };
  const file = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const turns = [
    () => post('repository/models/M/load', {}),
    () => post('repository/models/M/unload', {}),
    () => post('repository/models/E/load', {}),
    () => post('repository/models/E/unload', { parameters: { unload_dependents: true } }),
    () =>
      post('repository/models/M/load', {
        parameters: { config: OVERRIDE, 'file:1/model.onnx': file(pair(5)) },
      }),
    () =>
      post('repository/models/M/load', {
        parameters: { config: OVERRIDE, 'file:1/model.onnx': file(Buffer.from('bad')) },
      }),
    () => post('repository/models/M/load', { parameters: { config: '{"nonsense":' } }),
    async () => {
      await repository.write({ 'M/1/model.onnx': random() < 0.5 ? pair(2) : 'corrupt' });
      await repository.touch('M/1/model.onnx');
      return await post('repository/models/M/load', {});
    },
  ];
  const operator = async (): Promise<void> => {
    for (let step = 0; step < 12; step += 1) {
      const [status, body] = await (turns[Math.floor(random() * turns.length)] ?? turns[0])!();
      if (status !== 200 && !LOAD_ERRORS.test(String(body['error']))) strange.push(String(body['error']));
    }
  };
  const clients = ['M', 'M', 'E'].map(client);
  await Promise.all([operator(), operator(), operator()]);
  isOver = true;
  await Promise.all(clients);
  expect(strange).toEqual([]);
  await repository.write({ 'M/1/model.onnx': pair(3) });
  await repository.touch('M/1/model.onnx');
  expect((await post('repository/models/E/load', {}))[0]).toBe(200);
  const [, last] = await post('models/E/infer', {
    inputs: [{ name: 'I', datatype: 'INT32', shape: [1, 1], data: [100] }],
  });
  // An ensemble lists its two outputs the second one first (docs/reference/ensembles.md#responses).
  expect((last['outputs'] as { data: number[] }[]).map(({ data }) => data[0])).toEqual([97, 103]);
  await engine.repository.settled();
  const open = [...engine.repository.ready()];
  expect(
    open.map(({ id, runtime }) => [id.name, runtime.inflightCount, runtime.statistics.pendingCount]),
  ).toEqual(open.map(({ id }) => [id.name, 0, 0]));
  expect(okCount).toBeGreaterThan(0);
  expect((await engine.close()).isClean).toBe(true);
  // Private folders of file overrides went with their models.
  expect((await readdir(folder)).filter((name) => name.startsWith('folder'))).toEqual([]);
}, 120_000);
