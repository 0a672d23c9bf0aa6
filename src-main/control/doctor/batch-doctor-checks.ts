// The checks of the batch doctor in the order they are made: from "cannot" over "nobody lets it" to "something else is
// in the way". A check that judges how requests met says nothing while most of them are answered from the cache.

import type { DoctorFacts, DoctorSuggestion, Observed, Verdict } from './batch-doctor-facts.ts';
import { delayText, niceDelayUs, percentText, shortNumber } from './batch-doctor-texts.ts';

type Check = (facts: DoctorFacts, seen: Observed) => Verdict | undefined;

/** Fewest requests a verdict is based on. */
const ENOUGH_REQUESTS = 5;
/** Share of the executions from which a close reason explains the batches. */
const NOTICEABLE = 0.3;
const MOSTLY = 0.5;
const CACHE_SHARE = 0.9;
/** How many times the size of one request a batch must have to count as formed here. */
const GROWN = 1.5;

const isEnsemble: Check = ({ scheduler }) =>
  scheduler !== 'ensemble'
    ? undefined
    : {
        code: 'ensemble',
        sentence: 'An ensemble never forms batches itself; each of its steps batches on its own.',
        advice: 'Look at the statistics of the composing models.',
        suggestions: [],
      };

const impossible: Check = ({ maxBatchSize }) =>
  maxBatchSize > 1
    ? undefined
    : {
        code: 'impossible',
        sentence: `Batches cannot form: max_batch_size is ${maxBatchSize}.`,
        advice:
          maxBatchSize === 1
            ? 'Raise max_batch_size if the model accepts more than one row.'
            : 'If the first dimension of every input and output of the model is dynamic, set max_batch_size above 1 and leave that dimension out of dims.',
        suggestions: maxBatchSize === 1 ? [tryMaximum(8)] : [],
      };

const noScheduler: Check = ({ scheduler }) =>
  scheduler !== 'none'
    ? undefined
    : {
        code: 'no-scheduler',
        sentence: 'Requests are never combined: the config has no dynamic_batching.',
        advice:
          'Each request runs alone as the client sent it. Add dynamic_batching to let waiting requests share a batch.',
        suggestions: [
          { title: 'Try with dynamic_batching', changes: [{ path: 'dynamic_batching', value: {} }] },
        ],
      };

const tooFew: Check = ({ requestCount, timedOutCount }) =>
  requestCount + timedOutCount >= ENOUGH_REQUESTS
    ? undefined
    : {
        code: 'no-traffic',
        sentence:
          requestCount === 0
            ? 'No requests in the last minute, so there is nothing to judge yet.'
            : `Only ${requestCount} ${requestCount === 1 ? 'request' : 'requests'} in the last minute: too few to judge.`,
        advice: 'Send some requests, or run a short load test.',
        suggestions: [],
      };

const alreadyFull: Check = ({ maxBatchSize }, { meanRequestBatch }) =>
  meanRequestBatch < maxBatchSize * 0.95
    ? undefined
    : {
        code: 'already-full',
        sentence: `Requests already arrive with the maximum batch size of ${maxBatchSize}.`,
        advice: 'Nothing can be added to them. Raise max_batch_size if the model and memory allow.',
        suggestions: [tryMaximum(maxBatchSize * 2)],
      };

