// What the remembered requests of an ensemble say about its steps: means, failures, which step the newest request broke
// at. Pure.

import type { EnsembleActivity } from '../../../src-shared/contract/graph-calls.ts';
import type { EnsembleRunRecord, EnsembleStepRecord } from '../../inference/execution.ts';

/** `runs` oldest first. Steps in order of their position; a step that never ran has no entry. */
export function ensembleActivity(runs: readonly EnsembleRunRecord[]): EnsembleActivity {
  const last = runs.at(-1);
  const byStep = Map.groupBy(
    runs.flatMap(({ steps }) => steps),
    ({ stepIndex }) => stepIndex,
  );
  const failedLast = new Set(
    (last?.steps ?? []).filter(({ isSuccess }) => !isSuccess).map(({ stepIndex }) => stepIndex),
  );
  const isGood = ({ error }: EnsembleRunRecord): boolean => error === undefined;
  return {
    runCount: runs.length,
    failureCount: runs.filter((run) => !isGood(run)).length,
    meanUs: meanUs(runs.filter(isGood)),
    lastError: last?.error,
    steps: [...byStep]
      .sort(([a], [b]) => a - b)
      .map(([stepIndex, records]) => ({
        stepIndex,
        model: records.at(-1)?.modelName ?? '',
        runCount: records.length,
        failureCount: records.filter(({ isSuccess }) => !isSuccess).length,
        meanUs: meanUs(records.filter(({ isSuccess }: EnsembleStepRecord) => isSuccess)),
        hasFailedLast: failedLast.has(stepIndex),
      })),
  };
}

function meanUs(records: readonly { readonly durationNs: number }[]): number {
  if (records.length === 0) return 0;
  return records.reduce((sum, { durationNs }) => sum + durationNs, 0) / records.length / 1000;
}
