// Options of the endpoints for managed clouds, of metrics and of tracing.

import type { Flag } from '../option-definition.ts';
import { UsageError } from '../option-definition.ts';
import { parseBool, parseInteger, parseNumber, parsePair, parseScopedSetting } from '../option-values.ts';

const NO_CLOUD = 'this endpoint is not offered.';

export const cloudFlags: readonly Flag[] = [
  {
    name: 'allow-sagemaker',
    group: 'Sagemaker',
    argument: 'boolean',
    help: 'Answer SageMaker requests. Default is false.',
    apply: (_draft, value) => void parseBool(value),
    noEffect: NO_CLOUD,
    harmless: (value) => !parseBool(value),
  },
  {
    name: 'sagemaker-port',
    group: 'Sagemaker',
    argument: 'integer',
    help: 'Port of the SageMaker endpoint.',
    apply: (_draft, value) => void parseInteger(value),
    noEffect: NO_CLOUD,
  },
  {
    name: 'sagemaker-thread-count',
    group: 'Sagemaker',
    argument: 'integer',
    help: 'Threads of the SageMaker endpoint.',
    apply: (_draft, value) => void parseInteger(value),
    noEffect: NO_CLOUD,
  },
  {
    name: 'sagemaker-safe-port-range',
    group: 'Sagemaker',
    argument: 'integer-integer',
    help: 'Ports that the SageMaker endpoint may use.',
    apply: (_draft, value) => parsePair(value, '-').forEach((port) => parseInteger(port)),
    noEffect: NO_CLOUD,
  },
  {
    name: 'allow-vertex-ai',
    group: 'Vertex',
    argument: 'boolean',
    help: 'Answer Vertex AI requests. Default is true if AIP_MODE is PREDICTION, else false.',
    apply: (_draft, value) => void parseBool(value),
    noEffect: NO_CLOUD,
    harmless: (value) => !parseBool(value),
  },
  {
    name: 'vertex-ai-port',
    group: 'Vertex',
    argument: 'integer',
    help: 'Port of the Vertex AI endpoint.',
    apply: (_draft, value) => void parseInteger(value),
    noEffect: NO_CLOUD,
  },
  {
    name: 'vertex-ai-thread-count',
    group: 'Vertex',
    argument: 'integer',
    help: 'Threads of the Vertex AI endpoint.',
    apply: (_draft, value) => void parseInteger(value),
    noEffect: NO_CLOUD,
  },
  {
    name: 'vertex-ai-default-model',
    group: 'Vertex',
    argument: 'string',
    help: 'Model of the predict route.',
    apply: () => undefined,
    noEffect: NO_CLOUD,
  },
];

export const metricsFlags: readonly Flag[] = [
  {
    name: 'allow-metrics',
    group: 'Metrics',
    argument: 'boolean',
    help: 'Answer metrics requests. Default is true.',
    apply: (draft, value) => {
      draft.engine.metrics.enabled = parseBool(value);
    },
  },
  {
    name: 'allow-gpu-metrics',
    group: 'Metrics',
    argument: 'boolean',
    help: 'Measure GPUs. Default is true.',
    apply: (draft, value) => {
      draft.engine.metrics.gpu = parseBool(value);
    },
  },
  {
    name: 'allow-cpu-metrics',
    group: 'Metrics',
    argument: 'boolean',
    help: 'Measure the CPU and memory. Default is true.',
    apply: (draft, value) => {
      draft.engine.metrics.cpu = parseBool(value);
    },
  },
  {
    name: 'metrics-address',
    group: 'Metrics',
    argument: 'string',
    help: 'Address of the metrics endpoint. Default is the HTTP address.',
    apply: (draft, value) => {
      draft.engine.metrics.address = value;
    },
  },
  {
    name: 'metrics-port',
    group: 'Metrics',
    argument: 'integer',
    help: 'Port of the metrics endpoint, 0 picks a free one. Default is 8002.',
    apply: (draft, value) => {
      draft.engine.metrics.port = parseInteger(value);
    },
  },
  {
    name: 'metrics-interval-ms',
    group: 'Metrics',
    argument: 'float',
    help: 'Milliseconds between two looks at devices. Default is 2000.',
    apply: (draft, value) => {
      draft.engine.metrics.intervalMs = parseNumber(value);
    },
  },
  {
    name: 'metrics-config',
    group: 'Metrics',
    argument: 'string=string',
    help: 'Setting of the metrics: <key>=<value>. May be given several times.',
    apply: (draft, value) => void draft.engine.metrics.settings.push([...parsePair(value, '=')]),
  },
];

export const traceFlags: readonly Flag[] = [
  {
    name: 'trace-config',
    group: 'Tracing',
    argument: 'string,string=string',
    help: 'Setting of the tracer: [<mode>,]<key>=<value>. May be given several times.',
    apply: (draft, value) => {
      if (!value.includes('=')) {
        throw new UsageError(`Cannot parse '${value}': expected <key>=<value>`, {
          option: `--trace-config ${value}`,
        });
      }
      const setting = parseScopedSetting(value);
      draft.engine.trace.settings.push({ mode: setting.scope, key: setting.key, value: setting.value });
    },
  },
];
