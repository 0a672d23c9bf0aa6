import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { unavailable } from '../../../src-shared/errors.ts';
import { systemClock } from '../../base/clock.ts';
import { GrpcInferClient } from '../../client/grpc-client.ts';
import type { ClientRequest } from '../../client/infer-client.ts';
import type { GrpcStreamResponse } from '../../grpc-wire/infer-message.ts';
import { EchoService } from '../../testing/echo-service.ts';
import { encodeTexts, int32Values } from '../../testing/tensors.ts';
import { defaultGrpcServerOptions } from './grpc-options.ts';
import { GrpcServer } from './grpc-server.ts';

const OPTIONS = { ...defaultGrpcServerOptions, port: 0 };

let service: EchoService;
let server: GrpcServer;
let client: GrpcInferClient;

async function start(change: Partial<typeof OPTIONS> = {}): Promise<void> {
  service = new EchoService();
  server = new GrpcServer({ service, clock: systemClock }, { ...OPTIONS, ...change });
  client = new GrpcInferClient(`127.0.0.1:${await server.start()}`, { clock: systemClock });
}

beforeEach(() => start());
afterEach(async () => {
  await client.close();
  await server.close();
  expect(service.usesHeld).toBe(0);
});

const int32 = (...values: number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);

function request(change: Partial<ClientRequest> = {}): ClientRequest {
  const input = { name: 'INPUT', datatype: 'INT32', shape: [1, 2], bytes: int32(1, 2) };
  return {
    model: 'echo',
    version: '',
    id: 'r1',
    inputs: [input],
    outputs: [],
    parameters: new Map(),
    ...change,
  };
}

describe('ModelInfer', () => {
  test('answers with raw outputs, the id and the parameters of the response', async () => {
    const exchange = await client.infer(request());
    expect(exchange).toMatchObject({ ok: true, status: 0 });
    const [response] = exchange.responses;
    expect(response).toMatchObject({ modelName: 'echo', modelVersion: '1', id: 'r1' });
    expect(response?.parameters.get('took')).toBe(7n);
    expect(int32Values(Uint8Array.from(response?.outputs[0]?.bytes ?? []))).toEqual([1, 2]);
    expect(response?.outputs[0]?.shape).toEqual([1, 2]);
  });

  test('an unknown model is NOT_FOUND with the lookup message', async () => {
    const exchange = await client.infer(request({ model: 'nope' }));
    expect(exchange).toMatchObject({
      ok: false,
      status: 5,
      error: "Request for unknown model: 'nope' is not found",
    });
  });

  test('a decoupled model is refused', async () => {
    const exchange = await client.infer(request({ model: 'burst' }));
    expect(exchange).toMatchObject({
      status: 12,
      error: "ModelInfer RPC doesn't support models with decoupled transaction policy",
    });
  });

  test('parameters reach the request', async () => {
    const parameters = new Map<string, string | bigint | boolean>([
      ['sequence_id', 42n],
      ['sequence_start', true],
      ['priority', 3n],
      ['timeout', 1000n],
      ['custom', 'x'],
    ]);
    await client.infer(request({ parameters }));
    expect(service.requests[0]).toMatchObject({
      correlationId: 42n,
      flags: 1,
      priority: 3n,
      timeoutUs: 1000,
    });
    expect(service.requests[0]?.parameters.get('custom')).toBe('x');
  });

  test('a timeout below 0 is taken as a very long one', async () => {
    await client.infer(request({ parameters: new Map([['timeout', -5n]]) }));
    expect(service.requests.at(-1)?.timeoutUs).toBe(2 ** 64);
  });

  test.each([
    [{ parameters: new Map([['triton_x', 'y']]) }, "parameter keys starting with 'triton_' are reserved"],
    [
      { parameters: new Map([['sequence_start', 'yes']]) },
      "invalid value type for 'sequence_start' parameter, expected bool_param.",
    ],
    [{ parameters: new Map([['priority', -1n]]) }, "invalid value for 'priority', expected value >= 0."],
    [{ inputs: [...request().inputs, ...request().inputs] }, "input 'INPUT' already exists in request"],
    [
      {
        outputs: [
          { name: 'a', classCount: 0 },
          { name: 'a', classCount: 0 },
        ],
      },
      "output 'a' already exists in request",
    ],
  ])('refuses %j', async (change, message) => {
    const exchange = await client.infer(request(change as Partial<ClientRequest>));
    expect(exchange.status).toBe(3);
    expect(exchange.error).toContain(message);
  });

  test.each([2, 2 ** 32 + 2, 2 ** 32])('classification by %i, in 32 bits', async (classCount) => {
    const exchange = await client.infer(request({ outputs: [{ name: 'INPUT', classCount }] }));
    const output = exchange.responses[0]?.outputs[0];
    const texts = ['2:1', '1:0:first'].slice(0, classCount % 2 ** 32);
    expect(output).toMatchObject({ datatype: 'BYTES', shape: [1, texts.length] });
    expect(output?.bytes).toEqual(Buffer.from(encodeTexts(texts)));
  });

  test('shared-memory inputs and outputs take no message bytes', async () => {
    service.regions.set('in', int32(5, 6));
    service.regions.set('out', new Uint8Array(8));
    const exchange = await client.infer(
      request({
        inputs: [{ ...request().inputs[0]!, region: { region: 'in', offset: 0, byteSize: 8 } }],
        outputs: [{ name: 'INPUT', classCount: 0, region: { region: 'out', offset: 0, byteSize: 8 } }],
      }),
    );
    expect(exchange.responses[0]?.outputs[0]?.bytes).toHaveLength(0);
    expect(int32Values(service.regions.get('out') ?? new Uint8Array())).toEqual([5, 6]);
  });

  test('a connection survives thousands of cancelled calls, and so does the call beside them', async () => {
    service.holdsRequests = true;
    const beside = client.infer(request());
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    for (let round = 1; round <= 20; round += 1) {
      const controller = new AbortController();
      const { signal } = controller;
      const calls = Array.from({ length: 100 }, () => client.infer(request(), { signal }));
      await vi.waitFor(() => expect(service.requests).toHaveLength(1 + round * 100));
      controller.abort(new Error('gone'));
      const ends = await Promise.allSettled(calls);
      expect(new Set(ends.map((end) => (end.status === 'rejected' ? String(end.reason) : '')))).toEqual(
        new Set(['Error: gone']),
      );
      await vi.waitFor(() => expect(service.requests.at(-1)?.isCancelled).toBe(true));
    }
    service.answerHeld();
    expect(await beside).toMatchObject({ ok: true, error: undefined });
  }, 30_000);

  test('a client that goes away cancels its request', async () => {
    service.holdsRequests = true;
    const controller = new AbortController();
    const exchange = client.infer(request(), { signal: controller.signal });
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    controller.abort(new Error('gone'));
    await expect(exchange).rejects.toThrow('gone');
    await vi.waitFor(() => expect(service.requests[0]?.isCancelled).toBe(true));
    service.answerHeld();
  });
});

