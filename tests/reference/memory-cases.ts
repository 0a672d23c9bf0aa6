// The life of system shared memory.

import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { get, post } from './http-calls.ts';
import { ask, infer, wait } from './life-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';

const register = (name: string, body: object): WireCase =>
  post(`/v2/systemsharedmemory/region/${name}/register`, body);
const remove = (name: string): WireCase => post(`/v2/systemsharedmemory/region/${name}/unregister`);
const status = (name: string): WireCase => get(`/v2/systemsharedmemory/region/${name}/status`);

export const MEMORY: ReferenceCase = {
  name: 'shared memory',
  run: async (target) => {
    const key = `conch-asked-${target.side}-${target.pid}`;
    const file = path.join('/dev/shm', key);
    await writeFile(file, Buffer.from(Float32Array.from({ length: 1024 }, (_, index) => index).buffer));
    const shared = (model: string, parameters: object, output?: object): WireCase =>
      infer(model, {
        inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2], parameters }],
        ...(output === undefined ? {} : { outputs: [{ name: 'OUTPUT0', parameters: output }] }),
      });
    const region = (name: string, size = 8, offset?: number): object => ({
      shared_memory_region: name,
      shared_memory_byte_size: size,
      ...(offset === undefined ? {} : { shared_memory_offset: offset }),
    });
    const steps: readonly (WireCase | 'start' | 'finish')[] = [
      get('/v2/systemsharedmemory/status'),
      register('a', {}),
      register('a', { key: `/${key}` }),
      register('a', { byte_size: 64 }),
      register('a', { key: '/conch-no-such', byte_size: 64 }),
      register('a', { key: `/${key}`, byte_size: 5000 }),
      register('a', { key: `/${key}`, byte_size: 64, offset: 4096 }),
      register('a', { key: `/${key}`, byte_size: 64, offset: 8 }),
      register('a', { key: `/${key}`, byte_size: 0 }),
      register('a', { key: `/${key}`, byte_size: 'x' }),
      register('a', { key: 5, byte_size: 64 }),
      register('a', { key: `/${key}`, byte_size: -1 }),
      register('a', { key: '/triton_python_backend_shm_region_x', byte_size: 64 }),
      register('a', { key: `/${key}`, byte_size: 64 }),
      register('a', { key: `/${key}`, byte_size: 64 }),
      register('b', { key, byte_size: 128, offset: 0 }),
      get('/v2/systemsharedmemory/status'),
      status('a'),
      status('nope'),
      shared('echo', region('a')),
      shared('echo', region('a', 8, 8)),
      shared('echo', region('a', 8, 64)),
      shared('echo', region('a', 8, 60)),
      shared('echo', region('a', 7)),
      shared('echo', region('a', 12)),
      shared('echo', region('a', 65)),
      shared('echo', region('nope')),
      shared('echo', { shared_memory_region: 'a' }),
      shared('echo', { shared_memory_region: 'a', shared_memory_byte_size: 0 }),
      shared('echo', { shared_memory_region: 'a', shared_memory_byte_size: 'x' }),
      shared('echo', region('a', 8, -1)),
      shared('echo', { shared_memory_region: 5, shared_memory_byte_size: 8 }),
      shared('echo', region('a'), region('b')),
      shared('echo', region('a'), region('b', 4)),
      shared('echo', region('a'), region('b', 200)),
      shared('echo', region('a'), region('nope')),
      infer('echo', {
        inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2], data: [1, 2], parameters: region('a') }],
      }),
      'start',
      remove('a'),
      status('a'),
      register('a', { key: `/${key}`, byte_size: 64 }),
      'finish',
      status('a'),
      remove('a'),
      remove('nope'),
      post('/v2/systemsharedmemory/unregister'),
      get('/v2/systemsharedmemory/status'),
      get('/v2/cudasharedmemory/status'),
      post('/v2/cudasharedmemory/unregister'),
    ];
    const answers: unknown[] = [];
    let running: Promise<unknown> = Promise.resolve();
    for (const step of steps) {
      if (step === 'start') {
        running = ask(target, shared('slow', region('a')));
        await wait(150);
      } else if (step === 'finish') answers.push({ step: 'the running one', answer: await running });
      else {
        const [code, body] = (await ask(target, step)) as [number, string];
        answers.push({ step: step.name.replaceAll(key, '<key>'), code, body: body.replaceAll(key, '<key>') });
      }
    }
    await rm(file);
    return answers;
  },
};
