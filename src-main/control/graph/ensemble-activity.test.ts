import { expect, test } from 'vitest';

import type { EnsembleRunRecord } from '../../inference/execution.ts';
import { ensembleActivity } from './ensemble-activity.ts';

function run(
  steps: readonly (readonly [index: number, ms: number, isSuccess: boolean])[],
  error?: string,
): EnsembleRunRecord {
  return {
    atWallMs: 1000,
    durationNs: steps.reduce((sum, [, ms]) => sum + ms, 0) * 1e6,
    responseCount: 1,
    error,
    steps: steps.map(([stepIndex, ms, isSuccess]) => ({
      stepIndex,
      modelName: `m${stepIndex}`,
      modelVersion: '1',
      iteration: 0,
      startNs: 0,
      durationNs: ms * 1e6,
      isSuccess,
    })),
  };
}

test('means are of successful runs, and steps come in their order', () => {
  const activity = ensembleActivity([
    run([
      [1, 4, true],
      [0, 2, true],
    ]),
    run(
      [
        [0, 4, true],
        [1, 100, false],
      ],
      'broke',
    ),
    run([
      [0, 6, true],
      [1, 8, true],
    ]),
  ]);
  expect(activity).toMatchObject({ runCount: 3, failureCount: 1, meanUs: 10_000, lastError: undefined });
  expect(activity.steps).toEqual([
    { stepIndex: 0, model: 'm0', runCount: 3, failureCount: 0, meanUs: 4000, hasFailedLast: false },
    { stepIndex: 1, model: 'm1', runCount: 3, failureCount: 1, meanUs: 6000, hasFailedLast: false },
  ]);
});

test('the step that broke the newest request is marked with its error', () => {
  const activity = ensembleActivity([run([[0, 2, true]]), run([[0, 1, false]], 'in step 0')]);
  expect(activity.lastError).toBe('in step 0');
  expect(activity.steps[0]).toMatchObject({ hasFailedLast: true, failureCount: 1, meanUs: 2000 });
});

test('nothing is known before the first request', () => {
  expect(ensembleActivity([])).toEqual({
    runCount: 0,
    failureCount: 0,
    meanUs: 0,
    lastError: undefined,
    steps: [],
  });
});
