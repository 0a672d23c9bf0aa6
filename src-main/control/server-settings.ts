// Settings of the server that decide where it listens, which models it loads and how they run. They become options at
// its next start, where the command line is silent; what each of them sets is in the shell (`apply-settings.ts`).

import type { SettingDefinition } from '../options/setting-definition.ts';
import { atRestart } from '../options/setting-definition.ts';

const port = { min: 0, max: 65535 } as const;
const endpoint = atRestart('Endpoints');
const models = atRestart('Models');
const running = atRestart('Running models');

const ENDPOINTS: readonly SettingDefinition[] = [
  endpoint('number', 'httpPort', 'HTTP port', 8000, 'Port of the HTTP endpoint; 0 picks a free one.', port),
  endpoint('number', 'grpcPort', 'gRPC port', 8001, 'Port of the gRPC endpoint; 0 picks a free one.', port),
  endpoint(
    'number',
    'metricsPort',
    'Metrics port',
    8002,
    'Port of the Prometheus endpoint; 0 picks a free one.',
    port,
  ),
  endpoint(
    'text',
    'address',
    'Bind address',
    '127.0.0.1',
    'Address the server listens on. Anything but a loopback address opens it to your network.',
  ),
  endpoint(
    'text',
    'allowOrigins',
    'Web pages that may call (CORS)',
    '',
    'Origins such as https://app.example, separated by blanks; others are refused.',
  ),
  endpoint(
    'boolean',
    'allowClientShm',
    'Shared memory',
    false,
    'Let clients on this computer register shared-memory regions.',
  ),
  endpoint(
    'number',
    'exitTimeoutSecs',
    'Time to finish requests',
    30,
    'Seconds the server waits for running requests when it stops.',
    { min: 0, max: 86400 },
  ),
];

const MODELS: readonly SettingDefinition[] = [
  models(
    'choice',
    'controlMode',
    'Control mode',
    'explicit',
    'explicit: models load and unload on request, by clients and by this window. none: clients cannot load or unload. poll: what changes in the folders is loaded by itself.',
    { choices: ['explicit', 'none', 'poll'] },
  ),
  models(
    'number',
    'pollSecs',
    'Poll interval',
    15,
    'Seconds between two looks at the folders in poll mode.',
    {
      min: 1,
      max: 86400,
    },
  ),
  models(
    'text',
    'loadAtStart',
    'Loaded at start',
    '*',
    'Names of models, separated by blanks; * loads all, empty loads none. In explicit mode, from the next start of the app on; a restart of the server keeps what is loaded.',
    { needsRestart: false },
  ),
  models(
    'boolean',
    'strictReadiness',
    'Strict readiness',
    true,
    'The server counts as ready only when every model of the start set is ready.',
  ),
  models(
    'boolean',
    'autoComplete',
    'Complete configurations',
    true,
    'Fill in what config.pbtxt leaves out from the model file, as Triton does.',
  ),
  models(
    'number',
    'defaultMaxBatchSize',
    'Default max batch size',
    4,
    'max_batch_size that completion gives to models that can batch.',
    { min: 0, max: 65536 },
  ),
  models(
    'text',
    'configProfile',
    'Configuration profile',
    '',
    'Name of the file in the configs folder of a model that is used in place of config.pbtxt; empty = none.',
  ),
  models(
    'number',
    'loadThreads',
    'Models loaded at a time',
    4,
    'How many models may load at the same time.',
    {
      min: 1,
      max: 64,
    },
  ),
];

const RUNNING: readonly SettingDefinition[] = [
  running(
    'number',
    'intraOpThreads',
    'CPU threads of an operator',
    0,
    'intra_op_thread_count of models whose configuration has none; 0 lets ONNX Runtime take one for each core.',
    { min: 0, max: 1024 },
  ),
  running(
    'number',
    'interOpThreads',
    'Operators at a time',
    0,
    'inter_op_thread_count of models whose configuration has none; counts with execution_mode 1 only. 0 leaves it to ONNX Runtime.',
    { min: 0, max: 1024 },
  ),
  running(
    'text',
    'gpuProviders',
    'Order of GPU providers',
    '',
    'Execution providers that a GPU instance tries before the CPU: cuda, tensorrt, webgpu, dml, coreml, separated by blanks. Empty: cuda dml coreml. Options of providers beyond the device are not passed on: onnxruntime-node takes none.',
    { words: ['cuda', 'tensorrt', 'webgpu', 'dml', 'coreml'] },
  ),
  running(
    'choice',
    'gpuPolicy',
    'Models that ask for a GPU',
    'fallback',
    'Fallback runs them on the CPU and marks them; strict refuses them, as Triton does.',
    { choices: ['fallback', 'strict'] },
  ),
  running(
    'number',
    'responseCacheBytes',
    'Response cache',
    0,
    'Bytes of the response cache; 0 switches it off.',
    { min: 0, max: 2 ** 40 },
  ),
  running(
    'boolean',
    'rateLimiter',
    'Rate limiter',
    false,
    'Let the rate_limiter settings of instance groups take effect.',
  ),
];

export const SERVER_SETTINGS: readonly SettingDefinition[] = [...ENDPOINTS, ...MODELS, ...RUNNING];
