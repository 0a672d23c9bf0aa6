// Judgements on what was measured: was the generator the limit, did others disturb.

import type { PerfLevel, PerfMeasured } from '../../../src-shared/contract/perf-views.ts';
import type { LoadModel } from '../data/load-model.ts';
import type { ModelCounters } from '../server/model-counters.ts';

/** Share of one core above which the sending thread itself may set the result. */
const BUSY_PERCENT = 80;
/** Above this share of late requests the schedule was not kept. */
export const LATE_SHARE = 0.01;
/** Shorter measurements say nothing about a share of time. */
const SHORTEST_MS = 100;
/** Traffic of others below this share of ours is not worth a word. */
const FOREIGN_SHARE = 0.02;

/** Share of the requests, between 0 and 1, that were sent later than they were due. */
export function lateShare({ lateCount, sentCount }: PerfMeasured): number {
  return sentCount === 0 ? 0 : lateCount / sentCount;
}

/** Whether the machine that sends could not keep up, so that the numbers say little of the server. */
export function isGeneratorLimit(result: PerfMeasured, unit: PerfLevel['unit']): boolean {
  if (result.durationMs < SHORTEST_MS) return false;
  const isLate = unit === 'request-rate' && lateShare(result) > LATE_SHARE;
  return result.generatorCpuPercent > BUSY_PERCENT || (isLate && result.overheadPercent > BUSY_PERCENT);
}

/** What the user should know before comparing this run with another. */
export function fairnessWarnings(
  model: LoadModel,
  levels: readonly PerfLevel[],
  traffic: { readonly before: readonly ModelCounters[]; readonly after: readonly ModelCounters[] },
): readonly string[] {
  const warnings: string[] = [];
  const limited = levels.filter((level) => level.isGeneratorLimit).map(({ value }) => value);
  if (limited.length > 0) {
    warnings.push(
      `The load generator used more than ${BUSY_PERCENT} % of a core at ${limited.join(', ')}: the server may do more than was measured.`,
    );
  }
  const others = foreignTraffic(new Set(namesOf(model)), traffic);
  const foreign = [...others.values()].reduce((total, count) => total + count, 0);
  const sent = levels.reduce(
    (total, { windows }) => total + windows.reduce((sum, { requestCount }) => sum + requestCount, 0),
    0,
  );
  if (foreign > sent * FOREIGN_SHARE)
    warnings.push(`Other models received requests meanwhile: ${[...others.keys()].join(', ')}.`);
  return warnings;
}

function foreignTraffic(
  own: ReadonlySet<string>,
  { before, after }: { readonly before: readonly ModelCounters[]; readonly after: readonly ModelCounters[] },
): ReadonlyMap<string, number> {
  const others = new Map<string, number>();
  for (const { model, version, success } of after) {
    const from = before.find((entry) => entry.model === model && entry.version === version);
    const count = success.count - (from?.success.count ?? 0);
    if (count > 0 && !own.has(model)) others.set(model, (others.get(model) ?? 0) + count);
  }
  return others;
}

function namesOf(model: LoadModel): readonly string[] {
  return [model.name, ...model.composing.flatMap(namesOf)];
}