const oneAtATime: Check = (facts, { meanBatch, meanRequestBatch, arrivalGapUs }) => {
  const { meanInFlight, maxInFlight, instanceCount, maxBatchSize, delayUs } = facts;
  if (meanInFlight > Math.max(1, instanceCount) * 1.1 || meanBatch > meanRequestBatch * 1.2) return undefined;
  const average = `Average batch ${shortNumber(meanBatch)} of ${maxBatchSize}`;
  if (maxInFlight <= 1) {
    return {
      code: 'one-at-a-time',
      sentence: `${average}: clients send one request at a time.`,
      advice:
        delayUs > 0
          ? `Waiting ${delayText(delayUs)} for company only adds to each answer, since the next request comes after it. Keep more requests in flight: asynchronous calls, or several clients.`
          : 'Keep more requests in flight: asynchronous calls, or several clients. A queue delay would not help.',
      suggestions: delayUs > 0 ? [withoutDelay] : [],
    };
  }
  const delay = delayUs > 0 ? undefined : niceDelayUs(arrivalGapUs * 3);
  const fewer = instanceCount > 1 && facts.hasOneGroup;
  return {
    code: 'few-in-flight',
    sentence:
      instanceCount > 1
        ? `${average}. In flight never passed ${maxInFlight}, ${shortNumber(meanInFlight)} on average, while there are ${instanceCount} instances, so each request starts at once.`
        : `${average}. Only ${inFlightText(meanInFlight)} in flight on average, so each finds the instance free.`,
    advice: `Raise client concurrency${instanceCount > 1 ? ', or use fewer instances' : ''}${delay === undefined ? '' : `, or set a delay of about ${delayText(delay)}`}.`,
    suggestions: [...(fewer ? [oneInstance] : []), ...tryDelay(delay)],
  };
};

const instanceFree: Check = ({ delayUs, instanceCount, hasOneGroup }, seen) => {
  const { meanBatch, meanRequestBatch, arrivalGapUs, freeShare } = seen;
  if (delayUs > 0 || freeShare < MOSTLY || meanBatch > meanRequestBatch * GROWN) return undefined;
  const delay = niceDelayUs(arrivalGapUs * 4);
  return {
    code: 'instance-free',
    sentence: `An instance is free for ${percentText(freeShare)} of the batches and max_queue_delay_microseconds is 0, so nothing waits for company.`,
    advice: `${delay === undefined ? 'Requests come too seldom for a delay to be worth it: send more at a time.' : `A delay of about ${delayText(delay)} would collect roughly four requests.`}${instanceCount > 1 ? ' Fewer instances would let them meet.' : ''}`,
    suggestions: [...tryDelay(delay), ...(instanceCount > 1 && hasOneGroup ? [oneInstance] : [])],
  };
};

const delayTooShort: Check = ({ delayUs }, { meanBatch, meanRequestBatch, arrivalGapUs }) => {
  if (delayUs === 0 || delayUs >= arrivalGapUs || meanBatch > meanRequestBatch * GROWN) return undefined;
  const delay = niceDelayUs(arrivalGapUs * 4);
  return {
    code: 'delay-too-short',
    sentence: `The queue delay of ${delayText(delayUs)} ends before the next request comes: they arrive ${delayText(arrivalGapUs)} apart.`,
    advice:
      delay === undefined
        ? 'A delay that long would cost more than a batch brings: send more requests at a time, or drop the delay.'
        : `Either send more requests, or raise the delay to about ${delayText(delay)} if that much latency is acceptable.`,
    suggestions: delay === undefined ? [withoutDelay] : tryDelay(delay),
  };
};

const shapesDiffer: Check = (_facts, { reasonShare, shapes }) => {
  const share = reasonShare.get('shape') ?? 0;
  if (share < NOTICEABLE) return undefined;
  const seen = shapes.slice(0, 3).join('; ');
  return {
    code: 'shapes-differ',
    sentence: `${percentText(share)} of the batches were closed because the next request had another shape${seen === '' ? '' : ` (seen: ${seen})`}.`,
    advice:
      'Only requests of equal shape share a batch. Pad inputs to a few sizes, or allow ragged batches if the model can take them.',
    suggestions: [],
  };
};

const preferredMissed: Check = ({ preferredBatchSizes, executions, maxBatchSize }) => {
  const isSpecial = preferredBatchSizes.some((size) => size !== maxBatchSize);
  if (!isSpecial || executions.some(({ batchSize }) => preferredBatchSizes.includes(batchSize)))
    return undefined;
  return {
    code: 'preferred-missed',
    sentence: `None of the preferred batch sizes ${preferredBatchSizes.join(', ')} was ever reached.`,
    advice:
      'Most models do best without preferred sizes: the batcher then takes what is there, up to the maximum.',
    suggestions: [
      {
        title: 'Try without preferred sizes',
        changes: [{ path: 'dynamic_batching.preferred_batch_size', value: undefined }],
      },
    ],
  };
};

