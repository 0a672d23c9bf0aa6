// Command lines and start-up: what is allowed to differ from the running reference.

import type { KnownDifference } from './known-differences.ts';

export const KNOWN_STARTS: readonly KnownDifference[] = [
  {
    rows: /^start --((http|grpc|metrics)-port=(65536|70000|-1)|(http|grpc|metrics)-address=(nonsense|256\.0\.0\.1))$/,
    reason:
      'a port or an address that does not exist is refused; the reference goes on without it, or says that it is in use',
  },
  {
    rows: /^start --(model-load-retry-count|pinned-memory-pool-byte-size|cuda-memory-pool-byte-size|response-cache-byte-size|trace-rate|trace-count|trace-log-frequency)=(0:)?-[15]$/,
    reason: 'a count below zero is refused; the reference takes it, for whatever it comes out as',
  },
  {
    rows: /^start (a model .*)?--(rate-limit-resource=R1:(1:)?-1|trace-config=(count=-2|triton,log-frequency=-1|opentelemetry,bsp_schedule_delay=-1))$/,
    reason: 'a count below zero is refused; the reference takes it, for whatever it comes out as',
  },
  {
    rows: /^start --cache-config=local,size=(-1|0|1e6)$/,
    reason: 'how large a cache must be is told',
  },
  {
    rows: /^start --(allow=1|model=none)$/,
    reason: 'options of ours are among those that can be meant, and both names of the repositories',
  },
  {
    rows: /^start --(http-restricted-protocol|Log-info|log_info)=/,
    reason: 'the option that is meant is told',
    level: (answer) => answer.replace(/,"Did you mean [^"]*"/, ''),
  },
  {
    rows: /^start a model --backend-config=python,[\w-]+=x$/,
    reason: 'the setting and its value are told',
    level: (answer) =>
      answer.replace(/Invalid argument: (stol|[\w-]+ must be a number, got 'x')/, 'Invalid argument: #'),
  },
  {
    rows: /^start --(metrics-interval-ms|model-load-thread-count)=-1$/,
    reason: 'the reference hangs or aborts',
  },
  {
    rows: /^start --cache-config=local,size=1048576 --cache-directory=/,
    reason: 'the local cache is built in: its folder does not matter, and the server says so',
  },
  {
    rows: /^start two models .* --load-model=$/,
    reason: 'there is no model without a name; the reference looks for its backend',
  },
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
      answer.replace(/"Warning: '--[a-z0-9-]+' is accepted but has no effect(?:[^"\\]|\\.)*",?/g, ''),
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
    rows: /^start --(http|grpc)-header-forward-pattern=\($/,
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
