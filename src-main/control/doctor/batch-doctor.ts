// The batch doctor: why batches have the size they have, from what really ran. Pure: facts in, one sentence with
// evidence and fixes out. Checks run in a fixed order (batch-doctor-checks.ts) and the first that applies speaks.

import { CHECKS } from './batch-doctor-checks.ts';
import type { DoctorFacts, Diagnosis, Observed } from './batch-doctor-facts.ts';
import { percentText, shortNumber } from './batch-doctor-texts.ts';

/** Answers 'batching-works' when no check has anything to say. */
export function diagnose(facts: DoctorFacts): Diagnosis {
  const seen = observe(facts);
  const evidence = evidenceOf(facts, seen);
  for (const check of CHECKS) {
    const found = check(facts, seen);
    if (found !== undefined) return { ...found, evidence };
  }
  return {
    code: 'batching-works',
    sentence: `Batching works: the average batch is ${shortNumber(seen.meanBatch)} of ${facts.maxBatchSize}.`,
    advice: 'Nothing to mend. More requests in flight would fill batches further.',
    suggestions: [],
    evidence,
  };
}

function observe(facts: DoctorFacts): Observed {
  const { executions, requestCount, inferenceCount, executionCount } = facts;
  const batchedCount = requestCount - facts.cacheHitCount;
  const reasons = countsOf(executions.map(({ closeReason }) => closeReason));
  const free = executions.filter(
    ({ closeReason, queueLength }) => closeReason === 'idle' && queueLength === 0,
  );
  return {
    meanBatch: executionCount === 0 ? 0 : inferenceCount / executionCount,
    meanRequestBatch: batchedCount === 0 ? 0 : inferenceCount / batchedCount,
    arrivalGapUs: requestCount === 0 ? Infinity : (facts.windowMs * 1000) / requestCount,
    reasonShare: new Map(reasons.map(([reason, count]) => [reason, count / executions.length])),
    freeShare: executions.length === 0 ? 0 : free.length / executions.length,
    shapes: countsOf(executions.flatMap(({ shapes }) => shapes ?? [])).map(([shapes]) => shapes),
    cacheShare: requestCount === 0 ? 0 : facts.cacheHitCount / requestCount,
  };
}

function evidenceOf(facts: DoctorFacts, seen: Observed): Diagnosis['evidence'] {
  if (facts.requestCount === 0) return [];
  const rows = [
    {
      label: 'Requests',
      value: `${facts.requestCount.toLocaleString('en')} in ${shortNumber(facts.windowMs / 1000)} s with traffic`,
    },
    { label: 'Average batch', value: averageOf(seen.meanBatch, facts.maxBatchSize) },
    {
      label: 'In flight',
      value: `${shortNumber(facts.meanInFlight)} on average, ${facts.maxInFlight} at most`,
    },
    { label: 'Instances', value: String(facts.instanceCount) },
    { label: 'Queue delay', value: `${facts.delayUs} µs` },
  ];
  const reasons = [...seen.reasonShare].slice(0, 3);
  if (reasons.length > 0) {
    const value = reasons
      .map(([reason, share]) => `${REASON_TEXTS[reason] ?? reason} ${percentText(share)}`)
      .join(', ');
    rows.push({ label: 'Batches closed because', value });
  }
  if (seen.shapes.length > 0) rows.push({ label: 'Shapes seen', value: seen.shapes.slice(0, 3).join('; ') });
  if (facts.cacheHitCount > 0) rows.push({ label: 'From the cache', value: percentText(seen.cacheShare) });
  if (facts.timedOutCount > 0) rows.push({ label: 'Timed out', value: String(facts.timedOutCount) });
  return rows;
}

const REASON_TEXTS: Readonly<Record<string, string>> = {
  full: 'full',
  preferred: 'preferred size reached',
  delay: 'delay reached',
  idle: 'instance free',
  shape: 'shape differs',
  priority: 'more urgent request',
  custom: 'batching hook',
  sequence: 'sequence step',
  direct: 'no batching',
};

/** Texts with how often each comes, most frequent first. */
function countsOf(texts: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** Without batching there is no most. */
function averageOf(mean: number, most: number): string {
  return most > 0 ? `${shortNumber(mean)} of ${most}` : shortNumber(mean);
}
