// The batch doctor: why batches have the size they have, from what really ran. Pure: facts in, one sentence with
// evidence and a fix out. Checks run in a fixed order and the first that applies speaks.

export interface DoctorFacts {
  readonly maxBatchSize: number;
  readonly scheduler: 'none' | 'dynamic' | 'sequence' | 'ensemble';
  readonly preferredBatchSizes: readonly number[];
  readonly delayUs: number;
  readonly instanceCount: number;
  /** Executions of the window, oldest first. */
  readonly executions: readonly DoctorExecution[];
  /** Time-weighted mean of requests queued or executing while there was traffic. */
  readonly meanInFlight: number;
  readonly maxInFlight: number;
  readonly cacheHitCount: number;
  readonly requestCount: number;
  /** Length of the window that the counts are from. */
  readonly windowMs: number;
}

export interface DoctorExecution {
  readonly requestCount: number;
  readonly batchSize: number;
  readonly closeReason: string;
}

export interface DoctorSuggestion {
  readonly title: string;
  /** Fields of config.pbtxt and the values to try; undefined removes a field. */
  readonly changes: readonly { readonly path: string; readonly value: unknown }[];
}

export interface Diagnosis {
  readonly code: string;
  readonly sentence: string;
  readonly evidence: readonly { readonly label: string; readonly value: string }[];
  readonly advice: string;
  readonly suggestion: DoctorSuggestion | undefined;
}

type Check = (facts: DoctorFacts, seen: Observed) => Omit<Diagnosis, 'evidence'> | undefined;

interface Observed {
  readonly meanBatch: number;
  readonly meanRequestBatch: number;
  readonly arrivalGapUs: number;
  readonly reasonShare: ReadonlyMap<string, number>;
}

/** Fewest requests a verdict is based on. */
const ENOUGH_REQUESTS = 5;

export function diagnose(facts: DoctorFacts): Diagnosis {
  const seen = observe(facts);
  const evidence = evidenceOf(facts, seen);
  for (const check of CHECKS) {
    const found = check(facts, seen);
    if (found !== undefined) return { ...found, evidence };
  }
  return {
    code: 'batching-works',
    sentence: `Batching works: the average batch is ${round(seen.meanBatch)} of ${facts.maxBatchSize}.`,
    advice: 'Nothing to mend. More requests in flight would fill batches further.',
    suggestion: undefined,
    evidence,
  };
}

function observe(facts: DoctorFacts): Observed {
  const { executions } = facts;
  const items = sum(executions.map((e) => e.batchSize));
  const requests = sum(executions.map((e) => e.requestCount));
  const counts = new Map<string, number>();
  for (const { closeReason } of executions) counts.set(closeReason, (counts.get(closeReason) ?? 0) + 1);
  const reasonShare = new Map([...counts].map(([reason, count]) => [reason, count / executions.length]));
  return {
    meanBatch: executions.length === 0 ? 0 : items / executions.length,
    meanRequestBatch: requests === 0 ? 0 : items / requests,
    arrivalGapUs: facts.requestCount === 0 ? Infinity : (facts.windowMs * 1000) / facts.requestCount,
    reasonShare,
  };
}

const noTraffic: Check = ({ requestCount }) =>
  requestCount >= ENOUGH_REQUESTS
    ? undefined
    : {
        code: 'no-traffic',
        sentence:
          requestCount === 0
            ? 'No requests in this window, so there is nothing to judge yet.'
            : `Only ${requestCount} ${requestCount === 1 ? 'request' : 'requests'} in this window: too few to judge.`,
        advice: 'Send some requests, or run a short perf test.',
        suggestion: undefined,
      };

const servedByCache: Check = ({ cacheHitCount, requestCount }) =>
  cacheHitCount / requestCount < 0.9
    ? undefined
    : {
        code: 'cache-hits',
        sentence: `${percent(cacheHitCount / requestCount)} of the requests are answered from the response cache and never reach a batch.`,
        advice: 'Batch sizes say little here. Send different inputs to see batching.',
        suggestion: undefined,
      };

const isEnsemble: Check = ({ scheduler }) =>
  scheduler !== 'ensemble'
    ? undefined
    : {
        code: 'ensemble',
        sentence: 'An ensemble never forms batches itself; each of its steps batches on its own.',
        advice: 'Look at the statistics of the composing models.',
        suggestion: undefined,
      };

const impossible: Check = ({ maxBatchSize }) =>
  maxBatchSize > 1
    ? undefined
    : {
        code: 'impossible',
        sentence: `Batches cannot form: max_batch_size is ${maxBatchSize}.`,
        advice:
          'If the first dimension of every input and output of the model is dynamic, set max_batch_size above 1 and leave that dimension out of dims.',
        suggestion: undefined,
      };

const noScheduler: Check = ({ scheduler }) =>
  scheduler !== 'none'
    ? undefined
    : {
        code: 'no-scheduler',
        sentence: 'Requests are never combined: the config has no dynamic_batching.',
        advice:
          'Each request runs alone as the client sent it. Add dynamic_batching to let waiting requests share a batch.',
        suggestion: {
          title: 'Try with dynamic_batching',
          changes: [{ path: 'dynamic_batching', value: {} }],
        },
      };

const clientsBatch: Check = ({ maxBatchSize }, { meanRequestBatch }) =>
  meanRequestBatch < maxBatchSize * 0.95
    ? undefined
    : {
        code: 'already-full',
        sentence: `Requests already arrive with the maximum batch size of ${maxBatchSize}.`,
        advice: 'Nothing can be added to them. Raise max_batch_size if the model and memory allow.',
        suggestion: undefined,
      };