const timedOut: Check = ({ timedOutCount, requestCount }) =>
  timedOutCount / (requestCount + timedOutCount) < 0.1
    ? undefined
    : {
        code: 'timed-out',
        sentence: `${percentText(timedOutCount / (requestCount + timedOutCount))} of the requests timed out in the queue before a batch took them.`,
        advice: 'Raise the timeout of the queue policy, add instances, or send less.',
        suggestions: [],
      };

const prioritiesDiffer: Check = (_facts, { reasonShare }) => {
  const share = reasonShare.get('priority') ?? 0;
  if (share < NOTICEABLE) return undefined;
  return {
    code: 'priorities-differ',
    sentence: `${percentText(share)} of the batches were closed early because a more urgent request came.`,
    advice: 'Use fewer priority levels, or send urgent requests to a model of their own.',
    suggestions: [],
  };
};

const sequencesDiffer: Check = ({ scheduler }, { meanBatch }) =>
  scheduler !== 'sequence' || meanBatch > GROWN
    ? undefined
    : {
        code: 'sequences',
        sentence: `Average batch ${shortNumber(meanBatch)}: a batch takes one request of each live sequence, and seldom two of them are ready together.`,
        advice: 'More sequences at a time fill batches; more requests within a sequence do not.',
        suggestions: [],
      };

const servedByCache: Check = (_facts, { cacheShare }) =>
  cacheShare < CACHE_SHARE
    ? undefined
    : {
        code: 'cache-hits',
        sentence: `${percentText(cacheShare)} of the requests are answered from the response cache and never reach a batch.`,
        advice: 'Batch sizes say little here. Send different inputs to see batching.',
        suggestions: [],
      };

const full: Check = ({ maxBatchSize }, { meanBatch }) =>
  meanBatch < maxBatchSize * 0.9
    ? undefined
    : {
        code: 'full',
        sentence: `Batches are full: ${shortNumber(meanBatch)} of ${maxBatchSize} on average.`,
        advice: 'If latency allows, a larger max_batch_size may raise throughput further.',
        suggestions: [tryMaximum(maxBatchSize * 2)],
      };

/** About how requests meet: says nothing where none ran, where the cache answers nearly all, or most time out. */
function ofBatches(check: Check): Check {
  return (facts, seen) => {
    const { executions, timedOutCount, requestCount } = facts;
    if (executions.length === 0 || timedOutCount > requestCount) return undefined;
    return seen.cacheShare >= CACHE_SHARE ? undefined : check(facts, seen);
  };
}

/** Each looks at the same counters and may say nothing; what is said keeps this order. */
export const CHECKS: readonly Check[] = [
  isEnsemble,
  impossible,
  noScheduler,
  tooFew,
  ...[
    alreadyFull,
    oneAtATime,
    instanceFree,
    delayTooShort,
    shapesDiffer,
    preferredMissed,
    sequencesDiffer,
    prioritiesDiffer,
  ].map(ofBatches),
  timedOut,
  servedByCache,
  full,
];

const DELAY_PATH = 'dynamic_batching.max_queue_delay_microseconds';

function tryDelay(us: number | undefined): readonly DoctorSuggestion[] {
  if (us === undefined) return [];
  return [
    {
      title: `Try a queue delay of ${delayText(us)}`,
      changes: [{ path: DELAY_PATH, value: BigInt(us) }],
    },
  ];
}

function tryMaximum(size: number): DoctorSuggestion {
  return {
    title: `Try max_batch_size ${size}`,
    changes: [{ path: 'max_batch_size', value: size }],
  };
}

const withoutDelay: DoctorSuggestion = {
  title: 'Try without the queue delay',
  changes: [{ path: DELAY_PATH, value: undefined }],
};

const oneInstance: DoctorSuggestion = {
  title: 'Try with 1 instance',
  changes: [{ path: 'instance_group[0].count', value: 1 }],
};

function inFlightText(mean: number): string {
  const text = shortNumber(mean);
  return text === '1' ? '1 request is' : `${text} requests are`;
}