describe('ModelStreamInfer', () => {
  function openStream() {
    const messages: GrpcStreamResponse[] = [];
    const end = Promise.withResolvers<{ code: number; details: string }>();
    const stream = client.stream({
      onMessage: (message) => messages.push(message),
      onEnd: (code, details) => end.resolve({ code, details }),
    });
    return { stream, messages, ended: end.promise };
  }

  test('non-decoupled answers keep the order of requests and carry the final flag', async () => {
    const { stream, messages, ended } = openStream();
    for (const id of ['a', 'b', 'c']) stream.send(request({ id }));
    stream.halfClose();
    await expect(ended).resolves.toMatchObject({ code: 0 });
    expect(messages.map(({ response }) => response.id)).toEqual(['a', 'b', 'c']);
    expect(messages.every(({ response }) => response.parameters.get('triton_final_response') === true)).toBe(
      true,
    );
  });

  test('a fault is a message with the id, and the stream goes on', async () => {
    const { stream, messages, ended } = openStream();
    stream.send(request({ id: 'bad', model: 'nope' }));
    stream.send(request({ id: 'good' }));
    stream.halfClose();
    await expect(ended).resolves.toMatchObject({ code: 0 });
    expect(messages[0]?.errorMessage).toContain('unknown model');
    expect(messages[0]?.response).toMatchObject({ id: 'bad', modelName: '' });
    expect(messages[1]).toMatchObject({ errorMessage: '' });
  });

  test('a request that its model refuses is not under way any more', async () => {
    vi.spyOn(service, 'infer').mockImplementationOnce((use) => {
      throw unavailable(`${use.name} takes none`);
    });
    const { stream, messages, ended } = openStream();
    stream.send(request({ id: 'refused' }));
    await vi.waitFor(() => expect(messages[0]?.errorMessage).toBe('echo takes none'));
    expect(server.handlerCount).toBe(1);
    stream.halfClose();
    await ended;
    expect(server.handlerCount).toBe(0);
  });

  test.each([1, 25, 2_147_483_647])(
    'a decoupled burst arrives whole with a pool of %d',
    async (maxResponsePoolSize) => {
      await client.close();
      await server.close();
      await start({ maxResponsePoolSize });
      const { stream, messages, ended } = openStream();
      const input = { name: 'INPUT', datatype: 'INT32', shape: [1, 2], bytes: int32(500, 0) };
      const parameters = new Map([['triton_enable_empty_final_response', true]]);
      stream.send(request({ model: 'burst', inputs: [input], parameters }));
      stream.halfClose();
      await ended;
      expect(messages).toHaveLength(501);
      expect(messages[0]?.response.parameters.get('triton_final_response')).toBe(false);
      expect(messages[500]?.response).toMatchObject({ id: 'r1', outputs: [] });
      expect(messages[500]?.response.parameters.get('triton_final_response')).toBe(true);
    },
  );

  test('without opting in, the final flag alone sends nothing', async () => {
    const { stream, messages, ended } = openStream();
    stream.send(request({ model: 'burst', inputs: [{ ...request().inputs[0]!, bytes: int32(0, 0) }] }));
    stream.halfClose();
    await ended;
    expect(messages).toEqual([]);
  });

  test('new messages are refused while stopping', async () => {
    const { stream, messages, ended } = openStream();
    stream.send(request());
    await vi.waitFor(() => expect(messages).toHaveLength(1));
    server.stopAccepting();
    stream.send(request());
    await vi.waitFor(() => expect(messages[1]?.errorMessage).toContain('GRPC server is shutting down'));
    stream.halfClose();
    await ended;
  });

  test('cancelling the stream cancels its requests', async () => {
    service.holdsRequests = true;
    const { stream } = openStream();
    stream.send(request());
    await vi.waitFor(() => expect(service.requests).toHaveLength(1));
    stream.cancel();
    await vi.waitFor(() => expect(service.requests[0]?.isCancelled).toBe(true));
    service.answerHeld();
  });
});

