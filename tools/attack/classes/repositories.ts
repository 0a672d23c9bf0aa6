// Model folders that no exporter writes: pipes, devices and endless links where files belong, names with newlines, files
// that change or vanish while they are loaded, and ten thousand folders at once. Each load has to end by itself.

import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { identityModel } from '../../../src-main/testing/onnx-test-models.ts';
import { attackClass } from '../attack-class.ts';
import type { Victim } from '../victim.ts';

const MANY_FOLDERS = 10_000;
const ONNX = identityModel('FP32', [1]);
const CONFIG = 'backend: "onnxruntime"';
const WARM = `${CONFIG} input { name: "INPUT" data_type: TYPE_FP32 dims: [ 1 ] } output { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 1 ] label_filename: "labels.txt" }
model_warmup { name: "w" batch_size: 0 inputs { key: "INPUT" value { data_type: TYPE_FP32 dims: [ 1 ] input_data_file: "data" } } }`;

/** What stands where a file or a folder belongs. */
const THINGS: Readonly<Record<string, (at: string) => Promise<void> | void>> = {
  'a pipe': (at) => void execFileSync('mkfifo', [at]),
  'a folder': async (at) => void (await mkdir(at)),
  'a link to /dev/zero': (at) => symlink('/dev/zero', at),
  'a link to /dev/random': (at) => symlink('/dev/random', at),
  'a link to a terminal': (at) => symlink('/dev/tty', at),
  'a link to itself': (at) => symlink(at, at),
  'a link to nothing': (at) => symlink('/nowhere/at/all', at),
  'a link to the root': (at) => symlink('/', at),
  'a link to a process': (at) => symlink('/proc/self/mem', at),
  'an empty file': (at) => writeFile(at, ''),
  'a file of three gigabytes': async (at) => {
    await writeFile(at, '');
    await truncate(at, 3 * 1024 ** 3);
  },
  'bytes of any kind': (at) => writeFile(at, Buffer.alloc(5000, 0xfe)),
  'a character device': (at) => void execFileSync('mknod', [at, 'c', '1', '5']),
  nothing: () => undefined,
};
const PLACES = [
  'config.pbtxt',
  '1',
  '1/model.onnx',
  'labels.txt',
  'warmup/data',
  'configs',
  '2',
  'warmup',
] as const;
const NAMES = [
  'plain',
  'new\nline',
  'a\\b',
  'quote\'"',
  '\u202eevil',
  '--help',
  ' blank ',
  'x'.repeat(200),
  'ümläut',
  '<b>',
  '%s%n',
  '.hidden',
  'a\tb',
];
const VERSIONS = ['1', '01', '0', '-1', '1.5', '99999999999999999999', 'new\nline', 'one', '1 '];
const TURNS = ['none', 'none', 'remove', 'rewrite config', 'rewrite model', 'rename', 'truncate'] as const;

interface Folder {
  readonly name: string;
  readonly place: (typeof PLACES)[number];
  readonly thing: string;
  readonly version: string;
  readonly config: string;
  /** What happens to it while it is loaded. */
  readonly turn: (typeof TURNS)[number];
  readonly afterMs: number;
  readonly extraVersions: number;
}

function make(random: Random, index: number): Folder {
  const isThing = random.below(3) > 0;
  return {
    name: `r${Math.abs(index)}${random.below(4) === 0 ? random.pick(NAMES) : ''}`,
    place: random.pick(PLACES),
    thing: isThing ? random.pick(Object.keys(THINGS)) : 'nothing',
    version: random.below(5) === 0 ? random.pick(VERSIONS) : '1',
    config: random.pick([
      CONFIG,
      WARM,
      WARM,
      '',
      `${CONFIG} instance_group { count: ${random.pick([1, 3, 100_000])} }`,
      `${CONFIG} version_policy { all { } }`,
      `${CONFIG} parameters { key: "intra_op_thread_count" value { string_value: "1000000" } }`,
    ]),
    turn: random.pick(TURNS),
    afterMs: random.below(40),
    extraVersions: random.below(10) === 0 ? 100 : 0,
  };
}

async function build(at: string, { place, thing, version, config, extraVersions }: Folder): Promise<void> {
  await mkdir(path.join(at, 'warmup'), { recursive: true });
  await mkdir(path.join(at, version));
  await writeFile(path.join(at, 'config.pbtxt'), config);
  await writeFile(path.join(at, version, 'model.onnx'), ONNX);
  await writeFile(path.join(at, 'labels.txt'), 'zero\none\n');
  await writeFile(path.join(at, 'warmup', 'data'), Buffer.alloc(4));
  for (let extra = 0; extra < extraVersions; extra += 1) await mkdir(path.join(at, String(extra + 5)));
  if (thing === 'nothing') return;
  const target = path.join(at, place);
  await rm(target, { recursive: true, force: true });
  await mkdir(path.dirname(target), { recursive: true });
  await THINGS[thing]?.(target);
}

async function turn(at: string, { turn: what, afterMs }: Folder): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, afterMs));
  if (what === 'remove') await rm(at, { recursive: true, force: true });
  else if (what === 'rewrite config')
    await writeFile(path.join(at, 'config.pbtxt'), 'max_batch_size: -1', { flag: 'r+' });
  else if (what === 'rewrite model')
    await writeFile(path.join(at, '1/model.onnx'), Buffer.alloc(90), { flag: 'r+' });
  else if (what === 'truncate') await truncate(path.join(at, '1/model.onnx'), 20);
  else if (what === 'rename') execFileSync('mv', ['-T', '--', at, `${at}-moved`]);
}

async function send(folder: Folder, { http, models }: Victim): Promise<string | undefined> {
  const at = path.join(models, folder.name);
  await build(at, folder);
  try {
    const address = `/v2/repository/models/${encodeURIComponent(folder.name)}`;
    const changes = turn(at, folder).catch(() => undefined);
    const { status, text } = await http.post(`${address}/load`, '{}');
    await changes;
    if (status !== 200 && !text.startsWith('{"error":')) return `load: ${status} ${text.slice(0, 200)}`;
    await http.post(`${address}/unload`, '{}');
    return undefined;
  } finally {
    for (const each of [at, `${at}-moved`]) await rm(each, { recursive: true, force: true });
  }
}

export const repositories = attackClass<Folder>({
  name: 'repositories',
  sends: `hostile model folders, beside ${MANY_FOLDERS} empty ones`,
  inputs: 2000,
  width: 3,
  prepare: async ({ models, http }) => {
    const names = Array.from({ length: MANY_FOLDERS }, (_, i) => path.join(models, `many${i}`));
    for (const name of names) await mkdir(name);
    const index = await http.post('/v2/repository/index', '{}');
    if (!index.text.includes('many9999'))
      throw new Error(`the index lacks folders: ${index.text.slice(0, 200)}`);
    // The window lists them all once; a load meanwhile waits for the same disk.
    await http.post('/v2/repository/models/echo/load', '{}');
    return async () => {
      for (const name of names) await rm(name, { recursive: true, force: true });
    };
  },
  make,
  send,
});
