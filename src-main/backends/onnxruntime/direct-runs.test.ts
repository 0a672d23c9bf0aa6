// Runs past onnxruntime-node: they give what it gives, and wherever they cannot be, it goes on as if there were none.

import { rename, writeFile } from 'node:fs/promises';

import { afterAll, describe, expect, it } from 'vitest';

import type { DataType } from '../../../src-shared/datatypes.ts';
import { graphModel, value } from '../../testing/onnx-test-models.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import { DirectRuns } from './direct-runs.ts';
import { DirectSession } from './direct-session.ts';
import { fileStamp } from './file-stamp.ts';
import { readResult } from './job-layout.ts';
import type { RunOutput } from './job-layout.ts';
import { openOrtSession } from './ort-session.ts';
import { ortTypeOf } from './ort-datatypes.ts';
import type { NativeTensor } from './native-ort.ts';
import type { PreparedRun } from './prepared-run.ts';
import type { SessionInit } from './session-messages.ts';
import { layOutJob, writeJobHeader } from './job-layout.ts';

const repository = await TempRepository.create({ 'm/1/': '' });
const path = repository.at('m/1/model.onnx');
afterAll(() => repository.close());

const SETTINGS = { graphOptimizationLevel: 'all', executionMode: 'sequential', extra: {} } as const;
const one = (opType: string, datatype: DataType = 'FP32'): Uint8Array =>
  graphModel(
    [{ opType, inputs: ['INPUT'], outputs: ['OUTPUT'] }],
    [value('INPUT', datatype, ['n'])],
    [value('OUTPUT', datatype, ['n'])],
  );

/** Tensors over memory of their own, as a slot has them. */
function prepared(count: number): PreparedRun & { input: Float32Array; output: Float32Array } {
  const memory = new SharedArrayBuffer(8 * count);
  const input = new Float32Array(memory, 0, count);
  const output = new Float32Array(memory, 4 * count, count);
  const tensor = (data: Float32Array): NativeTensor => ({
    type: 'float32',
    dims: [data.length],
    data,
    location: 'cpu',
  });
  return {
    feeds: { INPUT: tensor(input) },
    placed: { OUTPUT: tensor(output) },
    input,
    output,
  } as unknown as PreparedRun & { input: Float32Array; output: Float32Array };
}

async function written(model: Uint8Array): Promise<string> {
  await writeFile(path, model);
  return (await fileStamp(path)) ?? '';
}

function noteShort(runs: DirectRuns): void {
  for (let count = 0; count < 64; count += 1) runs.note(false, 5000);
}

/** True for each of `count` runs that was done. */
const tried = (runs: DirectRuns, run: PreparedRun, count: number): boolean[] =>
  Array.from({ length: count }, () => runs.run(run));

describe('a session through the C interface', () => {
  it('reads and writes where it was bound, with other values each time', () => {
    const session = new DirectSession(one('Neg'), SETTINGS);
    const slots = [prepared(4), prepared(4), prepared(7)];
    const bound = slots.map(({ feeds, placed }) => session.bind(feeds, placed ?? {}));
    for (let round = 0; round < 100; round += 1) {
      const [slot, run] = [slots[round % 3], bound[round % 3]];
      slot?.input.fill(round);
      run?.run();
      expect([...(slot?.output ?? [])]).toEqual(Array.from(slot?.input ?? [], (number) => -number));
    }
    for (const run of bound) run.release();
    bound[0]?.release();
    session.close();
  });

  it('says what is wrong with a model, a tensor, and an output that has another shape', () => {
    expect(() => new DirectSession(new Uint8Array([1, 2, 3]), SETTINGS)).toThrow('protobuf');
    const session = new DirectSession(one('Neg'), SETTINGS);
    const { feeds, placed = {} } = prepared(4);
    expect(() => session.bind({ OTHER: feeds['INPUT'] as NativeTensor }, placed)).toThrow('OTHER');
    const narrow = prepared(3);
    const run = session.bind(feeds, narrow.placed ?? {});
    expect(() => run.run()).toThrow('shape');
    run.release();
    session.close();
  });

  it.each([
    'FP16',
    'FP32',
    'FP64',
    'INT8',
    'INT16',
    'INT32',
    'INT64',
    'UINT8',
    'UINT16',
    'UINT32',
    'UINT64',
    'BOOL',
  ] as const)('%s comes out as it came in, through slots too', async (datatype) => {
    const directStamp = await written(one('Identity', datatype));
    const init: SessionInit = {
      path,
      settings: SETTINGS,
      providerAttempts: [[{ name: 'cpu' }]],
      feeds: [{ name: 'INPUT', type: ortTypeOf(datatype) ?? 'string' }],
      outputs: ['OUTPUT'],
      isBatching: false,
      directStamp,
    };
    const { session } = openOrtSession(init);
    const slot = new SharedArrayBuffer(16_384);
    const [words, bytes] = [new Float64Array(slot), new Uint8Array(slot)];
    for (let round = 0; round < 90; round += 1) {
      // Patterns that are numbers of every type, and truths.
      const count = round % 30 === 29 ? 6 : 5;
      const tensor = Uint8Array.from({ length: count * elementSize(datatype) }, (_, at) => (at + round) % 2);
      const feeds = [{ dims: [count], byteSize: tensor.length, segments: [] }];
      const layout = layOutJob(feeds);
      writeJobHeader(words, feeds, layout);
      bytes.set(tensor, layout.offsets[0]);
      expect(session.run(slot, 0)).toBeUndefined();
      const [output] = readResult(words, bytes, 1) as [RunOutput];
      expect([output.dims, [...output.bytes]]).toEqual([[count], [...tensor]]);
    }
    session.close();
  });
});

