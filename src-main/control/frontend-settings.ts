// Settings of the server's frontends beyond their ports: gRPC connections, metrics, tracing. They become options at its
// next start, where the command line is silent.

import type { SettingDefinition } from '../options/setting-definition.ts';
import { atRestart } from '../options/setting-definition.ts';

const MAX_INT = 2 ** 31 - 1;

const grpc = atRestart('gRPC connections');
const metrics = atRestart('Metrics');
const trace = atRestart('Tracing');
const milliseconds = { min: 0, max: MAX_INT } as const;

const GRPC: readonly SettingDefinition[] = [
  grpc(
    'number',
    'grpcKeepaliveMs',
    'Ping after',
    7_200_000,
    'Milliseconds without traffic after which the server pings a client.',
    { min: 1, max: MAX_INT },
  ),
  grpc(
    'number',
    'grpcKeepaliveTimeoutMs',
    'Answer to a ping within',
    20_000,
    'Milliseconds after which a connection without an answer is closed.',
    { min: 1, max: MAX_INT },
  ),
  grpc(
    'boolean',
    'grpcPingWithoutCalls',
    'Pings without calls',
    false,
    'Ping clients that have no call open, and let them ping as often as those that have.',
  ),
  grpc(
    'number',
    'grpcMinPingIntervalMs',
    'Pings of a client at least apart',
    300_000,
    'Milliseconds that a client must leave between two pings without data.',
    milliseconds,
  ),
  grpc(
    'number',
    'grpcPingStrikes',
    'Pings that come too soon',
    2,
    'So many are let pass, then the connection is closed with too_many_pings; 0 lets all pass.',
    { min: 0, max: 1000 },
  ),
  grpc(
    'number',
    'grpcMaxAgeMs',
    'Age of a connection',
    0,
    'Milliseconds after which a connection is closed, so that clients connect anew; 0 = never.',
    milliseconds,
  ),
  grpc(
    'number',
    'grpcMaxAgeGraceMs',
    'Time for its calls',
    0,
    'Milliseconds that calls of such a connection may still take.',
    milliseconds,
  ),
];

const METRICS: readonly SettingDefinition[] = [
  metrics(
    'number',
    'metricsIntervalMs',
    'Metrics interval',
    2000,
    'Milliseconds between two measurements of processor and GPU for the metrics endpoint.',
    { min: 10, max: 3_600_000 },
  ),
  metrics(
    'boolean',
    'metricsSummaries',
    'Latency summaries',
    false,
    'Publish quantiles of latencies on the metrics endpoint.',
  ),
  metrics(
    'boolean',
    'metricsHistograms',
    'Latency histograms',
    false,
    'Publish histograms of first responses on the metrics endpoint.',
  ),
];

const TRACING: readonly SettingDefinition[] = [
  trace(
    'choice',
    'traceLevel',
    'Trace level',
    'OFF',
    'What is recorded of traced requests. Clients can change it while the server runs.',
    { choices: ['OFF', 'TIMESTAMPS', 'TENSORS', 'TIMESTAMPS TENSORS'] },
  ),
  trace('number', 'traceRate', 'One request in', 1000, 'Every so many requests one is traced.', {
    min: 1,
    max: MAX_INT,
  }),
  trace('number', 'traceCount', 'Traces at most', -1, 'Tracing ends after so many; -1 = without end.', {
    min: -1,
    max: MAX_INT,
  }),
  trace(
    'choice',
    'traceMode',
    'Traces go to',
    'triton',
    "triton: a file in Triton's JSON. opentelemetry: a collector, over HTTP.",
    { choices: ['triton', 'opentelemetry'] },
  ),
  trace('text', 'traceFile', 'Trace file', '', 'Full path, in mode triton. Without one nothing is traced.'),
  trace(
    'number',
    'traceLogFrequency',
    'Traces in a file',
    0,
    'After so many a file with a number is written; 0 writes all into one file.',
    { min: 0, max: MAX_INT },
  ),
  trace(
    'text',
    'traceUrl',
    'Collector',
    'http://localhost:4318/v1/traces',
    'Address that traces are sent to in mode opentelemetry.',
  ),
];

export const FRONTEND_SETTINGS: readonly SettingDefinition[] = [...GRPC, ...METRICS, ...TRACING];
