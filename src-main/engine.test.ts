// The engine as a whole: start set, start failures, serving over both protocols, stop.
import { readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { createEngine } from './create-engine.ts';
import { InferenceRequest, InferInput } from './inference/inference-request.ts';
import type { InferenceResponse } from './inference/inference-response.ts';
import { bytesOf } from './inference/tensor-bytes.ts';
import type { InferenceService } from './service/inference-service.ts';
import { fixture } from './testing/fixtures.ts';
import { startTestEngine, testEngineOptions } from './testing/start-test-engine.ts';
import { TempRepository } from './testing/temp-repository.ts';

const IDENTITY = `backend: "identity" max_batch_size: 4
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 16 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 16 ] } ]
instance_group [ { kind: KIND_CPU } ] dynamic_batching {}`;

async function infer(
  service: InferenceService,
  name: string,
  inputs: readonly string[],
  values: Int32Array,
): Promise<InferenceResponse> {
  const use = service.useModel(name, '');
  const { promise, resolve } = Promise.withResolvers<InferenceResponse>();
  const bytes = bytesOf(new Uint8Array(values.buffer));
  service.infer(
    use,
    new InferenceRequest({
      modelName: name,
      modelVersion: -1,
      inputs: inputs.map((input) => new InferInput(input, 'INT32', [1, values.length], bytes)),
      onResponse: (response) => {
        if (response !== undefined) resolve(response);
      },
    }),
  );
  const response = await promise;
  use.release();
  return response;
}

const numbers = Int32Array.from({ length: 16 }, (_, index) => index);

describe('engine', () => {
  it('serves a model of the start set over HTTP', async () => {
    await using repository = await TempRepository.create({ 'm/config.pbtxt': IDENTITY, 'm/1/': '' });
    await using engine = await startTestEngine(repository.path);
    expect(engine.service.isReady()).toBe(true);
    const response = await infer(engine.service, 'm', ['INPUT0'], numbers);
    expect(response.error).toBeUndefined();
    expect(response.outputs.map(({ name, shape }) => [name, shape])).toEqual([['OUTPUT0', [1, 16]]]);
    const url = `http://127.0.0.1:${engine.ports.http}/v2`;
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await (await fetch(`${url}/models/m`)).json()).toEqual({
      name: 'm',
      versions: ['1'],
      platform: 'identity',
      inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [-1, 16] }],
      outputs: [{ name: 'OUTPUT0', datatype: 'INT32', shape: [-1, 16] }],
    });
    expect(engine.service.statistics('m', '')[0]?.inferenceCount).toBe(1);
  });

  it('runs an ONNX model through onnxruntime', async () => {
    await using engine = await startTestEngine(fixture('models'), {
      repository: { startupModels: ['simple'] },
    });
    const response = await infer(engine.service, 'simple', ['INPUT0', 'INPUT1'], numbers);
    const values = response.outputs.map(({ name, bytes }) => [name, new Int32Array(bytes.slice().buffer)[3]]);
    expect(Object.fromEntries(values)).toEqual({ OUTPUT0: 6, OUTPUT1: 0 });
    const index = await engine.service.repositoryIndex({ readyOnly: true });
    expect(index).toEqual([{ name: 'simple', version: '1', state: 'READY' }]);
  });

  it('counts hits and misses of a model that asks for a cache, also where the server has none', async () => {
    await using repository = await TempRepository.create({
      'm/config.pbtxt': `${IDENTITY} response_cache { enable: true }`,
      'm/1/': '',
      'other/config.pbtxt': IDENTITY,
      'other/1/': '',
    });
    await using engine = await startTestEngine(repository.path, {
      metrics: { settings: [['summary_latencies', 'true']] },
    });
    await infer(engine.service, 'm', ['INPUT0'], numbers);
    const text = await (await fetch(`http://127.0.0.1:${engine.ports.metrics}/metrics`)).text();
    expect(text.match(/^nv_cache_num_(hits|misses)_per_model.*/gm)).toEqual([
      'nv_cache_num_hits_per_model{model="m",version="1"} 0',
      'nv_cache_num_misses_per_model{model="m",version="1"} 0',
    ]);
    expect(text.match(/^nv_inference_request_summary_us_count.*/gm)).toEqual([
      'nv_inference_request_summary_us_count{model="other",version="1"} 0',
    ]);
  });

  it('exposes a model on the metrics port while it serves, and no longer', async () => {
    await using repository = await TempRepository.create({ 'm/config.pbtxt': IDENTITY, 'm/1/': '' });
    await using engine = await startTestEngine(repository.path, {
      metrics: { settings: [['histogram_latencies', 'true']] },
    });
    await infer(engine.service, 'm', ['INPUT0'], numbers);
    const scrape = async (): Promise<string> =>
      await (await fetch(`http://127.0.0.1:${engine.ports.metrics}/metrics`)).text();
    const text = await scrape();
    expect(text).toContain('nv_inference_request_success{model="m",version="1"} 1');
    expect(text).toContain('nv_inference_first_response_histogram_ms_count{model="m",version="1"} 1');
    await engine.repository.load('m', { isForced: true });
    expect(await scrape()).toContain('nv_inference_request_success{model="m",version="1"} 1');
    await engine.repository.unload('m', { unloadDependents: false });
    expect(await scrape()).not.toContain('nv_inference_request_success{model="m"');
  });

  it('writes traces of requests that came over HTTP', async () => {
    await using repository = await TempRepository.create({ 'r/m/config.pbtxt': IDENTITY, 'r/m/1/': '' });
    const file = repository.at('trace.json');
    const engine = await startTestEngine(repository.at('r'), {
      trace: {
        settings: [
          { mode: '', key: 'level', value: 'TIMESTAMPS' },
          { mode: '', key: 'rate', value: '1' },
          { mode: 'triton', key: 'file', value: file },
        ],
      },
    });
    const body = JSON.stringify({
      inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1, 16], data: [...numbers] }],
    });
    const answer = await fetch(`http://127.0.0.1:${engine.ports.http}/v2/models/m/infer`, {
      method: 'POST',
      body,
    });
    expect(answer.status).toBe(200);
    await engine.close();
    const text = await readFile(file, 'utf8');
    for (const activity of [
      'HTTP_RECV_START',
      'REQUEST_START',
      'QUEUE_START',
      'COMPUTE_START',
      'REQUEST_END',
      'HTTP_SEND_END',
    ]) {
      expect(text).toContain(activity);
    }
    expect(text).toContain('"model_name":"m"');
  });

  it('runs an ensemble over other models and answers with their labels', async () => {
    const step = (model: string, from: string, to: string): string =>
      `step { model_name: "${model}" model_version: -1 input_map { key: "INPUT0" value: "${from}" }
       output_map { key: "OUTPUT0" value: "${to}" } }`;
    await using repository = await TempRepository.create({
      'a/config.pbtxt': IDENTITY.replace(
        'dims: [ 16 ] } ]\ninstance',
        'dims: [ 16 ] label_filename: "l.txt" } ]\ninstance',
      ),
      'a/1/': '',
      'a/l.txt': 'zero\none\n',
      'e/config.pbtxt': `platform: "ensemble" max_batch_size: 4
        input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 16 ] } ]
        output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 16 ] } ]
        ensemble_scheduling { ${step('a', 'INPUT0', 'between')} ${step('a', 'between', 'OUTPUT0')} }`,
      'e/1/': '',
    });
    await using engine = await startTestEngine(repository.path, { repository: { startupModels: ['e'] } });
    const response = await infer(engine.service, 'e', ['INPUT0'], numbers);
    expect(response.error).toBeUndefined();
    expect(new Int32Array(response.outputs[0]?.bytes.slice().buffer ?? new ArrayBuffer(0))).toEqual(numbers);
    expect(engine.service.statistics('a', '')[0]?.inferenceCount).toBe(2);
    const use = engine.service.useModel('e', '');
    expect(engine.service.label(use, 'OUTPUT0', 1)).toBe('one');
    use.release();
  });

  it('does not start under exit-on-error when a model of the start set fails', async () => {
    await using repository = await TempRepository.create({
      'good/config.pbtxt': IDENTITY,
      'good/1/': '',
      'bad/config.pbtxt': 'backend: "nobody" ' + IDENTITY.replace('backend: "identity"', ''),
      'bad/1/': '',
    });
    await expect(startTestEngine(repository.path)).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'failed to load all models',
    });
    await using engine = await startTestEngine(repository.path, { server: { exitOnError: false } });
    expect([engine.service.isLive(), engine.service.isReady()]).toEqual([true, false]);
    expect(await engine.service.isModelReady('good', '')).toBe(true);
    const reasons = (await engine.service.repositoryIndex({ readyOnly: false })).map(({ reason }) => reason);
    expect(reasons[0]).toBe(
      "Invalid argument: unable to find backend library for backend 'nobody', try specifying runtime on the model configuration.",
    );
  });

  it('runs uninitialised without a repository folder when told not to exit', async () => {
    await expect(startTestEngine('/nowhere/at/all')).rejects.toThrow('failed to stat file /nowhere/at/all');
    await using engine = await startTestEngine('/nowhere/at/all', { server: { exitOnError: false } });
    expect([engine.service.isLive(), engine.service.isReady()]).toEqual([false, false]);
    expect(engine.service.serverMetadata()).toMatchObject({ name: 'triton', version: '2.73.0' });
  });

  it('refuses control by the wire in modes none and poll', async () => {
    await using repository = await TempRepository.create({ 'm/config.pbtxt': IDENTITY, 'm/1/': '' });
    for (const controlMode of ['none', 'poll'] as const) {
      await using engine = await startTestEngine(repository.path, {
        repository: { controlMode, pollSec: 0 },
      });
      const message = 'explicit model load / unload is not allowed if polling is enabled';
      await expect(engine.service.loadModel('m', {})).rejects.toMatchObject({ code: 'UNAVAILABLE', message });
      await expect(engine.service.unloadModel('m', { unloadDependents: false })).rejects.toThrow(message);
      expect(await engine.service.isModelReady('m', '1')).toBe(true);
    }
  });

  it('answers what it accepted before it stops', async () => {
    await using repository = await TempRepository.create({
      'm/config.pbtxt': `${IDENTITY} parameters { key: "execute_delay_ms" value { string_value: "50" } }`,
      'm/1/': '',
    });
    const engine = await startTestEngine(repository.path);
    const answers = Array.from({ length: 9 }, () => infer(engine.service, 'm', ['INPUT0'], numbers));
    expect(await engine.close()).toEqual({ isClean: true });
    expect((await Promise.all(answers)).every(({ error }) => error === undefined)).toBe(true);
    expect(engine.service.isLive()).toBe(false);
    expect(() => engine.service.useModel('m', '')).toThrow('Server not ready');
  });

  it.each(['first', 'after-start-set'] as const)(
    'opens nothing when it is told to stop while its models are loaded (listens %s)',
    async (listen) => {
      await using repository = await TempRepository.create({ 'm/config.pbtxt': IDENTITY, 'm/1/': '' });
      const options = testEngineOptions(repository.path, { server: { listen } });
      let closed: Promise<unknown> | undefined;
      const engine = createEngine(options, {
        onStartSetTried: () => {
          closed = engine.close();
        },
      });
      await expect(engine.start()).rejects.toThrow('Server exiting');
      expect(await closed).toEqual({ isClean: true });
      expect(engine.ports).toEqual({ http: undefined, grpc: undefined, metrics: undefined });
    },
  );

  it('has no trace settings of a name that models of two namespaces share', async () => {
    await using repository = await TempRepository.create({
      'x/m/config.pbtxt': IDENTITY,
      'x/m/1/': '',
      'x/own/config.pbtxt': IDENTITY,
      'x/own/1/': '',
      'y/m/config.pbtxt': IDENTITY,
      'y/m/1/': '',
    });
    const options = testEngineOptions('', { repository: { controlMode: 'none', namespacing: true } });
    const paths = ['x', 'y'].map((folder) => repository.at(folder));
    const engine = createEngine({ ...options, repository: { ...options.repository, paths } });
    await engine.start();
    try {
      const { traceSettings } = engine.service;
      expect(traceSettings.get('own').traceRate).toBe('1000');
      expect(() => traceSettings.get('m')).toThrow('Request for unknown model : m');
      expect(() => traceSettings.update('m', [['trace_rate', ['1']]])).toThrow(
        'Request for unknown model : m',
      );
    } finally {
      await engine.close();
    }
  });

  it('closes listeners that are being opened', async () => {
    await using repository = await TempRepository.create();
    const engine = createEngine(testEngineOptions(repository.path));
    const advance = engine.state.advance.bind(engine.state);
    let closed: Promise<unknown> | undefined;
    // The ports are asked for in the same turn of the loop, and had in later ones.
    vi.spyOn(engine.state, 'advance').mockImplementation((phase) => {
      advance(phase);
      if (phase !== 'ready') return;
      queueMicrotask(() => {
        closed = engine.close();
      });
    });
    await expect(engine.start()).rejects.toThrow('Server exiting');
    expect(await closed).toEqual({ isClean: true });
    expect(engine.ports).toEqual({ http: undefined, grpc: undefined, metrics: undefined });
  });

  it('names the service whose port is taken', async () => {
    await using repository = await TempRepository.create();
    await using first = await startTestEngine(repository.path);
    const port = first.ports.http ?? 0;
    const options = testEngineOptions(repository.path);
    const second = createEngine({ ...options, http: { ...options.http, port } });
    await expect(second.start()).rejects.toThrow(
      `failed to start HTTP service: Unavailable - Socket '127.0.0.1:${port}' already in use `,
    );
  });
});
