// Which execution a request ran in, or which run of an ensemble it was, found from the outside: the model's latest ones
// are compared with the times of the exchange. Only a single candidate is believed; under other traffic the answer is
// "not known".

import type { PlaygroundResult } from '../../src-shared/contract/inference-calls.ts';
import type { EnsembleRunRecord, ExecutionRecord } from '../inference/execution.ts';

interface ExchangeSpan {
  readonly startWallMs: number;
  readonly endWallMs: number;
}

/** The result with its batch, and its server time split into queue, compute and the rest, when that is known. */
export function withExecution(
  result: PlaygroundResult,
  executions: readonly ExecutionRecord[],
  span: ExchangeSpan,
): PlaygroundResult {
  const only = onlyOne(executions, span);
  if (!result.ok || only === undefined) return result;
  const timing = result.timing.flatMap((part) => {
    if (part.name !== 'server') return [part];
    const queueMs = Math.min(part.ms, only.oldestQueueNs / 1e6);
    const computeMs = Math.min(part.ms - queueMs, only.inferNs / 1e6);
    return [
      { name: 'queue', ms: queueMs },
      { name: 'compute', ms: computeMs },
      { name: 'server', ms: part.ms - queueMs - computeMs },
    ];
  });
  return { ...result, timing, batchSize: only.batchSize };
}

/** The same of an ensemble: its server time split into that of its steps and the rest, when that is known. */
export function withSteps(
  result: PlaygroundResult,
  runs: readonly EnsembleRunRecord[],
  span: ExchangeSpan,
): PlaygroundResult {
  const only = onlyOne(runs, span);
  if (!result.ok || only === undefined) return result;
  const timing = result.timing.flatMap((part) => {
    if (part.name !== 'server') return [part];
    const stepsMs = Math.min(part.ms, only.durationNs / 1e6);
    return [
      { name: 'steps', ms: stepsMs },
      { name: 'server', ms: part.ms - stepsMs },
    ];
  });
  return { ...result, timing };
}

function onlyOne<Entry extends { readonly atWallMs: number }>(
  entries: readonly Entry[],
  { startWallMs, endWallMs }: ExchangeSpan,
): Entry | undefined {
  const during = entries.filter(({ atWallMs }) => atWallMs >= startWallMs && atWallMs <= endWallMs);
  return during.length === 1 ? during[0] : undefined;
}
