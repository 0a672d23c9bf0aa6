// Checklist: repository and life cycle.

import { afterAll, beforeAll, expect } from 'vitest';
import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import { copyInputs, FakeBackend } from '../../../src-main/testing/fake-backend.ts';
import { identityModel } from '../../../src-main/testing/onnx-test-models.ts';
import { checklist } from './checklist.ts';
import { configText, echo, toldEnsemble, promptModels } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { int32Request } from './grpc-caller.ts';

let server: ChecklistServer;
const backend = new FakeBackend();
const held: InferenceRequest[] = [];
let arrived: () => void = () => undefined;

const files = {
  ...promptModels(),
  ...toldEnsemble(),
  ...echo('m', 'INT32', [-1]),
  ...echo('held', 'INT32', [1], { backend: 'fake' }),
  ...echo('versions', 'INT32', [1]),
  'onnx/config.pbtxt': configText({
    backend: 'onnxruntime',
    maxBatchSize: 8,
    inputs: [['INPUT', 'FP32', [4]]],
    outputs: [['OUTPUT', 'FP32', [4]]],
  }),
  'onnx/1/model.onnx': identityModel('FP32', ['batch', 4]),
  'broken/config.pbtxt': 'backend: "onnxruntime" max_batch_size: 0',
  'broken/1/model.onnx': 'this is no model',
  'never/config.pbtxt': configText({ inputs: [['INPUT0', 'INT32', [1]]] }),
  'never/1/': '',
};

beforeAll(async () => {
  backend.scripts.set('held', {
    execute: (payload) => {
      held.push(...payload.requests);
      arrived();
      return Promise.resolve();
    },
  });
  const startupModels = ['m', 'held', 'versions', 'onnx', 'told', 'pass', 'tell'];
  server = await ChecklistServer.start(files, { repository: { startupModels } }, { backends: [backend] });
});
afterAll(() => server.close());

interface IndexEntry {
  readonly name: string;
  readonly version?: string;
  readonly state?: string;
  readonly reason?: string;
}

