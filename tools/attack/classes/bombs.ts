// Small bodies that would become large work: deep and wide JSON, gzip and deflate that inflate a thousandfold, many
// empty chunks, on every path that reads a body.

import zlib from 'node:zlib';

import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { attackClass } from '../attack-class.ts';

const PATHS = [
  '/v2/models/sure/infer',
  '/v2/models/sure/generate',
  '/v2/repository/index',
  '/v2/repository/models/echo/load',
  '/v2/trace/setting',
  '/v2/logging',
  '/v2/systemsharedmemory/region/r/register',
];

const JSON_BOMBS: readonly ((size: number) => string)[] = [
  (size) => '['.repeat(size),
  (size) => '{"a":'.repeat(size),
  (size) =>
    `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":${'['.repeat(size)}1${']'.repeat(size)}}]}`,
  (size) => `{${'"a":1,'.repeat(size)}"inputs":[]}`,
  (size) => `{"inputs":[${'{},'.repeat(size)}{}]}`,
  (size) => `{"id":"${'\\u0000'.repeat(size)}","inputs":[]}`,
  (size) => `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[${'9'.repeat(size)}]}]}`,
  (size) => `{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"data":[1e${'9'.repeat(size)}]}]}`,
  (size) => `{"parameters":{${Array.from({ length: size }, (_, i) => `"p${i}":{}`).join(',')}}}`,
  (size) => `{"parameters":{"config":${JSON.stringify('{'.repeat(size))}}}`,
  (size) => `{"parameters":{"config":${JSON.stringify(`{"max_batch_size":${'9'.repeat(size)}}`)}}}`,
  (size) => ' '.repeat(size),
];

interface Bomb {
  readonly path: string;
  readonly body: Buffer;
  readonly encoding: string | undefined;
}

function make(random: Random): Bomb {
  const size = random.pick([100, 1000, 20_000, 60_000, 200_000, 1_000_000]);
  const text = Buffer.from(random.pick(JSON_BOMBS)(size));
  const path = random.pick(PATHS);
  const encoding = random.pick([undefined, undefined, 'gzip', 'deflate', 'gzip, gzip']);
  if (encoding === undefined) return { path, body: text, encoding };
  // Up to 100 MB of blanks in front inflate from a few kilobytes.
  const inflated = Buffer.concat([Buffer.alloc(random.pick([0, 1, 20, 100]) * 1_000_000, ' '), text]);
  const pack = encoding === 'deflate' ? zlib.deflateSync : zlib.gzipSync;
  const once = pack(inflated, { level: 1 });
  return { path, body: encoding === 'gzip, gzip' ? zlib.gzipSync(once) : once, encoding };
}

export const bombs = attackClass<Bomb>({
  name: 'bombs',
  sends: 'JSON that is deep, wide or long, and bodies that inflate a thousandfold',
  inputs: 600,
  width: 3,
  limitMs: 10_000,
  make,
  send: async ({ path, body, encoding }, { http }) => {
    const headers = encoding === undefined ? {} : { 'Content-Encoding': encoding };
    const { status, text } = await http.post(path, body, headers);
    // A load with an empty body is one.
    return status >= 400 || text.length < 2000 ? undefined : `${status} ${text.slice(0, 300)}`;
  },
});