const full: Check = ({ maxBatchSize }, { meanBatch }) =>
  meanBatch < maxBatchSize * 0.9
    ? undefined
    : {
        code: 'full',
        sentence: `Batches are full: ${round(meanBatch)} of ${maxBatchSize} on average.`,
        advice: 'If latency allows, a larger max_batch_size may raise throughput further.',
        suggestion: undefined,
      };

const shapesDiffer: Check = (_facts, { reasonShare }) =>
  (reasonShare.get('shape') ?? 0) < 0.3
    ? undefined
    : {
        code: 'shapes-differ',
        sentence: `${percent(reasonShare.get('shape') ?? 0)} of the batches were closed because the next request had another shape.`,
        advice:
          'Only requests of equal shape share a batch. Pad inputs to a few sizes, or allow ragged batches if the model can take them.',
        suggestion: undefined,
      };

const oneAtATime: Check = ({ meanInFlight, instanceCount, delayUs }, { meanBatch, meanRequestBatch }) => {
  if (meanBatch > meanRequestBatch * 1.2 || meanInFlight > Math.max(1.2, instanceCount)) return undefined;
  const single = meanInFlight <= 1.2;
  return {
    code: 'one-at-a-time',
    sentence: single
      ? 'Batches stay at 1: clients send one request at a time.'
      : `Batches stay at 1: clients keep ${round(meanInFlight)} requests in flight and ${instanceCount} instances are there to take them.`,
    advice:
      delayUs > 0
        ? 'Waiting cannot help while the next request comes only after the answer; it just adds delay. Keep more requests in flight.'
        : 'Raise client concurrency: asynchronous requests, or several clients.',
    suggestion: undefined,
  };
};

const instanceFree: Check = ({ delayUs, instanceCount }, { meanBatch, meanRequestBatch, arrivalGapUs }) => {
  if (delayUs > 0 || meanBatch > meanRequestBatch * 1.5) return undefined;
  const delay = niceDelayUs(arrivalGapUs * 4);
  return {
    code: 'instance-free',
    sentence:
      'A free instance takes each request at once, and max_queue_delay_microseconds is 0, so nothing waits for company.',
    advice: `A delay of about ${delay} us would collect roughly four requests.${instanceCount > 1 ? ' Fewer instances would have a similar effect.' : ''}`,
    suggestion: {
      title: `Try a queue delay of ${delay} us`,
      changes: [{ path: 'dynamic_batching.max_queue_delay_microseconds', value: BigInt(delay) }],
    },
  };
};

const delayTooShort: Check = ({ delayUs }, { meanBatch, meanRequestBatch, arrivalGapUs }) => {
  if (delayUs === 0 || delayUs >= arrivalGapUs || meanBatch > meanRequestBatch * 1.5) return undefined;
  const delay = niceDelayUs(arrivalGapUs * 4);
  return {
    code: 'delay-too-short',
    sentence: `The queue delay of ${delayUs} us ends before the next request comes: they arrive ${Math.round(arrivalGapUs)} us apart.`,
    advice: `Either send more requests, or raise the delay to about ${delay} us if that much latency is acceptable.`,
    suggestion: {
      title: `Try a queue delay of ${delay} us`,
      changes: [{ path: 'dynamic_batching.max_queue_delay_microseconds', value: BigInt(delay) }],
    },
  };
};

const preferredMissed: Check = ({ preferredBatchSizes, executions, maxBatchSize }) => {
  const configured = preferredBatchSizes.filter((size) => size !== maxBatchSize);
  if (configured.length === 0) return undefined;
  if (executions.some(({ batchSize }) => preferredBatchSizes.includes(batchSize))) return undefined;
  return {
    code: 'preferred-missed',
    sentence: `None of the preferred batch sizes ${preferredBatchSizes.join(', ')} was ever reached.`,
    advice:
      'Most models do best without preferred sizes: the batcher then takes what is there, up to the maximum.',
    suggestion: {
      title: 'Try without preferred sizes',
      changes: [{ path: 'dynamic_batching.preferred_batch_size', value: undefined }],
    },
  };
};

const CHECKS: readonly Check[] = [
  isEnsemble,
  impossible,
  noScheduler,
  noTraffic,
  servedByCache,
  clientsBatch,
  full,
  shapesDiffer,
  oneAtATime,
  instanceFree,
  delayTooShort,
  preferredMissed,
];

function evidenceOf(facts: DoctorFacts, seen: Observed): Diagnosis['evidence'] {
  if (facts.requestCount === 0) return [];
  const rows = [
    { label: 'Requests', value: `${facts.requestCount} in ${Math.round(facts.windowMs / 1000)} s` },
    { label: 'Average batch', value: `${round(seen.meanBatch)} of ${facts.maxBatchSize}` },
    { label: 'In flight', value: `${round(facts.meanInFlight)} on average, ${facts.maxInFlight} at most` },
    { label: 'Instances', value: String(facts.instanceCount) },
    { label: 'Queue delay', value: `${facts.delayUs} us` },
  ];
  const reasons = [...seen.reasonShare].sort((a, b) => b[1] - a[1]).slice(0, 3);
  if (reasons.length > 0) {
    const value = reasons
      .map(([reason, share]) => `${REASON_TEXTS[reason] ?? reason} ${percent(share)}`)
      .join(', ');
    rows.push({ label: 'Batches closed because', value });
  }
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

/** Rounds up to one significant digit, at least 100 us and at most 100 ms. */
function niceDelayUs(us: number): number {
  const bounded = Math.min(Math.max(us, 100), 100_000);
  const magnitude = 10 ** Math.floor(Math.log10(bounded));
  return Math.ceil(bounded / magnitude) * magnitude;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function round(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Math.round(value * 10) / 10);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
