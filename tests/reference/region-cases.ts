// System shared memory over gRPC: regions that cannot be, and inputs and outputs at places that they do not have.

import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { grpcCall } from './grpc-exchange.ts';
import type { ReferenceCase } from './reference-case.ts';

const text = (value: string): PlainMessage => ({ string_param: value });
const number = (value: number | string): PlainMessage => ({ int64_param: value });
const place = (name: string, size?: number | string, offset?: number | string): PlainMessage => ({
  shared_memory_region: text(name),
  ...(size === undefined ? {} : { shared_memory_byte_size: number(size) }),
  ...(offset === undefined ? {} : { shared_memory_offset: number(offset) }),
});
const INPUTS: readonly PlainMessage[] = [
  place('a', 8),
  place('a', 8, 56),
  place('a', 8, 60),
  place('a', 8, 64),
  place('a', 8, '-1'),
  place('a', 8, '9223372036854775807'),
  place('a', 7),
  place('a', 9),
  place('a'),
  place('nope', 8),
  { shared_memory_byte_size: number(8) },
  { shared_memory_offset: number(8) },
  { shared_memory_region: number(8) },
  { ...place('a', 8), other: text('x') },
  { shared_memory_region: text('a'), shared_memory_byte_size: { uint64_param: 8 } },
];
const OUTPUTS: readonly PlainMessage[] = [
  place('a', 8, 8),
  place('a', 4),
  place('a', 100),
  place('a', 8, 60),
  place('a', 8, 64),
  place('nope', 8),
  place('a'),
  { shared_memory_offset: number(0) },
  { ...place('a', 8), classification: number(1) },
];

const name = (value: unknown): string => JSON.stringify(value);

// A key that is registered already cannot be opened again in the reference: each region has a name of its own there.
export const REGIONS: ReferenceCase = {
  name: 'shared memory over gRPC',
  run: async ({ side, pid, grpcPort }) => {
    const key = `conch-regions-${side}-${pid}`;
    const file = path.join('/dev/shm', key);
    await writeFile(file, Buffer.alloc(4096));
    const answers: unknown[] = [];
    const call = async (rpc: string, message: PlainMessage): Promise<void> => {
      const answer = await grpcCall(grpcPort, rpc, message);
      answers.push({
        step: `${rpc} ${name(message)}`.replaceAll(key, '<key>').slice(0, 200),
        answer: JSON.parse(name(answer).replaceAll(key, '<key>')) as unknown,
      });
    };
    const register = (region: string, more: PlainMessage): Promise<void> =>
      call('SystemSharedMemoryRegister', { name: region, key: `/${key}`, ...more });
    const infer = (input: PlainMessage, output?: PlainMessage): Promise<void> =>
      call('ModelInfer', {
        model_name: 'echo',
        inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [2], parameters: input }],
        outputs: output === undefined ? [] : [{ name: 'OUTPUT0', parameters: output }],
      });
    await register('b', { byte_size: 64, offset: 4096 });
    await register('b', { byte_size: 4096, offset: 1 });
    await register('b', { byte_size: '18446744073709551615' });
    await register('a', { byte_size: 64 });
    await register('a', { byte_size: 64 });
    for (const region of ['', 'a', 'nope']) await call('SystemSharedMemoryStatus', { name: region });
    await call('CudaSharedMemoryStatus', { name: 'a' });
    for (const input of INPUTS) await infer(input);
    for (const output of OUTPUTS) await infer(place('a', 8), output);
    await call('CudaSharedMemoryUnregister', { name: 'a' });
    for (const region of ['nope', 'a', 'a', '']) await call('SystemSharedMemoryUnregister', { name: region });
    await call('SystemSharedMemoryStatus', {});
    await rm(file);
    return answers;
  },
};
