// Streams, decoupled models and ensembles in use: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

export const KNOWN_STREAMS: readonly KnownDifference[] = [
  {
    rows: /^generate of decoupled models > /,
    reason: 'an error of the model keeps its own status instead of 400: newer servers do as we do',
    level: (answer) => answer.replace('{"answer":[500,', '{"answer":[400,'),
  },
  {
    rows: /^ensemble in use .* > \[\["A",\[0,\d\],/,
    reason: 'a batch of nothing is refused as such',
  },
  {
    rows: /^ensemble in use .* > \[\["A",\[(\d,)?0\],|e_passing > .*"outputs":\[\{"name":"A"/,
    reason: 'ensembles answer their sequence parameters also when outputs are empty or are inputs',
    level: (answer) => answer.replace(/\\"parameters\\":\{[^}]*\},/, ''),
  },
  {
    rows: /^ensemble in use (e_branches > .*\[\{"name":"T"\}|e_inner > .*\[\{"name":"m"\}|e_passing > .*\[\{"name":"Z"\}|(e_branches|e_inner|e_passing) > counts)/,
    reason:
      'of requests for some outputs the reference drops a step too much: that of an output that another step reads, or the first one beside an input that nobody needs',
  },
  {
    rows: /^iterative .* > counts$/,
    reason: 'the reference counts the end of each iterative sequence as a cancelled request that failed',
    level: (answer) => answer.replace(/"fail \d+"/, '"fail #"'),
  },
];
