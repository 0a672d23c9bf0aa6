// Flows: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

const NEWER = 'newer servers do as we do';

export const KNOWN_FLOWS: readonly KnownDifference[] = [
  {
    rows: /^flow, (?!cache, in order|answers in order).* > order$/,
    reason: 'which of two answers that come within a moment of each other is first',
    isChance: true,
  },
  {
    rows: /^flow, sequences, ids in STRING > /,
    reason: `a text that names a sequence reaches a Python model: ${NEWER}`,
    isChance: true,
  },
  {
    rows: /^flow, (sequences, (a stream )?given up in the middle, |waiting, given up > )/,
    reason:
      'a request that is given up frees its place at once; the reference sees it when its turn comes, and runs one that is in a batch already',
    isChance: true,
  },
  {
    rows: /^flow, sequences, timeouts in the middle, oldest > /,
    reason: 'whether the next request of a sequence joins the batch that waits is chance in the reference',
    isChance: true,
  },
  {
    rows: /^flow, sequences, answers in order > /,
    reason: 'which of two instances gets a sequence is not said',
    isChance: true,
  },
  {
    rows: /^flow, ensembles, (a step that fails once behind|a branch that fails|a decoupled ensemble).* > (\d+ )?(statistics|metrics) of/,
    reason: `an ensemble whose step fails while others run waits for them, and counts its failure twice: ${NEWER}`,
    level: (answer) =>
      answer
        .replace(/"fail":"\d+ /, '"fail":"# ')
        .replace(/(reason=\\"OTHER\\",version=\\"1\\"\}) \d+/, '$1 #'),
  },
  {
    rows: /^flow, ensembles, given up between the responses > /,
    reason: 'steps of an ensemble that is given up are not run any more',
    isChance: true,
  },
  {
    rows: /^flow, ensembles, a full step behind a decoupled one > /,
    reason: 'the reference never answers where a step refuses a request while others run',
    isChance: true,
  },
  {
    rows: /^flow, (ensembles, a late step behind a decoupled one|limiter (on|off), queues in front of it) > /,
    reason: 'late requests and free instances are seen at once, not up to half a second later',
    isChance: true,
  },
  {
    rows: /^flow, ensembles, .* > \d+ POST \/v2\/repository\/models\/e_(two_decoupled|small|small_first|no_version)\/load/,
    reason: 'an ensemble that cannot be loaded says why each time',
  },
  {
    rows: /^flow, cache, in order > /,
    reason: `answers out of the cache keep the order, too: ${NEWER}; the reference can lose one behind them`,
    isChance: true,
  },
  {
    rows: /^flow, going, an unload of a stream > metrics of plays$/,
    reason:
      'the reference keeps the series of a streamed model for eight seconds and more after its last response',
    isChance: true,
  },
  {
    rows: /^amounts of late ones > (statistics|metrics) of/,
    reason: 'late requests are seen at once, not up to half a second later',
    level: (answer) => answer.replace(/"fail":\{"count":2,"ns":"[23] s"\}/, '"fail":"2 s"'),
  },
];
