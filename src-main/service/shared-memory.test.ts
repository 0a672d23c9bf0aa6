// Shared memory regions: registration faults in the reference's words, reads and writes at offsets, deferred removal.
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { addLogSink, setLogSwitches } from '../base/log.ts';
import { contiguous } from '../inference/tensor-bytes.ts';
import { AbsentCudaSharedMemory } from './cuda-shared-memory.ts';
import { SharedMemoryNames } from './shared-memory-regions.ts';
import { SystemSharedMemory } from './system-shared-memory.ts';

let folder: string;
let memory: SystemSharedMemory;
let cuda: AbsentCudaSharedMemory;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'conch-shm-'));
  writeFileSync(
    path.join(folder, 'data'),
    Uint8Array.from({ length: 8192 }, (_, index) => index % 251),
  );
  const names = new SharedMemoryNames();
  memory = new SystemSharedMemory({ allowClient: true, names, folder });
  cuda = new AbsentCudaSharedMemory({ allowClient: true, names });
});
afterEach(() => {
  memory.close();
  rmSync(folder, { recursive: true });
});

const region = (change: object = {}): { name: string; key: string; offset: number; byteSize: number } => ({
  name: 'r',
  key: '/data',
  offset: 0,
  byteSize: 64,
  ...change,
});

describe('descriptors', () => {
  it.runIf(process.platform === 'linux')(
    'are one for all regions of a file, given back with the last',
    () => {
      const openCount = (): number => readdirSync('/proc/self/fd').length;
      const before = openCount();
      for (let index = 0; index < 200; index += 1) memory.register(region({ name: `r${index}` }));
      expect(openCount() - before).toBeLessThan(100);
      expect(() => memory.register(region({ name: 'long', byteSize: 9000 }))).toThrow('long');
      for (let index = 1; index < 200; index += 1) memory.unregister(`r${index}`);
      memory.write('r0', 0, 4, Uint8Array.of(9, 8, 7, 6));
      expect([...contiguous(memory.read('r0', 0, 4))]).toEqual([9, 8, 7, 6]);
    },
  );

  it('leave the others theirs: so many files, no more, until one is free', () => {
    const names = new SharedMemoryNames();
    const few = new SystemSharedMemory({ allowClient: true, names, folder, maxFiles: 2 });
    onTestFinished(() => few.close());
    for (const file of ['b', 'c']) writeFileSync(path.join(folder, file), new Uint8Array(64));
    few.register(region({ name: 'a', key: 'data' }));
    few.register(region({ name: 'b', key: 'b' }));
    few.register(region({ name: 'a2', key: 'data' }));
    expect(() => few.register(region({ name: 'c', key: 'c' }))).toThrow(
      "Unable to open shared memory region: 'c', 2 others are open",
    );
    few.unregister('a');
    expect(() => few.register(region({ name: 'c', key: 'c' }))).toThrow('2 others are open');
    few.unregister('a2');
    few.register(region({ name: 'c', key: 'c' }));
    // A file that was made anew under its key is another one.
    rmSync(path.join(folder, 'c'));
    writeFileSync(path.join(folder, 'c'), new Uint8Array(64).fill(5));
    few.unregister('b');
    few.register(region({ name: 'new', key: 'c' }));
    expect([...contiguous(few.read('new', 0, 1)), ...contiguous(few.read('c', 0, 1))]).toEqual([5, 0]);
  });
});

