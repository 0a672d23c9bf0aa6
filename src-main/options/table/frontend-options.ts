// Options of the endpoints for managed clouds, and of metrics.

import { changed, field } from '../engine-field.ts';
import type { KeyedSetting } from '../option-builders.ts';
import { inert, keyed, scalar } from '../option-builders.ts';
import type { OptionDefinition } from '../option-definition.ts';
import { parseBool, parseInteger, parsePair } from '../option-values.ts';
import { anyText, decimal, truth, whole } from '../value-types.ts';

const NO_THREADS = 'one event loop serves all requests.';
const SECTION = 'Metrics';

/** In the order of the usage text. */
export const cloudOptions: readonly OptionDefinition[] = [
  scalar({
    name: 'allow-sagemaker',
    group: 'Sagemaker',
    type: truth,
    field: field('sagemaker', 'enabled'),
    help: 'Answer SageMaker requests, on the address of the HTTP port.',
  }),
  scalar({
    name: 'sagemaker-port',
    group: 'Sagemaker',
    type: whole(),
    field: field('sagemaker', 'port'),
    help: 'Port of the SageMaker endpoint.',
  }),
  inert({
    name: 'sagemaker-thread-count',
    group: 'Sagemaker',
    argument: 'integer',
    help: 'Threads of the SageMaker endpoint.',
    check: (text) => parseInteger(text),
    noEffect: NO_THREADS,
  }),
  {
    name: 'sagemaker-safe-port-range',
    group: 'Sagemaker',
    argument: '<integer>-<integer>',
    help: 'Ports that the endpoints besides SageMaker may use on the same address.',
    apply: (draft, text) => {
      const safePorts = parsePair(text, '-').map((port) => parseInteger(port));
      draft.engine = changed(draft.engine, 'sagemaker', { safePorts });
    },
    print: ({ sagemaker: { safePorts } }) => (safePorts.length === 0 ? [] : [safePorts.join('-')]),
  },
  scalar({
    name: 'allow-vertex-ai',
    group: 'Vertex',
    type: truth,
    field: field('vertexAi', 'enabled'),
    help: 'Answer Vertex AI requests, on the address of the HTTP port. With AIP_MODE=PREDICTION the default is true.',
  }),
  scalar({
    name: 'vertex-ai-port',
    group: 'Vertex',
    type: whole(),
    field: field('vertexAi', 'port'),
    help: 'Port of the Vertex AI endpoint. With AIP_HTTP_PORT the default is that port.',
  }),
  inert({
    name: 'vertex-ai-thread-count',
    group: 'Vertex',
    argument: 'integer',
    help: 'Threads of the Vertex AI endpoint.',
    check: (text) => parseInteger(text),
    noEffect: NO_THREADS,
  }),
  scalar({
    name: 'vertex-ai-default-model',
    group: 'Vertex',
    type: anyText,
    field: field('vertexAi', 'defaultModel'),
    help: 'Model of the predict route. Default is the only model there is.',
  }),
];

/** In the order of the usage text. */
export const metricsOptions: readonly OptionDefinition[] = [
  scalar({
    name: 'allow-metrics',
    group: 'Metrics',
    type: truth,
    field: field('metrics', 'enabled'),
    help: 'Answer metrics requests.',
  }),
  scalar({
    name: 'allow-gpu-metrics',
    group: 'Metrics',
    type: truth,
    field: field('metrics', 'gpu'),
    help: 'Measure GPUs.',
  }),
  scalar({
    name: 'allow-cpu-metrics',
    group: 'Metrics',
    type: truth,
    field: field('metrics', 'cpu'),
    help: 'Measure the CPU and memory.',
  }),
  scalar({
    name: 'metrics-address',
    group: 'Metrics',
    type: anyText,
    field: field('metrics', 'address'),
    help: 'Address of the metrics endpoint. Default is the HTTP address.',
    print: ({ http, metrics }) => [metrics.address].filter((own) => own !== '' && own !== http.address),
  }),
  scalar({
    name: 'metrics-port',
    group: 'Metrics',
    type: whole(),
    field: field('metrics', 'port'),
    help: 'Port of the metrics endpoint, 0 picks a free one.',
    screen: {
      key: 'server.metricsPort',
      section: 'Endpoints',
      title: 'Metrics port',
      help: 'Port of the Prometheus endpoint; 0 picks a free one.',
      min: 0,
      max: 65_535,
    },
  }),
  scalar({
    name: 'metrics-interval-ms',
    group: 'Metrics',
    type: decimal,
    field: field('metrics', 'intervalMs'),
    help: 'Milliseconds between two looks at devices.',
    screen: {
      key: 'server.metricsIntervalMs',
      section: SECTION,
      title: 'Metrics interval',
      help: 'Milliseconds between two measurements of processor and GPU for the metrics endpoint.',
      min: 10,
      max: 3_600_000,
    },
  }),
  keyed({
    group: 'Metrics',
    argument: '<string>=<string>',
    help: 'Setting of the metrics: <key>=<value>.',
    form: { option: 'metrics-config', scope: 'none' },
    entries: {
      get: ({ metrics }) => metrics.settings.map(([key, value]) => ({ scope: '', key, value })),
      add: (engine, { key, value }) =>
        changed(engine, 'metrics', { settings: [...engine.metrics.settings, [key, value]] }),
    },
    settings: [
      metricsSwitch(
        'summary_latencies',
        'server.metricsSummaries',
        'Latency summaries',
        'Publish quantiles of latencies on the metrics endpoint.',
      ),
      metricsSwitch(
        'histogram_latencies',
        'server.metricsHistograms',
        'Latency histograms',
        'Publish histograms of first responses on the metrics endpoint.',
      ),
    ],
  }),
];

function metricsSwitch(key: string, settingKey: string, title: string, help: string): KeyedSetting {
  return {
    key,
    scopes: [''],
    screen: { kind: 'boolean', key: settingKey, section: SECTION, title, help, defaultValue: false },
    read: parseBool,
  };
}