describe('direct runs', () => {
  it('begin when 64 runs were short, and bind what is used again', async () => {
    const runs = new DirectRuns({ path, stamp: await written(one('Neg')), settings: SETTINGS });
    const slot = prepared(2);
    expect(tried(runs, slot, 3)).toEqual([false, false, false]);
    noteShort(runs);
    expect(tried(runs, slot, 6)).toEqual([false, false, false, true, true, true]);
    slot.input.set([3, -4]);
    runs.run(slot);
    expect([...slot.output]).toEqual([-3, 4]);
    runs.forget(slot);
    expect(tried(runs, slot, 4)).toEqual([false, false, false, true]);
    runs.close();
    runs.close();
    expect(runs.run(slot)).toBe(false);
  });

  it('do not begin while runs are long, or outputs have no place', async () => {
    const runs = new DirectRuns({ path, stamp: await written(one('Neg')), settings: SETTINGS });
    for (let count = 0; count < 64; count += 1) runs.note(false, count < 40 ? 5000 : 90_000);
    expect(tried(runs, prepared(2), 8)).not.toContain(true);
    noteShort(runs);
    const unplaced = { feeds: prepared(2).feeds, placed: undefined } as unknown as PreparedRun;
    expect(tried(runs, unplaced, 8)).not.toContain(true);
    runs.close();
  });

  it('end where one thread takes longer than the several of the session', async () => {
    const stamp = await written(one('Neg'));
    for (const [intraOpNumThreads, expected] of [
      [1, true],
      [4, false],
    ] as const) {
      const runs = new DirectRuns({ path, stamp, settings: { ...SETTINGS, intraOpNumThreads } });
      noteShort(runs);
      const slot = prepared(2);
      tried(runs, slot, 4);
      for (let count = 0; count < 64; count += 1) runs.note(true, 200_000);
      expect(runs.run(slot)).toBe(expected);
      runs.close();
    }
  });

  it('are left to the session once an output has another shape, the file was changed, or there is no interface', async () => {
    const stamp = await written(one('Neg'));
    const narrow = new DirectRuns({ path, stamp, settings: SETTINGS });
    noteShort(narrow);
    const slot = prepared(4);
    const odd = { feeds: slot.feeds, placed: prepared(3).placed } as unknown as PreparedRun;
    expect([...tried(narrow, odd, 5), ...tried(narrow, slot, 5)]).not.toContain(true);
    const missing = new DirectRuns({
      path,
      stamp,
      settings: SETTINGS,
      open: () => {
        throw new Error('no such library');
      },
    });
    noteShort(missing);
    expect(tried(missing, slot, 5)).not.toContain(true);
    const changed = new DirectRuns({ path, stamp, settings: SETTINGS });
    noteShort(changed);
    await writeFile(repository.at('m/other'), one('Abs'));
    await rename(repository.at('m/other'), path);
    expect(tried(changed, slot, 5)).not.toContain(true);
  });
});

function elementSize(datatype: DataType): number {
  const bits = /\d+/.exec(datatype);
  return bits === null ? 1 : Number(bits[0]) / 8;
}