const control = (name: string, action: string, body: object | string = '') =>
  server.answer({
    path: `/v2/repository/models/${name}/${action}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const load = (name: string, parameters?: object) =>
  control(name, 'load', parameters === undefined ? '' : { parameters });
const unload = (name: string, parameters?: object) =>
  control(name, 'unload', parameters === undefined ? '' : { parameters });
const index = async (): Promise<readonly IndexEntry[]> =>
  JSON.parse((await server.http({ path: '/v2/repository/index', method: 'POST' })).text) as IndexEntry[];
const isReady = async (name: string): Promise<readonly [number, unknown]> => [
  (await server.http({ path: `/v2/models/${name}/ready` })).status,
  (await server.grpc.call('ModelReady', { name })).response?.['ready'],
];
const infer = (path: string) =>
  server.post(`${path}/infer`, {
    inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [1] }],
  });
const POLL_FAULT = (name: string): string =>
  `{"error":"failed to load '${name}', failed to poll from model repository"}`;

checklist('Repository and life cycle', {
  'a bad config override: failed, the old instance still ready': async () => {
    expect(await load('onnx', { config: '{"max_batch_size": }' })).toEqual([500, POLL_FAULT('onnx')]);
    expect(await load('onnx', { config: '{"no_such_field":1}' })).toEqual([500, POLL_FAULT('onnx')]);
    expect(await isReady('onnx')).toEqual([200, true]);
  },
  'load with `config` {"max_batch_size":"16"}': async () => {
    const config = JSON.stringify({
      backend: 'onnxruntime',
      max_batch_size: '16',
      input: [{ name: 'INPUT', data_type: 'TYPE_FP32', dims: ['4'] }],
      output: [{ name: 'OUTPUT', dataType: 'TYPE_FP32', dims: [4] }],
    });
    expect(await load('onnx', { config })).toEqual([200, '']);
    const shown = JSON.parse((await server.http({ path: '/v2/models/onnx/config' })).text) as object;
    expect(shown).toMatchObject({ name: 'onnx', max_batch_size: 16 });
  },
  'load with a `file:` whose name exceeds 255 bytes': async () => {
    const parameters = { config: '{"backend":"onnxruntime"}', [`file:1/${'x'.repeat(256)}`]: 'YQ==' };
    expect(await load('onnx', parameters)).toEqual([500, POLL_FAULT('onnx')]);
    expect((await server.http({ path: '/v2/health/ready' })).status).toBe(200);
  },
  'load in mode none or poll': async () => {
    const words = 'explicit model load / unload is not allowed if polling is enabled';
    for (const controlMode of ['none', 'poll'] as const) {
      await using fixed = await ChecklistServer.start(echo('m', 'INT32', [1]), {
        repository: { controlMode },
      });
      for (const action of ['load', 'unload'] as const) {
        const path = `/v2/repository/models/m/${action}`;
        expect(await fixed.answer({ path, method: 'POST' })).toEqual([503, `{"error":"${words}"}`]);
        const rpc = action === 'load' ? 'RepositoryModelLoad' : 'RepositoryModelUnload';
        expect(await fixed.grpc.call(rpc, { model_name: 'm' })).toMatchObject({ code: 14, details: words });
      }
      expect((await fixed.http({ path: '/v2/models/m/ready' })).status).toBe(200);
    }
  },
  'unload of an unknown model succeeds': async () => {
    expect(await unload('nowhere')).toEqual([200, '']);
    expect((await server.grpc.call('RepositoryModelUnload', { model_name: 'nowhere' })).code).toBe(0);
  },
  'unload, then ready is false on both protocols; infer with and without version': async () => {
    expect(await unload('m')).toEqual([200, '']);
    expect(await isReady('m')).toEqual([400, false]);
    expect(await server.answer({ path: '/v2/models/m/ready' })).toEqual([
      400,
      '{"error":"Model version not ready"}',
    ]);
    const { status, text } = await infer('m/versions/1');
    expect([status, text]).toEqual([
      503,
      `{"error":"Request for unknown model: 'm' version 1 is not at ready state"}`,
    ]);
    const any = await infer('m');
    expect([any.status, any.text]).toEqual([
      404,
      `{"error":"Request for unknown model: 'm' has no available versions"}`,
    ]);
    expect(
      await server.grpc.call('ModelInfer', int32Request('m', [1], { model_version: '1' })),
    ).toMatchObject({
      code: 14,
      details: "Request for unknown model: 'm' version 1 is not at ready state",
    });
    expect(await load('m')).toEqual([200, '']);
    expect((await infer('m')).status).toBe(200);
  },
  'load of an unknown model': async () => {
    expect(await load('nowhere')).toEqual([500, POLL_FAULT('nowhere')]);
    expect(await server.grpc.call('RepositoryModelLoad', { model_name: 'nowhere' })).toMatchObject({
      code: 13,
      details: "failed to load 'nowhere', failed to poll from model repository",
    });
  },
  'a reload while requests run loses none': async () => {
    const taken = new Promise<void>((resolve) => (arrived = resolve));
    const running = infer('held');
    await taken;
    await server.repository.touch('held/config.pbtxt');
    const reloaded = load('held');
    const [request] = held.splice(0);
    // Answered by the old instance while, or after, the new one takes its place.
    void request?.respondOutputs(copyInputs(request), true);
    request?.release();
    expect([(await running).status, await reloaded]).toEqual([200, [200, '']]);
  },
  '`unload_dependents`': async () => {
    expect(await unload('told')).toEqual([200, '']);
    expect(await isReady('pass')).toEqual([200, true]);
    expect(await load('told')).toEqual([200, '']);
    expect(await unload('told', { unload_dependents: true })).toEqual([200, '']);
    expect(await isReady('told')).toEqual([400, false]);
  },
  'the index after load, failure and unload': async () => {
    const [status, text] = await load('broken');
    expect([status, text]).toEqual([
      400,
      expect.stringMatching(
        /^\{"error":"load failed for model 'broken': version 1 is at UNAVAILABLE state: \w+.*;\\n"\}$/,
      ),
    ]);
    expect(await unload('versions')).toEqual([200, '']);
    const entries = await index();
    const entry = (name: string) => entries.find((found) => found.name === name);
    expect(entry('onnx')).toEqual({ name: 'onnx', version: '1', state: 'READY' });
    expect(entry('never')).toEqual({ name: 'never' });
    expect(entry('versions')).toEqual({
      name: 'versions',
      version: '1',
      state: 'UNAVAILABLE',
      reason: 'unloaded',
    });
    expect(entry('broken')).toMatchObject({
      version: '1',
      state: 'UNAVAILABLE',
      reason: expect.stringMatching(/./) as string,
    });
    const { response } = await server.grpc.call('RepositoryIndex', { ready: true });
    const names = (response?.['models'] as IndexEntry[]).map(({ name }) => name);
    expect(names).toContain('onnx');
    expect(names).not.toContain('versions');
  },
});
