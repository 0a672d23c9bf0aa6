// Installing libraries out of made-up wheels: from a folder and from a host that breaks off, refuses and goes on; wrong
// digests, what the system has already, removal. The pinned versions must be those of the package that is installed.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import packageJson from '../../../package.json' with { type: 'json' };
import type { InstallOptions } from './install-libraries.ts';
import { installLibraries, neededWheels, removeLibraries } from './install-libraries.ts';
import { installedLibraries, libraryFolder } from './library-folder.ts';
import type { Wheel } from './wheels.ts';
import { WHEELS, WHEELS_FOR } from './wheels.ts';

/** A ZIP archive of files that are stored, not packed. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const heads: Buffer[] = [];
  const body: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    heads.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0'), fields, tail, Buffer.from(name)]));
    body.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(heads);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(heads.length, 4);
  end.writeUInt16LE(heads.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...body, directory, Buffer.from('PK\u0005\u0006'), end]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

const archives: Readonly<Record<string, Buffer>> = {
  'runtime.whl': zip({
    'onnxruntime/capi/libonnxruntime_providers_cuda.so': 'provider',
    'onnxruntime/capi/libonnxruntime.so.1.30.0': 'not this one',
    'onnxruntime/capi/readme.txt': 'nor this',
  }),
  'cublas.whl': zip({ 'nvidia/cu13/lib/libcublas.so.13': 'blas'.repeat(5000) }),
};

const wheels: readonly Wheel[] = Object.entries(archives).map(([file, bytes]) => ({
  title: file,
  file,
  byteSize: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  place: 'aa/bb',
  provides: file === 'cublas.whl' ? ['libcublas.so.13'] : [],
}));

let folder = '';
let options: InstallOptions;
let server: http.Server | undefined;
const reports: number[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'gpu-libraries-'));
  const native = path.join(folder, 'native');
  await mkdir(native);
  for (const name of ['onnxruntime_binding.node', 'libonnxruntime.so.1'])
    await writeFile(path.join(native, name), name);
  const from = path.join(folder, 'wheels');
  await mkdir(from);
  for (const [file, bytes] of Object.entries(archives)) await writeFile(path.join(from, file), bytes);
  reports.length = 0;
  options = {
    folder: path.join(folder, 'installed'),
    native,
    wheels,
    from,
    signal: new AbortController().signal,
    report: (bytes) => reports.push(bytes),
  };
});

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** A file host; `answer` may do something else with the n-th request, from 0. */
async function serve(answer: (index: number, response: http.ServerResponse, bytes: Buffer) => boolean) {
  const asked: string[] = [];
  server = http.createServer((request, response) => {
    const bytes = archives[path.posix.basename(request.url ?? '')] ?? Buffer.alloc(0);
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    asked.push(`${request.url} from ${start}`);
    if (answer(asked.length - 1, response, bytes)) return;
    response.writeHead(start > 0 ? 206 : 200).end(bytes.subarray(start));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { host: `http://127.0.0.1:${port}/`, asked };
}

test('libraries, runtime and binding come into one folder, which counts from then on', async () => {
  expect(installedLibraries(options.folder)).toBeUndefined();
  await installLibraries(options);
  expect(installedLibraries(options.folder)).toEqual({ preload: ['libcublas.so.13'], byteSize: 20_008 });
  expect(await readFile(path.join(options.folder, 'libcublas.so.13'), 'utf8')).toBe('blas'.repeat(5000));
  expect(await readFile(path.join(options.folder, 'libonnxruntime.so.1'), 'utf8')).toBe(
    'libonnxruntime.so.1',
  );
  expect(existsSync(path.join(options.folder, 'cublas.whl'))).toBe(false);
  await rm(path.join(options.folder, 'onnxruntime_binding.node'));
  expect(installedLibraries(options.folder)).toBeUndefined();
  expect(reports.at(-1)).toBe(wheels.reduce((sum, { byteSize }) => sum + byteSize, 0));
  expect(await removeLibraries(options.folder)).toBe(true);
  expect(await removeLibraries(options.folder)).toBe(false);
});

test('a download that breaks off goes on where it ended', async () => {
  const { host, asked } = await serve((index, response, bytes) => {
    if (index !== 1) return false;
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 9000), () => setTimeout(() => response.destroy(), 50));
    return true;
  });
  const online = { ...options, from: undefined, host };
  await expect(installLibraries(online)).rejects.toThrow(/cublas\.whl broke off after 9000 of \d+ bytes/);
  expect(installedLibraries(options.folder)).toBeUndefined();
  await installLibraries(online);
  expect(asked).toEqual([
    '/aa/bb/runtime.whl from 0',
    '/aa/bb/cublas.whl from 0',
    '/aa/bb/cublas.whl from 9000',
  ]);
  expect(installedLibraries(options.folder)?.preload).toEqual(['libcublas.so.13']);
});

test('a host that refuses, and one that is not there, are named', async () => {
  const { host } = await serve((_index, response) => {
    response.writeHead(403).end();
    return true;
  });
  await expect(installLibraries({ ...options, from: undefined, host })).rejects.toThrow(
    /runtime\.whl answers 403/,
  );
  const gone = 'http://127.0.0.1:9/';
  await expect(installLibraries({ ...options, from: undefined, host: gone })).rejects.toThrow(
    /cannot be reached/,
  );
});

test('a wheel with another content is refused and thrown away', async () => {
  const bytes = Buffer.from(archives['runtime.whl'] ?? '');
  bytes[bytes.length - 1] = 1;
  await writeFile(path.join(options.from ?? '', 'runtime.whl'), bytes);
  await expect(installLibraries(options)).rejects.toThrow('its digest differs');
  expect(existsSync(path.join(options.folder, 'runtime.whl.part'))).toBe(false);
  await rm(path.join(options.from ?? '', 'runtime.whl'));
  await expect(installLibraries(options)).rejects.toThrow('runtime.whl cannot be read from');
});

test('cancelled, it stops and counts as not installed', async () => {
  const signal = AbortSignal.abort(new Error('cancelled by the user'));
  await expect(installLibraries({ ...options, signal })).rejects.toThrow('cancelled by the user');
  expect(installedLibraries(options.folder)).toBeUndefined();
});

test('what the system has is not fetched', async () => {
  const listed = '\tlibcublas.so.13 (libc6,x86-64) => /usr/lib/libcublas.so.13\n';
  expect((await neededWheels(wheels, () => Promise.resolve(listed))).map(({ file }) => file)).toEqual([
    'runtime.whl',
  ]);
  expect(await neededWheels(wheels, () => Promise.reject(new Error('no ldconfig')))).toHaveLength(2);
});

test('the pinned wheels fit the version of onnxruntime-node that is installed', () => {
  expect(WHEELS_FOR).toBe(packageJson.dependencies['onnxruntime-node']);
  expect(WHEELS[0]?.file).toContain(`-${WHEELS_FOR}-`);
  for (const { sha256, byteSize } of WHEELS) expect([sha256.length, byteSize > 0]).toEqual([64, true]);
  expect(libraryFolder('1.2.3', { XDG_DATA_HOME: '/data' })).toBe('/data/conch/gpu/1.2.3');
});
