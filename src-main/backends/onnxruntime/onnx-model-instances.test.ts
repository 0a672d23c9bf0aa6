// Instances on a GPU: what the comparison with the CPU found decides whether their batches are filled up.

import { writeFile } from 'node:fs/promises';

import { afterAll, expect, test } from 'vitest';

import type { GpuTrial } from '../../../src-shared/contract/gpu-trial.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import { systemClock } from '../../base/clock.ts';
import {
  RecordingReporter,
  errorOf,
  executeAll,
  inferInput,
  testRequest,
} from '../../testing/backend-harness.ts';
import { identityConfig } from '../../testing/onnx-test-models.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import type { JobDone, JobSlot } from '../instance-host/hosted-session.ts';
import { FEED_WORDS } from './job-layout.ts';
import { OnnxModelInstances } from './onnx-model-instances.ts';
import type { OnnxModelParts } from './onnx-model-instances.ts';

const repository = await TempRepository.create({ 'm/1/': '' });
const path = repository.at('m/1/model.onnx');
afterAll(() => repository.close());

const config: ModelConfig = {
  ...identityConfig(8, 'FP32', [2]),
  dynamicBatching: { priorityLevels: 0n } as NonNullable<ModelConfig['dynamicBatching']>,
};
const tensor = {
  ...{ datatype: 'FP32', sourceType: 'float', kind: 'tensor', isOptional: false },
  ...{ shape: [-1, 2], symbols: [] },
} as const;
const TRIAL: GpuTrial = {
  ...{ provider: 'cuda', verdict: 'faster', problem: undefined, outputs: [], operators: [] },
  timings: [{ batchSize: 8, cpuMs: 80, gpuMs: 4 }],
  switchMs: 130,
};

/** The rows of the runs for batches of 3, 1 and 8 rows; every run is refused. */
async function ranRows(trial: GpuTrial | undefined, changes: Partial<OnnxModelParts> = {}) {
  await writeFile(path, '');
  const rows: number[] = [];
  const memory = new Uint8Array(64 * 1024);
  const session = {
    info: { provider: 'cuda', refusals: [], inputs: [], outputs: [] },
    takeSlot: () => ({ words: new Float64Array(memory.buffer), bytes: memory }),
    releaseSlot: () => undefined,
    ranLong: () => undefined,
    run: ({ words }: JobSlot, done: JobDone) => {
      rows.push(words[FEED_WORDS + 3] ?? 0);
      done(new ServerError('INTERNAL', 'no card'), undefined);
    },
  };
  const instances = new OnnxModelInstances({
    ...{ host: { open: () => Promise.resolve(session) }, leftOut: new Map(), onGpuSession: () => undefined },
    ...{ gpuProviders: ['cuda'], gpuPolicy: 'fallback', providers: new Set(['cuda', 'cpu']) },
    context: { config, modelName: 'm', clock: systemClock, reporter: new RecordingReporter() },
    facts: {
      path,
      description: {
        inputs: [{ ...tensor, name: 'INPUT' }],
        outputs: [{ ...tensor, name: 'OUTPUT' }],
      },
      weightByteSize: 0,
    },
    options: { settings: {}, notices: [] },
    trials: { placed: () => undefined, of: () => trial },
    fillsUpBatches: true,
    ...changes,
  } as unknown as OnnxModelParts);
  const instance = await instances.createInstance(
    { name: 'm_0', kind: 'KIND_GPU', deviceId: 0, ordinal: 0, isPassive: false, hostPolicy: 'gpu_0' },
    { signal: new AbortController().signal },
  );
  for (const count of [3, 1, 8]) {
    const asked = testRequest(
      [inferInput('INPUT', 'FP32', [count, 2], Array<number>(2 * count).fill(1))],
      count,
    );
    await executeAll(instance, [asked]);
    expect(errorOf(asked).message).toContain('no card');
  }
  return rows;
}

test('batches are filled up where a change of their size was found to be dear', async () => {
  expect(await ranRows(TRIAL)).toEqual([4, 4, 8]);
});

test.each([
  ['the comparison still runs', { ...TRIAL, verdict: undefined }, {}],
  ['a change is cheap', { ...TRIAL, switchMs: 1 }, {}],
  ['a change costs less than a run', { ...TRIAL, switchMs: 3.9 }, {}],
  ['nothing was compared', undefined, {}],
  ['it is switched off', TRIAL, { fillsUpBatches: false }],
])('batches stay as they are where %s', async (_, trial, changes) => {
  expect(await ranRows(trial, changes)).toEqual([3, 1, 8]);
});
