// Checklist: system shared memory (Linux), over both protocols.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import { copyInputs, FakeBackend } from '../../../src-main/testing/fake-backend.ts';
import { checklist } from './checklist.ts';
import { echo, model } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { int32Bytes, int32Values } from './grpc-caller.ts';

const FOLDER = '/dev/shm';
const KEY = `/conch_checklist_${process.pid}`;
const PAGE = 65_536;
const missing = existsSync(FOLDER) ? undefined : 'there is no /dev/shm';

let server: ChecklistServer;
const backend = new FakeBackend();
const held: InferenceRequest[] = [];
let arrived: () => void = () => undefined;

if (missing === undefined) {
  beforeAll(async () => {
    backend.scripts.set('held', {
      execute: (payload) => {
        held.push(...payload.requests);
        arrived();
        return Promise.resolve();
      },
    });
    server = await ChecklistServer.start(
      {
        ...model('pair', {
          inputs: [
            ['INPUT0', 'INT32', [-1]],
            ['INPUT1', 'INT32', [-1]],
          ],
        }),
        ...echo('held', 'INT32', [-1], { backend: 'fake' }),
      },
      { sharedMemory: { allowClient: true } },
      { backends: [backend] },
    );
  });
  beforeEach(async () => {
    writeFileSync(FOLDER + KEY, Buffer.alloc(2 * PAGE));
    await post('/v2/systemsharedmemory/unregister');
  });
  afterAll(async () => {
    rmSync(FOLDER + KEY, { force: true });
    await server.close();
  });
}

const base = '/v2/systemsharedmemory';
const post = (path: string, body: object | string = '') =>
  server.answer({ path, body: typeof body === 'string' ? body : JSON.stringify(body) });
const register = (name: string, change: object = {}) =>
  post(`${base}/region/${name}/register`, { key: KEY, offset: 0, byte_size: 64, ...change });
const status = async (): Promise<unknown> =>
  JSON.parse((await server.http({ path: `${base}/status` })).text) as unknown;
const grpcStatus = async () =>
  (await server.grpc.call('SystemSharedMemoryStatus', {})).response?.['regions'] as object;
const write = (offset: number, ...values: number[]): void => {
  const whole = readFileSync(FOLDER + KEY);
  int32Bytes(...values).copy(whole, offset);
  writeFileSync(FOLDER + KEY, whole);
};
const read = (offset: number, count: number): number[] =>
  int32Values(readFileSync(FOLDER + KEY).subarray(offset, offset + count * 4));

const place = (region: string, byteSize: number, offset?: number) => ({
  shared_memory_region: region,
  shared_memory_byte_size: byteSize,
  ...(offset === undefined ? {} : { shared_memory_offset: offset }),
});
const input = (name: string, parameters: object, count = 2) => ({
  name,
  datatype: 'INT32',
  shape: [count],
  parameters,
});
const inline = (name: string, ...data: number[]) => ({ name, datatype: 'INT32', shape: [data.length], data });

/** HTTP status and error of a request whose first input comes from shared memory, and the same over gRPC. */
async function refusals(parameters: Record<string, string | number>): Promise<unknown[]> {
  const { status: code, text } = await server.post('pair/infer', {
    inputs: [input('INPUT0', parameters), inline('INPUT1', 1, 2)],
  });
  const answer = await server.grpc.call('ModelInfer', {
    model_name: 'pair',
    inputs: [
      input(
        'INPUT0',
        Object.fromEntries(
          Object.entries(parameters).map(([key, value]) => [
            key,
            typeof value === 'string' ? { string_param: value } : { int64_param: value },
          ]),
        ),
      ),
      { name: 'INPUT1', datatype: 'INT32', shape: [2] },
    ],
    raw_input_contents: [int32Bytes(1, 2)],
  });
  return [code, (JSON.parse(text) as { error: string }).error, answer.code, answer.details];
}

const DISABLED = `Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.`;