describe('management', () => {
  test('metadata, config, index and settings answer plain messages', async () => {
    expect(await client.manage('ServerMetadata', {})).toMatchObject({
      name: 'conch',
      extensions: ['classification'],
    });
    expect(await client.manage('ModelMetadata', { name: 'echo' })).toMatchObject({
      inputs: [{ shape: ['-1', '2'] }],
    });
    const { config } = (await client.manage('ModelConfig', { name: 'echo' })) as { config: object };
    expect(config).toMatchObject({
      name: 'echo',
      max_batch_size: 4,
      input: [{ data_type: 'TYPE_INT32', dims: ['2'] }],
    });
    const index = await client.manage('RepositoryIndex', {});
    expect(index['models']).toEqual([
      { name: 'echo', version: '1', state: 'READY', reason: '' },
      { name: 'raw', version: '', state: '', reason: '' },
    ]);
    expect(await client.manage('TraceSetting', {})).toMatchObject({
      settings: { trace_rate: { value: ['1000'] } },
    });
    const log = await client.manage('LogSettings', { settings: { log_verbose_level: { uint32_param: 2 } } });
    expect(log).toMatchObject({ settings: { log_verbose_level: { uint32_param: 2 } } });
  });

  test('load takes a config text and files, and refuses other parameters', async () => {
    const parameters = {
      config: { string_param: '{}' },
      'file:1/model.onnx': { bytes_param: Buffer.from('x') },
    };
    await client.manage('RepositoryModelLoad', { model_name: 'echo', parameters });
    expect(service.loads[0]?.parameters.configJson).toBe('{}');
    expect(service.loads[0]?.parameters.files?.get('1/model.onnx')).toEqual(Buffer.from('x'));
    const bad = client.manage('RepositoryModelLoad', {
      model_name: 'echo',
      parameters: { x: { bool_param: true } },
    });
    await expect(bad).rejects.toMatchObject({ code: 3, details: "unrecognized load parameter 'x'." });
    const wrong = client.manage('RepositoryModelLoad', {
      model_name: 'e',
      parameters: { config: { bool_param: true } },
    });
    await expect(wrong).rejects.toMatchObject({
      details: "invalid value type for load parameter 'config', expected string_param.",
    });
  });

  test('a failing load keeps its message', async () => {
    const load = client.manage('RepositoryModelLoad', { model_name: 'broken' });
    await expect(load).rejects.toMatchObject({
      code: 3,
      details: expect.stringContaining("load failed for model 'broken'") as string,
    });
  });

  test('a restricted rpc needs its key', async () => {
    await client.close();
    await server.close();
    await start({
      restricted: [{ categories: ['model-repository', 'inference'], header: 'key', value: 'secret' }],
    });
    const call = client.manage('RepositoryIndex', {});
    await expect(call).rejects.toMatchObject({
      code: 14,
      details: "This protocol is restricted, expecting header 'triton-grpc-protocol-key'",
    });
    expect((await client.infer(request())).error).toContain('This protocol is restricted');
    await expect(client.manage('ServerLive', {})).resolves.toEqual({ live: true });
  });

  test('health says so while stopping', async () => {
    service.isStopping = true;
    await expect(client.manage('ServerReady', {})).rejects.toMatchObject({
      code: 14,
      details: 'Server exiting',
    });
  });
});
