import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { GpuTrial } from '../../../../src-shared/contract/gpu-trial.ts';
import type { PlacedModel } from './gpu-trials.ts';
import { GpuTrials, trialText, verdictOf } from './gpu-trials.ts';
import type { TrialAnswer, TrialFindings, TrialJob } from './trial-messages.ts';

const FASTER: TrialFindings = {
  timings: [{ batchSize: 1, cpuMs: 8, gpuMs: 2 }],
  outputs: [{ name: 'OUT', difference: 1e-6, allowed: 0.01 }],
  operators: [],
};

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'conch-trials-'));
  await writeFile(path.join(folder, 'model.onnx'), '');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function placed(modelName: string, change: Partial<TrialJob> = {}): PlacedModel {
  const job: TrialJob = {
    path: path.join(folder, 'model.onnx'),
    stamp: '1',
    settings: { graphOptimizationLevel: 'all', executionMode: 'sequential', extra: {} },
    providers: [{ name: 'webgpu' }, { name: 'cpu' }],
    batchSizes: [1],
    ...change,
  };
  return { modelName, job, environment: {}, fillsUpBatches: true };
}

interface World {
  readonly trials: GpuTrials;
  readonly asked: string[];
  readonly told: (readonly [string, GpuTrial])[];
  ended(count: number): Promise<void>;
}

function world(answer: (placed: PlacedModel) => Promise<TrialAnswer>): World {
  const asked: string[] = [];
  const told: (readonly [string, GpuTrial])[] = [];
  const trials = new GpuTrials({
    waitMs: 1,
    ask: (model) => {
      asked.push(model.modelName);
      return answer(model);
    },
  });
  trials.watch((name, trial) => told.push([name, trial]));
  const isEnd = ([, { verdict, problem }]: readonly [string, GpuTrial]): boolean =>
    verdict !== undefined || problem !== undefined;
  const ended = async (count: number): Promise<void> => {
    while (told.filter(isEnd).length < count) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  return { trials, asked, told, ended };
}

describe('a trial', () => {
  test('runs once for a file on a provider, and again when the file is another', async () => {
    const w = world(() => Promise.resolve({ findings: FASTER }));
    w.trials.placed(placed('m'));
    w.trials.placed(placed('m'));
    expect(w.trials.of(placed('m').job)).toMatchObject({
      provider: 'webgpu',
      verdict: undefined,
      problem: undefined,
    });
    await w.ended(1);
    w.trials.placed(placed('m'));
    w.trials.placed(placed('m', { stamp: '2' }));
    await w.ended(2);
    expect(w.asked).toEqual(['m', 'm']);
    // Of the file that is no longer there nothing is kept.
    expect(w.trials.of(placed('m').job)).toBeUndefined();
    expect(w.trials.of(placed('m', { stamp: '2' }).job)).toEqual({
      ...FASTER,
      provider: 'webgpu',
      verdict: 'faster',
      problem: undefined,
    });
  });

  test('begins when whoever measures lets it, and says when it has ended', async () => {
    const steps: string[] = [];
    const gate = Promise.withResolvers<void>();
    const w = world(() => {
      steps.push('runs');
      return Promise.resolve({ findings: FASTER });
    });
    w.trials.around(async () => {
      steps.push('asks');
      await gate.promise;
      return () => steps.push('ended');
    });
    w.trials.placed(placed('m'));
    while (steps.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(steps).toEqual(['asks']);
    gate.resolve();
    await w.ended(1);
    expect(steps).toEqual(['asks', 'runs', 'ended']);
  });

  test('waits for the one before it', async () => {
    let running = 0;
    let most = 0;
    const w = world(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
      return { findings: FASTER };
    });
    for (const stamp of ['1', '2', '3']) w.trials.placed(placed(`m${stamp}`, { stamp }));
    await w.ended(3);
    expect([most, w.asked]).toEqual([1, ['m1', 'm2', 'm3']]);
  });

  test('that cannot be made says why', async () => {
    const w = world(() => Promise.resolve({ problem: 'It ended its process (signal SIGSEGV).' }));
    w.trials.placed(placed('m'));
    await w.ended(1);
    const [, trial] = w.told.at(-1) as readonly [string, GpuTrial];
    expect(trialText(trial, true)).toBe(
      "'webgpu' could not be compared with the CPU: It ended its process (signal SIGSEGV).",
    );
  });

  test('ends with the server', async () => {
    let signal: AbortSignal | undefined;
    const trials = new GpuTrials({
      waitMs: 1,
      ask: (_, given) => {
        signal = given;
        return new Promise(() => undefined);
      },
    });
    trials.placed(placed('m'));
    while (signal === undefined) await new Promise((resolve) => setTimeout(resolve, 2));
    trials.close();
    expect(signal.aborted).toBe(true);
  });
});

describe('a verdict', () => {
  const slow = { batchSize: 1, cpuMs: 1, gpuMs: 2 };
  const quick = { batchSize: 8, cpuMs: 6, gpuMs: 3 };
  test('is "slower" only when every number of rows is', () => {
    expect(verdictOf({ ...FASTER, timings: [slow] })).toBe('slower');
    expect(verdictOf({ ...FASTER, timings: [slow, quick] })).toBe('faster');
    expect(verdictOf({ ...FASTER, timings: [{ batchSize: 1, cpuMs: 1, gpuMs: 1.05 }] })).toBe('faster');
  });

  test('tells what a change of the batch size costs, where it costs more than a run', () => {
    const trial = {
      ...FASTER,
      timings: [quick],
      provider: 'cuda',
      problem: undefined,
      verdict: 'faster' as const,
    };
    const told = /with 8 rows; a run with another number of rows than the one before takes 140 ms longer.*: /;
    const dear = { ...trial, switchMs: 140.4 };
    expect(trialText(dear, true)).toMatch(told);
    expect(trialText(dear, true)).toMatch(/: batches that the server makes are filled up to one size$/);
    expect(trialText(dear, false)).toMatch(told);
    expect(trialText(dear, false)).toMatch(/: batches of this model are not filled up/);
    for (const switchMs of [undefined, 0.2, 4.9]) {
      expect(trialText({ ...trial, switchMs }, true)).toMatch(/with 8 rows$/);
    }
  });

  test('is "wrong" for one output that is, however fast, and names it', () => {
    const outputs = [
      { name: 'A', difference: 0, allowed: 0.01 },
      { name: 'B', difference: 0.5, allowed: 0.01 },
      { name: 'C', difference: NaN, allowed: 0.01 },
    ];
    expect(verdictOf({ ...FASTER, outputs })).toBe('wrong');
    const trial = { ...FASTER, outputs, provider: 'cuda', problem: undefined, verdict: 'wrong' as const };
    expect(trialText(trial, true)).toMatch(
      /^'cuda' answers wrongly: output 'B' differs .* 50 % .*, output 'C'/,
    );
  });
});
