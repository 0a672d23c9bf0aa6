// Trace settings of servers whose command line says something of traces: what is told of them, what null goes back to,
// for all models and for one, in both modes.

import { get, post } from './http-calls.ts';
import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import { script } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';
import type { WireCase } from './wire-cases.ts';

const FILE = [/"trace_file":"[^"]*"/];
const hidden = (call: WireCase): WireCase => ({ ...call, ignore: FILE });
const ALL = '/v2/trace/setting';
const ONE = '/v2/models/echo/trace/setting';

const BODIES = [
  '{"trace_level":["TENSORS"]}',
  '{"trace_level":["TIMESTAMPS","TENSORS"],"trace_rate":"2","trace_count":"3","log_frequency":"4"}',
  '{"trace_rate":"6","trace_count":"x"}',
  '{"trace_level":["OFF"],"trace_rate":null}',
  '{"trace_mode":"triton"}',
  '{"trace_mode":"opentelemetry","trace_rate":"8"}',
  '{"trace_file":"/tmp/elsewhere.json"}',
  '{"trace_rate":"9","trace_file":"/tmp/elsewhere.json"}',
  '{"trace_level":null,"trace_rate":null,"trace_count":null,"log_frequency":null}',
];

const walk: readonly ReferenceCase[] = [
  script('traced: as it starts', [
    hidden(get(ALL)),
    hidden(get(ONE)),
    hidden(post(ALL, '{}')),
    hidden(post(ONE, '{}')),
  ]),
  ...[ALL, ONE].map((path) =>
    script(
      `traced: changes of ${path}`,
      BODIES.flatMap((body) => [hidden(post(path, body)), hidden(get(ALL)), hidden(get(ONE))]),
    ),
  ),
];

const scene = (name: string, options: readonly string[]): Scene => ({
  name: `traced ${name}`,
  repositories: sameFor(pythonFiles('echo', ECHO_MODEL)),
  argsOf: (_, [folder = '']) => [
    `--trace-config=triton,file=${folder}/traces.json`,
    ...options.map((option) => `--trace-config=${option}`),
  ],
  cases: walk.map((one) => ({ ...one, name: `${one.name}, ${name}` })),
});

export const TRACED_SCENES: readonly Scene[] = [
  scene('by file', ['level=TIMESTAMPS', 'rate=5', 'count=7', 'triton,log-frequency=9']),
  scene('by file, both levels', ['level=TIMESTAMPS', 'level=TENSORS', 'level=OFF']),
  scene('by OpenTelemetry', [
    'mode=opentelemetry',
    'opentelemetry,url=http://127.0.0.1:9/v1/traces',
    'opentelemetry,resource=service.name=some',
    'level=TIMESTAMPS',
    'rate=5',
  ]),
];