describe('registration', () => {
  const faults: readonly [string, object, string, string][] = [
    [
      'empty key',
      { key: '' },
      'INVALID_ARG',
      "cannot register shared memory region 'r' - invalid shm key ''",
    ],
    [
      'slashes only',
      { key: '///' },
      'INVALID_ARG',
      "cannot register shared memory region 'r' - invalid shm key '///'",
    ],
    [
      'reserved key',
      { key: '//triton_python_backend_shm_region_1' },
      'INVALID_ARG',
      "as the key contains the reserved prefix 'triton_python_backend_shm_region_'",
    ],
    ['missing object', { key: '/none' }, 'INTERNAL', "Unable to open shared memory region: '/none'"],
    [
      'leaving the folder',
      { key: '/../etc/passwd' },
      'INTERNAL',
      "Unable to open shared memory region: '/../etc/passwd'",
    ],
    ['a link', { key: '/link' }, 'INTERNAL', "Unable to open shared memory region: '/link'"],
    [
      'too large',
      { byteSize: 8193 },
      'INVALID_ARG',
      "failed to register shared memory region 'r': invalid args",
    ],
    [
      'offset too large',
      { offset: 8192, byteSize: 1 },
      'INVALID_ARG',
      "failed to register shared memory region 'r': invalid args",
    ],
    [
      'empty',
      { byteSize: 0 },
      'INVALID_ARG',
      "failed to register shared memory region 'r': unable to process address space",
    ],
    [
      'offset inside a page',
      { offset: 10 },
      'INVALID_ARG',
      "failed to register shared memory region 'r': unable to process address space",
    ],
  ];
  it.each(faults)('refuses %s', (_name, change, code, text) => {
    symlinkSync('/etc/passwd', path.join(folder, 'link'));
    let thrown: unknown;
    try {
      memory.register(region(change));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(text) as string });
    expect(memory.status('')).toEqual([]);
  });

  it('keeps one name space for both kinds and counts exactly', () => {
    memory.register(region());
    memory.register(region({ name: 'second', key: 'data' }));
    expect(memory.status('').map(({ name }) => name)).toEqual(['r', 'second']);
    expect(() => memory.register(region())).toThrow("shared memory region 'r' already in manager");
    expect(() => cuda.register({ name: 'r' })).toThrow("shared memory region 'r' already in manager");
    expect(() => cuda.status('r')).toThrow(
      "The region named 'r' is registered as system shared memory, not CUDA shared memory",
    );
    expect(() => cuda.register({ name: 'x' })).toThrow(
      "failed to register CUDA shared memory region: 'x', GPUs not supported",
    );
    memory.unregister('none');
    memory.unregister('');
    expect(memory.status('')).toEqual([]);
    expect(() => memory.status('r')).toThrow("Unable to find system shared memory region: 'r'");
    expect(() => cuda.status('r')).toThrow("Unable to find cuda shared memory region: 'r'");
  });

  it('is refused while clients may not use it, but status answers', () => {
    const names = new SharedMemoryNames();
    const closed = new SystemSharedMemory({ allowClient: false, names, folder });
    const text =
      "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.";
    expect(() => closed.register(region())).toThrow(text);
    expect(() => closed.unregister('')).toThrow(text);
    expect(() => new AbsentCudaSharedMemory({ allowClient: false, names }).unregister('')).toThrow(text);
    expect(closed.status('')).toEqual([]);
  });
});

describe('use', () => {
  it('reads and writes relative to the region, which may start inside the object', () => {
    memory.register(region({ offset: 4096, byteSize: 16 }));
    expect([...contiguous(memory.read('r', 2, 3))]).toEqual([4098 % 251, 4099 % 251, 4100 % 251]);
    memory.write('r', 8, 4, Uint8Array.of(1, 2, 3));
    expect([...readFileSync(path.join(folder, 'data')).subarray(4104, 4107)]).toEqual([1, 2, 3]);
  });

  it('refuses places outside the region', () => {
    memory.register(region());
    expect(() => memory.read('r', 64, 1)).toThrow("Invalid offset for shared memory region: 'r'");
    expect(() => memory.read('r', 60, 5)).toThrow("Invalid offset + byte size for shared memory region: 'r'");
    expect(() => memory.write('r', 0, 2, new Uint8Array(3))).toThrow('should be at least 3 bytes');
    expect(() => memory.read('none', 0, 1)).toThrow("Unable to find shared memory region: 'none'");
  });

  it('keeps a region that a request holds until the request lets go', () => {
    memory.register(region());
    const first = memory.retain('r', 'add');
    const second = memory.retain('r', 'add');
    const told: string[] = [];
    const removeSink = addLogSink(({ message }) => told.push(message));
    setLogSwitches({ verboseLevel: 1 });
    memory.unregister('r');
    setLogSwitches({ verboseLevel: 0 });
    removeSink();
    expect(told).toEqual([
      "Shared memory region 'r' will be unregistered after in-flight requests complete.",
    ]);
    memory.write('r', 0, 1, Uint8Array.of(9));
    expect(memory.status('')).toHaveLength(1);
    first();
    first();
    expect(memory.has('r')).toBe(true);
    second();
    expect(memory.has('r')).toBe(false);
    memory.register(region());
  });

  it('tells which models used a region, how often, and what became of its memory', () => {
    memory.register(region());
    memory.register(region({ name: 'idle', byteSize: 8192 }));
    const release = memory.retain('r', 'add');
    memory.retain('r', 'add')();
    memory.retain('r', 'double')();
    memory.unregister('r');
    const [used, idle] = memory.records();
    expect(used).toMatchObject({ ...region(), heldCount: 1, isLeaving: true, fault: undefined });
    expect([...(used?.tensorCounts ?? [])]).toEqual([
      ['add', 2],
      ['double', 1],
    ]);
    expect(used?.lastUsedAtMs).toBeGreaterThanOrEqual(used?.registeredAtMs ?? Infinity);
    expect(idle).toMatchObject({ name: 'idle', heldCount: 0, isLeaving: false, lastUsedAtMs: undefined });
    expect(idle?.tensorCounts.size).toBe(0);
    release();
    expect(memory.records().map(({ name }) => name)).toEqual(['idle']);
    truncateSync(path.join(folder, 'data'), 100);
    expect(memory.records()[0]?.fault).toBe('shortened');
    rmSync(path.join(folder, 'data'));
    expect(memory.records()[0]?.fault).toBe('removed');
    expect(cuda.records()).toEqual([]);
  });
});
