// Warm-up samples on a whole server: what runs before a model is ready, what fails its load, what is never counted.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addLogSink, logSwitches, setLogSwitches } from '../../../src-main/base/log.ts';
import { writeOnnx } from '../../../src-main/onnx/onnx-writer.ts';
import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';
import { sequenceModel } from './wire-requests.ts';
import { squareConfig } from './wire-streams.ts';
import { identity, models, rows, WireWorld } from './wire-world.ts';

let lines: string[];
let stopListening: () => void;
const level = logSwitches().verboseLevel;

beforeEach(() => {
  lines = [];
  setLogSwitches({ verboseLevel: 1 });
  stopListening = addLogSink(({ message }) => void lines.push(message));
});

afterEach(() => {
  stopListening();
  setLogSwitches({ verboseLevel: level });
});

const open = (files: RepositoryFiles): Promise<WireWorld> =>
  WireWorld.create(files, {
    options: {
      server: { exitOnError: false },
      log: { info: false },
    },
  });
const runs = (): string[] => {
  const found = lines.filter((line) => line.includes('is running warmup sample'));
  return found.map((line) => line.slice(line.indexOf('is running')));
};
const sample = (inputs: string, more = 'batch_size: 1'): string =>
  `model_warmup [ { name: "a sample" ${more} ${inputs} } ]`;
const input = (data: string, dims = '2', type = 'TYPE_INT32', name = 'INPUT0'): string =>
  `inputs { key: "${name}" value { data_type: ${type} dims: [ ${dims} ] ${data} } }`;

describe('samples that run', () => {
  it.each([
    ['zeros', input('zero_data: true')],
    ['zeros, whatever the flag says', input('zero_data: false')],
    ['random bytes', input('random_data: true')],
    ['a file', input('input_data_file: "numbers"')],
  ])('%s: once per instance, and counted nowhere', async (_name, inputs) => {
    const more = `${sample(inputs)} instance_group { kind: KIND_CPU count: 2 }`;
    await using server = await open({
      ...models({ M: identity({ more }) }),
      'M/warmup/numbers': new Uint8Array(64),
    });
    expect(runs()).toEqual(new Array(2).fill(`is running warmup sample 'a sample' for iteration 1`));
    expect(lines.join('\n')).not.toContain('failed to run warmup');
    expect(server.counts('M')).toEqual({ batches: {}, I: 0, E: 0, success: 0, fail: 0, hit: 0, miss: 0 });
    expect((await server.send('M', rows(1, 2)).done).status).toBe(200);
  });

  it('a sequence sample with its controls runs count times', async () => {
    const control = (name: string): string => input('zero_data: true', '1', 'TYPE_INT32', name);
    const inputs = `${input('random_data: true', '1', 'TYPE_INT32', 'INPUT')} ${control('START')} ${control('READY')} ${control('END')}`;
    await using server = await open(
      models({ S: sequenceModel({ maxBatchSize: 8, more: sample(inputs, 'batch_size: 8 count: 2') }) }),
    );
    expect(runs()).toEqual([1, 2].map((k) => `is running warmup sample 'a sample' for iteration ${k}`));
    expect(server.counts('S').I).toBe(0);
  });

  it('texts, a batch of several requests in one execution, and batch_size 0', async () => {
    const copy = writeOnnx({
      graph: {
        name: 'g',
        nodes: [{ opType: 'Identity', inputs: ['INPUT0'], outputs: ['OUTPUT0'] }],
        inputs: [{ name: 'INPUT0', datatype: 'BYTES', shape: ['b', 2] }],
        outputs: [{ name: 'OUTPUT0', datatype: 'BYTES', shape: ['b', 2] }],
      },
    });
    const text = (name: string, data: string, size: number): string =>
      `{ name: "${name}" batch_size: ${size} ${input(data, '2', 'TYPE_STRING')} }`;
    const config = `max_batch_size: 4 input [ { name: "INPUT0" data_type: TYPE_STRING dims: [ 2 ] } ]
      output [ { name: "OUTPUT0" data_type: TYPE_STRING dims: [ 2 ] } ] instance_group { kind: KIND_CPU count: 1 }
      model_warmup [ ${text('zero', 'zero_data: true', 4)}, ${text('random', 'random_data: true', 1)},
        ${text('file', 'input_data_file: "texts"', 1)}, ${text('none', 'zero_data: true', 0)} ]`;
    await using server = await open({
      'M/config.pbtxt': config,
      'M/1/model.onnx': copy,
      'M/warmup/texts': Buffer.from('\u0001\0\0\0a\u0002\0\0\0bc'),
    });
    expect(runs().map((line) => line.split("'")[1])).toEqual(['zero', 'random', 'file']);
    expect(server.counts('M').E).toBe(0);
  });

  it('a decoupled model is waited for until its final response', async () => {
    await using server = await open(
      models({ M: squareConfig(sample(input('input_data_file: "three"', '1', 'TYPE_INT32', 'IN'))) }),
    );
    await server.repository.write({ 'M/warmup/three': new Uint8Array([3, 0, 0, 0]) });
    expect(await server.during(server.load('M'))).toBe('');
    expect(runs()).toHaveLength(1);
  });
});

