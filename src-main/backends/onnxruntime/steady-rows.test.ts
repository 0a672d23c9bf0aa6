// Batches that are filled up to one number of rows: with how many they run, and that nobody sees the rows that were added.

import { writeFile } from 'node:fs/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { modelInput } from '../../../src-shared/config/config-defaults.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import { executeAll, inferInput, outputValues, testRequest } from '../../testing/backend-harness.ts';
import { identityConfig, identityModel } from '../../testing/onnx-test-models.ts';
import { numbersFrom, oneToOne, oneToOneInit, sessionInstance } from '../../testing/onnx-instance.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import { InstanceHost } from '../instance-host/instance-host.ts';
import { planInterface } from './interface-plan.ts';
import { FEED_WORDS } from './job-layout.ts';
import { SteadyRows, cutOff, mayFillUp } from './steady-rows.ts';

const MAX_ROWS = 8;

const repository = await TempRepository.create({ 'm/1/': '' });
const path = repository.at('m/1/model.onnx');
const host = new InstanceHost({ entry: workerEntryUrl('onnx-session') });
afterAll(async () => {
  await host.close();
  await repository.close();
});

describe('rows of a run', () => {
  it('grow in steps with the batches, and are those of the batch at the limit', () => {
    const steady = new SteadyRows(24, () => true);
    expect([1, 1, 3, 2, 4, 5, 1, 17, 24, 2].map((rows) => steady.rowsFor(rows))).toEqual([
      1, 1, 4, 4, 4, 8, 8, 24, 24, 24,
    ]);
  });

  it('shrink only when no larger batch came for long, and then to what came', () => {
    const steady = new SteadyRows(32, () => true);
    steady.rowsFor(16);
    const later = Array.from({ length: 900 }, (_, run) => steady.rowsFor(run === 300 ? 5 : 2));
    expect(new Set(later.slice(0, 200))).toEqual(new Set([16]));
    expect([...new Set(later)]).toEqual([16, 8, 2]);
  });

  it('are left alone while a change is not dear', () => {
    let isDear = false;
    const steady = new SteadyRows(32, () => isDear);
    expect([5, 1].map((rows) => steady.rowsFor(rows))).toEqual([5, 1]);
    isDear = true;
    expect([5, 1].map((rows) => steady.rowsFor(rows))).toEqual([8, 8]);
  });
});

const description = oneToOne('FP32', [-1, -1]);
const plain = identityConfig(MAX_ROWS, 'FP32', [-1]);
const batching: ModelConfig = {
  ...plain,
  dynamicBatching: {
    ...{ preferredBatchSize: [], maxQueueDelayMicroseconds: 0n, preserveOrdering: false },
    ...{ priorityLevels: 0n, defaultPriorityLevel: 0n, priorityQueuePolicy: new Map() },
  } as unknown as NonNullable<ModelConfig['dynamicBatching']>,
};

describe('a model may be filled up', () => {
  const may = (config: ModelConfig, described = description): boolean =>
    mayFillUp(config, planInterface(config, described), described);

  it('where the server makes its batches', () => {
    expect([may(batching), may(plain)]).toEqual([true, false]);
    expect(may({ ...batching, maxBatchSize: 1 })).toBe(false);
  });

  it('not with text, ragged inputs, or tensors whose first dimension is no batch', () => {
    expect(may(batching, { ...description, inputs: oneToOne('BYTES', [-1, -1]).inputs })).toBe(false);
    const ragged = {
      ...modelInput({ name: 'INPUT', dataType: 'TYPE_FP32', dims: [-1] }),
      allowRaggedBatch: true,
    };
    expect(may({ ...batching, input: [ragged] })).toBe(false);
    expect(may(batching, { ...description, outputs: oneToOne('FP32', [8, -1]).outputs })).toBe(false);
  });
});

describe('outputs', () => {
  it('lose the rows that were added, and stay whole without a row for each', () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    expect(
      cutOff(
        [
          { dims: [4, 2], bytes },
          { dims: [8], bytes },
        ],
        3,
        4,
      ),
    ).toEqual([
      { dims: [3, 2], bytes: bytes.subarray(0, 6) },
      { dims: [8], bytes },
    ]);
  });
});

/** An instance of an identity model whose runs are filled up, and the rows that each of them had. */
async function steadyInstance() {
  await writeFile(path, identityModel('FP32', ['n', 'm']));
  const session = await host.open({ label: 'm_0', init: oneToOneInit(path, 'FP32') });
  const ranRows: number[] = [];
  const run = session.run.bind(session);
  session.run = (slot, done) => {
    // Behind the place, the size and the rank of the one feed.
    ranRows.push(slot.words[FEED_WORDS + 3] ?? 0);
    run(slot, done);
  };
  const { instance, reporter } = sessionInstance({
    spec: { name: 'm_0', kind: 'KIND_GPU', deviceId: 0, ordinal: 0, isPassive: false, hostPolicy: 'gpu_0' },
    plan: planInterface(batching, description),
    session,
    host,
    steadyRows: new SteadyRows(MAX_ROWS, () => true),
  });
  return { instance, reporter, ranRows };
}

describe('an instance with steady batches', () => {
  it.each([3, 3000])('answers each request with its own rows of %i numbers', async (width) => {
    const { instance, reporter, ranRows } = await steadyInstance();
    const batches = [[1], [2, 1], [1], [1, 1], [3, 2], [8], [1]];
    for (const [turn, batch] of batches.entries()) {
      const wanted = batch.map((rows, at) => numbersFrom(1000 * turn + 100 * at, rows * width));
      const tests = batch.map((rows, at) =>
        testRequest([inferInput('INPUT', 'FP32', [rows, width], wanted[at] ?? [])], rows),
      );
      await executeAll(instance, tests);
      expect(tests.map((test) => outputValues(test, 'OUTPUT'))).toEqual(wanted);
      expect(tests.map((test) => test.responses[0]?.outputs[0]?.shape)).toEqual(
        batch.map((rows) => [rows, width]),
      );
    }
    expect(ranRows).toEqual([1, 4, 4, 4, 8, 8, 8]);
    expect(reporter.executions.map(({ batchSize }) => batchSize)).toEqual([1, 3, 1, 2, 5, 8, 1]);
  });
});
