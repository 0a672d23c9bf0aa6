// Regions of system shared memory at their edges, over HTTP: keys of all makings, sizes and offsets that no number holds, an
// object of no bytes, names that a path must encode; and tensors at places whose end lies beyond what 64 bits count.

import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { get, post } from './http-calls.ts';
import { ask } from './life-calls.ts';
import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const region = (name: string): string => `/v2/systemsharedmemory/region/${name}`;
const register = (body: string, name = 'a'): WireCase => post(`${region(name)}/register`, body);
const STATUS = get('/v2/systemsharedmemory/status');
const FORGET = post('/v2/systemsharedmemory/unregister');
const HUGE = [
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '18446744073709551616',
  '1e30',
];
const ODD = ['1.5', '1e2', '"64"', 'null', 'true', '[64]', '{}', '-0', '64.0'];

/** `<key>` stands for the name of an object of 4096 bytes, `<none>` for one of no bytes. */
const KEYS = [
  '/<key>',
  '<key>',
  '//<key>',
  '/./<key>',
  '/../shm/<key>',
  '/dev/shm/<key>',
  '/<key>/',
  '/a/b',
  '/',
  '.',
  '..',
  '/ <key>',
  `/${'x'.repeat(300)}`,
  '/ü',
  '/<none>',
];
const NAMES = ['a%20b', '%C3%BC', 'a%2Fb', '%2E%2E', 'x'.repeat(300), 'a+b', 'a;b', 'register', 'status'];

const made = (title: string, calls: readonly WireCase[]): ReferenceCase => ({
  name: `region edges: ${title}`,
  run: async (target) => {
    const key = `conch-edges-${target.side}-${target.pid}-${title.replaceAll(/\W+/g, '_').slice(0, 40)}`;
    const named = (text: string): string => text.replaceAll('<key>', key).replaceAll('<none>', `${key}-none`);
    const hidden = (answer: unknown): unknown =>
      JSON.parse(JSON.stringify(answer).replaceAll(`${key}-none`, '<none>').replaceAll(key, '<key>'));
    await writeFile(
      path.join('/dev/shm', key),
      Buffer.from(Float32Array.from({ length: 1024 }, (_, at) => at).buffer),
    );
    await writeFile(path.join('/dev/shm', `${key}-none`), '');
    const answers: object[] = [];
    for (const call of [...calls, STATUS, FORGET]) {
      const sent = { ...call, ...(call.body === undefined ? {} : { body: named(call.body.toString()) }) };
      answers.push({ step: call.name.slice(0, 200), answer: hidden(await ask(target, sent)) });
    }
    await rm(path.join('/dev/shm', key));
    await rm(path.join('/dev/shm', `${key}-none`));
    return answers;
  },
});

const GOOD = register('{"key":"/<key>","byte_size":64}');
const infer = (parameters: string, shape = '[2]', more = ''): WireCase =>
  post(
    '/v2/models/echo/infer',
    `{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":${shape},"parameters":{${parameters}}${more}}]}`,
  );
const output = (parameters: string): WireCase =>
  post(
    '/v2/models/echo/infer',
    `{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[2],"data":[1,2]}],"outputs":[{"name":"OUTPUT0","parameters":{${parameters}}}]}`,
  );
const at = (size: string, offset?: string): string =>
  `"shared_memory_region":"a","shared_memory_byte_size":${size}${offset === undefined ? '' : `,"shared_memory_offset":${offset}`}`;

const CASES: readonly ReferenceCase[] = [
  ...KEYS.map((key) =>
    made(`key ${key.slice(0, 30)}`, [
      register(`{"key":"${key}","byte_size":64}`),
      get(`${region('a')}/status`),
    ]),
  ),
  ...HUGE.map((size) => made(`size ${size}`, [register(`{"key":"/<key>","byte_size":${size}}`)])),
  ...ODD.map((size) => made(`size ${size}`, [register(`{"key":"/<key>","byte_size":${size}}`)])),
  ...HUGE.map((offset) =>
    made(`offset ${offset}`, [register(`{"key":"/<key>","byte_size":64,"offset":${offset}}`)]),
  ),
  ...ODD.map((offset) =>
    made(`offset ${offset}`, [register(`{"key":"/<key>","byte_size":64,"offset":${offset}}`)]),
  ),
  made('nothing of an object', [register('{"key":"/<key>","byte_size":0}'), infer(at('0'), '[0]')]),
  made('nothing of an object of no bytes', [
    register('{"key":"/<none>","byte_size":0}'),
    infer(at('0'), '[0]'),
  ]),
  made('one byte of an object of no bytes', [register('{"key":"/<none>","byte_size":1}')]),
  made('more members', [register('{"key":"/<key>","byte_size":64,"name":"b","other":1}')]),
  made('a list', [register('[]')]),
  made('no body', [register('')]),
  ...NAMES.map((name) =>
    made(`name ${name.slice(0, 20)}`, [
      register('{"key":"/<key>","byte_size":64}', name),
      get(`${region(name)}/status`),
      post(`${region(name)}/unregister`),
      post(`${region(name)}/unregister`),
    ]),
  ),
  made('twice', [
    GOOD,
    GOOD,
    register('{"key":"/<key>","byte_size":32}'),
    register('{"key":"/<none>","byte_size":0}'),
  ]),
  made('two names of one object', [
    GOOD,
    register('{"key":"/<key>","byte_size":128}', 'b'),
    post(`${region('a')}/unregister`),
  ]),
  ...['0', '7', '8', '9', '64', '65', ...HUGE, ...ODD].map((size) =>
    made(`input of ${size} bytes`, [GOOD, infer(at(size))]),
  ),
  ...['56', '57', '64', '65', '18446744073709551608', '18446744073709551612', ...HUGE, ...ODD].map((offset) =>
    made(`input at ${offset}`, [GOOD, infer(at('8', offset))]),
  ),
  ...['0', '4', '8', '64', '65', ...HUGE, ...ODD].map((size) =>
    made(`output of ${size} bytes`, [GOOD, output(at(size))]),
  ),
  ...['56', '57', '64', '18446744073709551608', ...HUGE, ...ODD].map((offset) =>
    made(`output at ${offset}`, [GOOD, output(at('8', offset))]),
  ),
  made('no elements', [GOOD, infer(at('0'), '[0]'), infer(at('8'), '[0]')]),
  made('a region and data', [GOOD, infer(at('8'), '[2]', ',"data":[5,6]')]),
  made('no size', [GOOD, infer('"shared_memory_region":"a"'), output('"shared_memory_region":"a"')]),
  made('no region', [GOOD, infer('"shared_memory_byte_size":8'), output('"shared_memory_byte_size":8')]),
  made('a region of another type', [
    GOOD,
    infer('"shared_memory_region":null,"shared_memory_byte_size":8'),
    infer('"shared_memory_region":true,"shared_memory_byte_size":8'),
  ]),
  made('an output with other wishes', [
    GOOD,
    output(`${at('8')},"binary_data":true`),
    output(`${at('64')},"classification":1`),
  ]),
];

export const REGION_EDGE_SCENE: Scene = {
  name: 'region edges',
  repositories: sameFor(pythonFiles('echo', ECHO_MODEL)),
  restarts: true,
  cases: CASES,
};
