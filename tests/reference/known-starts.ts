// Command lines and start-up: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

export const KNOWN_STARTS: readonly KnownDifference[] = [
  { rows: /^start --http-port=(65536|-1)$/, reason: 'a port that does not exist is refused' },
  { rows: /^start --rate-limit-resource=:1$/, reason: 'a resource without a name is refused' },
  {
    rows: /^start --grpc-infer-thread-count=/,
    reason: 'an option of newer servers',
  },
  {
    rows: /^start --(log-format|model-control-mode|rate-limit|grpc-infer-response-compression-level)=/,
    reason: 'a further line names the words that are taken',
    level: (answer) => answer.replace(/,"Expected one of (?:[^"\\]|\\.)*"/, ''),
  },
  {
    rows: /^start /,
    reason: 'options without effect here say so',
    level: (answer) =>
      answer.replace(/"Warning: '--[a-z-]+' is accepted but has no effect(?:[^"\\]|\\.)*",?/g, ''),
  },
  {
    rows: /^start --(cache-config=local,size=x|cache-config=nothing,size=1)$/,
    reason: 'the size and the caches that there are are named; no other cache is built in',
  },
  {
    rows: /^start --(response-cache-byte-size|cache-config=local,size)=10$/,
    reason: 'how large a cache must be is told',
  },
  {
    rows: /^start --grpc-use-ssl=true( |$)/,
    reason: 'which file is missing or cannot be read is told; the reference speaks of a socket in use',
  },
  {
    rows: /^start --http-header-forward-pattern=\($/,
    reason: 'a pattern that cannot be used is told in the log',
    level: (answer) => answer.replace(/"W no headers are forwarded: (?:[^"\\]|\\.)*"/, ''),
  },
  {
    rows: /^start --log-file=\/nowhere/,
    reason: 'a log file that cannot be opened is told; the reference goes on without a word',
  },
  {
    rows: /^start --trace-config=opentelemetry,bsp_max_queue_size=x$/,
    reason: 'a number that is none is refused; the reference goes on',
  },
  {
    rows: /^start /,
    reason: 'warnings of ours: folders without versions',
    level: (answer) => answer.replace(/"W <repository 0>\/\w+ has no version folder(?:[^"\\]|\\.)*",?/g, ''),
  },
  {
    rows: /^start odd version folders/,
    reason: 'a record names the model that it is about',
    level: (answer) => answer.replaceAll(' model=good"', '"'),
  },
  {
    rows: /^start (a broken configuration|an unknown field)/,
    reason: 'the parser says what is wrong and where in the record itself',
  },
];
