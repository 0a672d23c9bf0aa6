// Command lines with two faults: which of them is told. Those of one option are found where it stands, those of several
// options together behind all of them, those of the server last.

import type { StartCase } from './start-cases.ts';

const CACHES = ['--cache-config=local,size=1', '--response-cache-byte-size=1'];
const FAULTS: readonly (readonly string[])[] = [
  ['--trace-level=x'],
  ['--trace-config=level=x'],
  ['--trace-config=count=x'],
  ['--http-port=x'],
  ['--nonsense'],
  ['extra'],
  ['--load-model=x'],
  CACHES,
  ['--cache-config=a,b=c', '--cache-config=d,e=f'],
  ['--model-load-gpu-limit=0:5'],
  ['--help'],
];

const line = (...args: readonly string[]): StartCase => ({ name: args.join(' '), args });

export const PAIR_CASES: readonly StartCase[] = [
  ...FAULTS.flatMap((first) =>
    // Whoever asks for help reads no warnings here.
    FAULTS.filter((second) => second !== first && !(first === CACHES && second[0] === '--help')).map(
      (second) => line(...first, ...second),
    ),
  ),
  line('--trace-config=mode=x', '--trace-config=mode=opentelemetry'),
  line('--trace-config=level=x', '--trace-config=mode=x'),
  line('--trace-config=triton,log-frequency=x', '--trace-config=mode=opentelemetry'),
  line('--trace-config=level=x', '--trace-file=/a', '--trace-config=mode=opentelemetry'),
  line('--trace-config=level=x', '--strict-model-config=false', '--disable-auto-complete-config'),
  line('--trace-config=count=x', '--http-port=8765', '--grpc-port=8765'),
  line(...CACHES, '--http-port=8765', '--grpc-port=8765'),
  line(...CACHES, '--strict-model-config=false', '--disable-auto-complete-config'),
  line('--cache-config=a,b=c', '--cache-config=d,e=f', '--model-repository=/nowhere/at/all'),
];