describe('samples that fail the load', () => {
  it.each([
    [
      'no data',
      input(''),
      `[request id: <id_unknown>] warmup setting expects input 'INPUT0' to have input_data_type set;`,
    ],
    [
      'a variable dimension',
      input('zero_data: true', '-1'),
      `warmup setting expects all variable-size dimensions are specified for input 'INPUT0'`,
    ],
    [
      'a short file',
      input('input_data_file: "short"'),
      '[request id: <id_unknown>] warmup setting expects 8 bytes, but the data provided from shortonly has 3 bytes;',
    ],
    [
      'another data type',
      input('zero_data: true', '2', 'TYPE_FP32'),
      `data-type is 'FP32', but model 'M' expects 'INT32'`,
    ],
    ['a missing input', '', `expected 1 inputs but got 0 inputs for model 'M'`],
  ])('%s', async (_name, inputs, message) => {
    await using server = await open({
      ...models({ M: identity({ more: sample(inputs) }), good: identity({}) }),
      'M/warmup/short': new Uint8Array(3),
    });
    const error = await server.load('M');
    expect(error).toMatch(
      /^load failed for model 'M': version 1 is at UNAVAILABLE state: Invalid argument: /,
    );
    expect(error).toContain(message);
    // The reason alone: the sample never ran.
    expect(error).not.toContain('failed to run warmup sample');
    expect((await server.send('good', rows(1)).done).status).toBe(200);
  });

  it('a missing file, in the words of the system', async () => {
    const more = sample(input('input_data_file: "nowhere"'));
    await using server = await open(models({ M: identity({ more }) }));
    expect(await server.load('M')).toBe(
      `load failed for model 'M': version 1 is at UNAVAILABLE state: Internal: failed to open text file for read ${server.repository.at('M/warmup/nowhere')}: No such file or directory;\n`,
    );
  });

  it('a model that fails to execute is named with its sample', async () => {
    const config = `backend: "javascript" max_batch_size: 0 input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 2 ] } ]
      output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 2 ] } ] ${sample(input('zero_data: true'))}`;
    await using server = await open({
      'M/config.pbtxt': config,
      'M/1/model.js': `export function execute() { throw new Error('An Error Occurred'); }`,
    });
    expect(await server.load('M')).toContain(`failed to run warmup sample 'a sample': `);
    expect(await server.load('M')).toContain('An Error Occurred');
  });

  it('more rows than the model takes, once per request', async () => {
    const config = `backend: "javascript" max_batch_size: 0 input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 2 ] } ]
      output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 2 ] } ] ${sample(input('zero_data: true'), 'batch_size: 2')}`;
    await using server = await open({
      'M/config.pbtxt': config,
      'M/1/model.js': `export function execute() { return []; }`,
    });
    const text = "batch size 2 for 'M_0', max allowed is 0; ";
    expect(await server.load('M')).toContain(`failed to run warmup sample 'a sample': ${text}${text}`);
  });
});
