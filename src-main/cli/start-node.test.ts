// Which Node the `conch` command runs the program on.

import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const command = path.resolve(import.meta.dirname, '../../bin/conch.mjs');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-bin-'));
  await mkdir(path.join(folder, 'bin'));
  await mkdir(path.join(folder, 'out/main'), { recursive: true });
  await copyFile(command, path.join(folder, 'bin/conch.mjs'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'out/main/conch.js'), "process.stdout.write('here');");
});
afterEach(() => rm(folder, { recursive: true }));

/** The Node that npm puts beside the program; this one only says that it was asked. */
async function addNodeBeside(): Promise<void> {
  const file = path.join(folder, 'node_modules/node/bin/node');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '#!/bin/sh\nprintf beside\n');
  await chmod(file, 0o755);
}

/** What the command prints when its Node says that it is `version`. */
async function startOn(
  version: string,
  { args: own = [], env = {} }: { readonly args?: readonly string[]; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const versions = `{ ...process.versions, node: '${version}' }`;
  const claim = `Object.defineProperty(process, 'versions', { value: ${versions} })`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(claim)}`];
  const command = [...args, path.join(folder, 'bin/conch.mjs'), ...own];
  const outcome = await run(process.execPath, command, { env: { ...process.env, ...env } }).catch(
    (thrown: unknown) => thrown as { readonly stdout: string; readonly stderr: string },
  );
  return outcome.stdout + outcome.stderr;
}

describe.skipIf(process.platform !== 'linux')('the settings of glibc', () => {
  const NAMES = [
    'MALLOC_ARENA_MAX',
    'MALLOC_TRIM_THRESHOLD_',
    'MALLOC_MMAP_THRESHOLD_',
    'GLIBC_TUNABLES',
    'CONCH_MEMORY_SETTINGS',
  ];
  const SAYS = `process.stdout.write(JSON.stringify([
    ${JSON.stringify(NAMES)}.map((name) => process.env[name] ?? ''), process.argv.slice(2)]))`;
  const UNSET = Object.fromEntries(NAMES.map((name) => [name, undefined]));
  const arenas = String(Math.max(2, os.availableParallelism()));

  test.each<[string, readonly string[], NodeJS.ProcessEnv, readonly string[]]>([
    [
      'keep freed memory for the next tensors in a server',
      ['serve', '--http-port=0'],
      {},
      [arenas, '134217728', '33554432', 'glibc.malloc.hugetlb=1', NAMES.slice(0, 4).join(',')],
    ],
    [
      'are what its environment says, where it does',
      ['serve'],
      { MALLOC_ARENA_MAX: '7', GLIBC_TUNABLES: 'glibc.malloc.check=0' },
      ['7', '134217728', '33554432', 'glibc.malloc.check=0', NAMES.slice(1, 3).join(',')],
    ],
    ['are left alone in a command that ends', ['inspect', 'x'], {}, ['', '', '', '', '']],
  ])('%s', async (_, args, env, expected) => {
    await writeFile(path.join(folder, 'out/main/conch.js'), SAYS);
    const said = await startOn('24.9.0', { args, env: { ...UNSET, ...env } });
    expect(JSON.parse(said)).toEqual([expected, args]);
  });
});

describe.skipIf(process.platform === 'win32')('the program runs', () => {
  test.each(['24.9.0', '26.0.0'])('on Node %s itself', async (version) => {
    await addNodeBeside();
    expect(await startOn(version)).toBe('here');
  });

  test.each(['24.8.0', '20.19.0'])('on the Node beside it rather than on %s', async (version) => {
    await addNodeBeside();
    expect(await startOn(version)).toBe('beside');
  });

  test('on a Node that has to copy inputs where there is no other', async () => {
    expect(await startOn('24.0.0')).toBe('here');
  });

  test('not on a Node that is too old, and says so', async () => {
    expect(await startOn('22.20.0')).toContain('needs Node 24.0 or newer, this is');
  });
});
