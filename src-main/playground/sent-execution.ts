// Which execution a request ran in, found from the outside: the model's latest executions are compared with the times
// of the exchange. Only a single candidate is believed; under other traffic the answer is "not known".

import type { PlaygroundResult } from '../../src-shared/contract/inference-calls.ts';
import type { ExecutionRecord } from '../inference/execution.ts';

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
  const during = executions.filter(
    ({ atWallMs }) => atWallMs >= span.startWallMs && atWallMs <= span.endWallMs,
  );
  const [only] = during;
  if (!result.ok || only === undefined || during.length > 1) return result;
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