checklist(
  'Shared memory',
  {
    'a default server refuses register and unregister and has an empty status': async () => {
      await using plain = await ChecklistServer.start(echo('m', 'INT32', [1]));
      for (const kind of ['system', 'cuda']) {
        const path = `/v2/${kind}sharedmemory`;
        const body = JSON.stringify({
          key: KEY,
          byte_size: 64,
          device_id: 0,
          raw_handle: { b64: Buffer.alloc(64).toString('base64') },
        });
        for (const call of ['region/r/register', 'region/r/unregister', 'unregister']) {
          expect(await plain.answer({ path: `${path}/${call}`, body })).toEqual([
            501,
            `{"error":"${DISABLED}"}`,
          ]);
        }
        expect(await plain.answer({ path: `${path}/status` })).toEqual([200, '[]']);
        const rpc = kind === 'system' ? 'System' : 'Cuda';
        expect(await plain.grpc.call(`${rpc}SharedMemoryUnregister`, {})).toMatchObject({
          code: 12,
          details: DISABLED,
        });
        expect(
          await plain.grpc.call(`${rpc}SharedMemoryRegister`, {
            name: 'r',
            key: KEY,
            byte_size: 64,
            raw_handle: Buffer.alloc(64),
          }),
        ).toMatchObject({ code: 12, details: DISABLED });
        expect((await plain.grpc.call(`${rpc}SharedMemoryStatus`, {})).response).toEqual({ regions: {} });
      }
    },
    'register twice': async () => {
      expect(await register('r')).toEqual([200, '']);
      expect(await register('r')).toEqual([400, `{"error":"shared memory region 'r' already in manager"}`]);
      expect(
        await server.grpc.call('SystemSharedMemoryRegister', { name: 'r', key: KEY, byte_size: 64 }),
      ).toMatchObject({ code: 6, details: "shared memory region 'r' already in manager" });
    },
    'unregister before register, unregister all when empty': async () => {
      expect(await post(`${base}/region/r/unregister`)).toEqual([200, '']);
      expect(await post(`${base}/unregister`)).toEqual([200, '']);
      expect((await server.grpc.call('SystemSharedMemoryUnregister', { name: 'r' })).code).toBe(0);
    },
    'status counts after register and unregister': async () => {
      await register('a');
      await register('b', { offset: PAGE });
      expect(await status()).toEqual([
        { name: 'a', key: KEY, offset: 0, byte_size: 64 },
        { name: 'b', key: KEY, offset: PAGE, byte_size: 64 },
      ]);
      expect(Object.keys(await grpcStatus())).toEqual(['a', 'b']);
      await post(`${base}/region/a/unregister`);
      expect(await server.answer({ path: `${base}/region/b/status` })).toEqual([
        200,
        `[{"name":"b","key":"${KEY}","offset":${PAGE},"byte_size":64}]`,
      ]);
      await server.grpc.call('SystemSharedMemoryUnregister', {});
      expect(await status()).toEqual([]);
    },
    'an input region larger than the tensor': async () => {
      await register('r');
      const words = expect.stringContaining("input byte size mismatch for input 'INPUT0'") as string;
      expect(await refusals(place('r', 64))).toEqual([400, words, 3, words]);
    },
    'a region registered with an offset, and data at a further offset': async () => {
      await register('r', { offset: PAGE });
      write(PAGE + 8, 5, 6);
      const { text } = await server.post('pair/infer', {
        inputs: [input('INPUT0', place('r', 8, 8)), inline('INPUT1', 1, 2)],
      });
      expect(text).toContain('"name":"OUTPUT0","datatype":"INT32","shape":[2],"data":[5,6]');
    },
    'raw and shared inputs, shared and ordinary outputs': async () => {
      await register('r');
      write(0, 7, 8);
      const { text } = await server.post('pair/infer', {
        inputs: [input('INPUT0', place('r', 8)), inline('INPUT1', 3, 4)],
        outputs: [{ name: 'OUTPUT0', parameters: place('r', 8, 32) }, { name: 'OUTPUT1' }],
      });
      expect(text).toContain(
        '"outputs":[{"name":"OUTPUT0","datatype":"INT32","shape":[2]},{"name":"OUTPUT1","datatype":"INT32","shape":[2],"data":[3,4]}]}',
      );
      expect(read(32, 2)).toEqual([7, 8]);
      const region = (offset: number) => ({
        shared_memory_region: { string_param: 'r' },
        shared_memory_offset: { int64_param: offset },
        shared_memory_byte_size: { int64_param: 8 },
      });
      const { response } = await server.grpc.call('ModelInfer', {
        model_name: 'pair',
        inputs: [input('INPUT0', region(0)), { name: 'INPUT1', datatype: 'INT32', shape: [2] }],
        outputs: [{ name: 'OUTPUT0' }, { name: 'OUTPUT1', parameters: region(40) }],
        raw_input_contents: [int32Bytes(1, 2)],
      });
      expect(response?.['raw_output_contents']).toEqual([int32Bytes(7, 8), Buffer.alloc(0)]);
      expect(read(40, 2)).toEqual([1, 2]);
    },
    'an output larger than its room': async () => {
      await register('r');
      const { status: code, text } = await server.post('pair/infer', {
        inputs: [inline('INPUT0', 1, 2), inline('INPUT1', 3, 4)],
        outputs: [{ name: 'OUTPUT0', parameters: place('r', 4) }],
      });
      expect([code, text]).toEqual([
        500,
        `{"error":"shared memory size specified with the request for output 'OUTPUT0' (4 bytes) should be at least 8 bytes to hold the results"}`,
      ]);
    },
    'offset beyond the region': async () => {
      await register('r');
      const words = "Invalid offset for shared memory region: 'r'";
      expect(await refusals(place('r', 8, 64))).toEqual([400, words, 3, words]);
    },
    'size beyond the region': async () => {
      await register('r');
      const words = "Invalid offset + byte size for shared memory region: 'r'";
      expect(await refusals(place('r', 8, 60))).toEqual([400, words, 3, words]);
    },
    'overflow (HTTP)': async () => {
      await register('r');
      const send = (offset: number) => {
        const body = `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[2],"parameters":{"shared_memory_region":"r","shared_memory_offset":${offset},"shared_memory_byte_size":18446744073709551615}}]}`;
        return server.post('pair/infer', body);
      };
      const { status: code, text } = await send(8);
      expect([code, text]).toEqual([400, expect.stringContaining('Integer overflow detected: byte_size ')]);
      // An offset outside the region is told first.
      expect((await send(64)).text).toBe(`{"error":"Invalid offset for shared memory region: 'r'"}`);
    },
    'register offset or size beyond the object': async () => {
      const words = `{"error":"failed to register shared memory region 'r': invalid args"}`;
      expect(await register('r', { byte_size: 2 * PAGE + 1 })).toEqual([400, words]);
      expect(await register('r', { offset: 2 * PAGE })).toEqual([400, words]);
    },
    'a key that does not exist': async () => {
      expect(await register('r', { key: '/conch_nothing' })).toEqual([
        500,
        `{"error":"Unable to open shared memory region: '/conch_nothing'"}`,
      ]);
    },
    'reserved and slash-only keys': async () => {
      expect(await register('r', { key: '///' })).toEqual([
        400,
        `{"error":"cannot register shared memory region 'r' - invalid shm key '///'"}`,
      ]);
      const reserved = await register('r', { key: '/triton_python_backend_shm_region_0' });
      expect(reserved).toEqual([400, expect.stringContaining("cannot register shared memory region 'r'")]);
      expect(reserved[1]).toContain("reserved prefix 'triton_python_backend_shm_region_'");
    },
    'a region that running requests only read from: listed, not free, and new requests prolong its life':
      async () => {
        const listed = [{ name: 'r', key: KEY, offset: 0, byte_size: 64 }];
        const overGrpc = async () => {
          const parameters = {
            shared_memory_region: { string_param: 'r' },
            shared_memory_byte_size: { int64_param: 8 },
          };
          const answer = await server.grpc.call('ModelInfer', {
            model_name: 'held',
            inputs: [input('INPUT0', parameters)],
          });
          return answer.code;
        };
        const overHttp = async () =>
          (await server.post('held/infer', { inputs: [input('INPUT0', place('r', 8))] })).status;
        await register('r');
        await register('free', { offset: PAGE });
        const running: Promise<number>[] = [];
        const start = async (call: () => Promise<number>): Promise<void> => {
          const taken = new Promise<void>((resolve) => (arrived = resolve));
          running.push(call());
          await taken;
        };
        await start(overHttp);
        expect(await post(`${base}/unregister`)).toEqual([200, '']);
        expect(await status()).toEqual(listed);
        await start(overGrpc);
        expect((await server.grpc.call('SystemSharedMemoryUnregister', { name: 'r' })).code).toBe(0);
        for (const request of held.splice(0, 1)) {
          void request.respondOutputs(copyInputs(request), true);
          request.release();
        }
        expect(await running[0]).toBe(200);
        expect(await status()).toEqual(listed);
        expect(await register('r')).toEqual([400, `{"error":"shared memory region 'r' already in manager"}`]);
        for (const request of held.splice(0)) {
          void request.respondOutputs(copyInputs(request), true);
          request.release();
        }
        expect(await running[1]).toBe(0);
        expect(await status()).toEqual([]);
        expect(await register('r')).toEqual([200, '']);
      },
    'unregister while one and several requests run; status by name afterwards': async () => {
      for (const count of [1, 3]) {
        await register('r');
        write(0, 9, 10);
        const running = [];
        for (let i = 0; i < count; i += 1) {
          const taken = new Promise<void>((resolve) => (arrived = resolve));
          running.push(
            server.post('held/infer', {
              inputs: [input('INPUT0', place('r', 8))],
              outputs: [{ name: 'OUTPUT0', parameters: place('r', 8, 16) }],
            }),
          );
          await taken;
        }
        expect(await post(`${base}/region/r/unregister`)).toEqual([200, '']);
        for (const request of held.splice(0)) {
          void request.respondOutputs(copyInputs(request), true);
          request.release();
        }
        for (const reply of running) expect((await reply).status).toBe(200);
        expect(read(16, 2)).toEqual([9, 10]);
        expect(await server.answer({ path: `${base}/region/r/status` })).toEqual([
          404,
          `{"error":"Unable to find system shared memory region: 'r'"}`,
        ]);
      }
    },
  },
  missing,
);
