// Believable server, sample, settings, log and file views for tests and the harness page.

import type {
  LogLine,
  SeriesAnswer,
  ServerSample,
  ServerView,
  SettingsView,
  SettingView,
} from '../../src-shared/contract/observe-views.ts';
import { packPoint } from '../../src-shared/contract/series-pack.ts';
import { describeTensor } from '../../src-shared/config/model-description.ts';
import type { ClientView } from '../../src-shared/contract/observe-views.ts';
import type { OnnxInspection } from '../../src-shared/contract/config-calls.ts';
import type { SeriesPoint } from '../../src-shared/contract/series-point.ts';

/** Serves on all three ports and is not ready, because one model is broken. */
export function fakeServer(changes: Partial<ServerView> = {}): ServerView {
  const endpoint = (kind: 'http' | 'grpc' | 'metrics', port: number) => ({
    kind,
    address: `127.0.0.1:${port}`,
    isListening: true,
    error: undefined,
    requestCount: port === 8000 ? 18_204 : 412,
    requestsPerSecond: port === 8000 ? 212.4 : 0,
  });
  return {
    state: 'serving',
    isReady: false,
    notReady: [
      { model: 'broken_dims', reason: 'unexpected shape for INPUT0' },
      { model: 'text_bytes', reason: '' },
    ],
    exitTimeoutSec: 30,
    logVerboseLevel: 0,
    version: '0.1.0',
    id: 'triton',
    startedAtMs: Date.UTC(2026, 4, 4, 12, 0, 0),
    endpoints: [endpoint('http', 8000), endpoint('grpc', 8001), endpoint('metrics', 8002)],
    portConflict: undefined,
    controlMode: 'explicit',
    strictReadiness: true,
    commandLine:
      'tritonserver --model-repository=/home/ada/models --model-control-mode=explicit --load-model=*',
    providers: ['CPU'],
    gpus: [],
    gpuPolicy: 'fallback',
    cpuModel: 'AMD Ryzen 7 7840U',
    cpuCount: 8,
    runtimeVersions: { onnxruntime: '1.30.0', node: '24.21.0' },
    crashes: [],
    userDataPath: '/home/ada/.local/share/conch',
    defaultRepositoryPath: '/home/ada/Conch/models',
    logFile: '/home/ada/.local/share/conch/logs/conch.log',
    uiRoot: '/home/ada',
    ...changes,
  };
}

/** Values move with `atMs` as a wave, the same each time for the same moment. */
export function fakeSample(atMs: number, changes: Partial<ServerSample> = {}): ServerSample {
  const wave = Math.sin(atMs / 9000);
  const row = (model: string, inferPerSecond: number, p99Us: number) => ({
    model,
    version: '1',
    inferPerSecond,
    p99Us,
    waiting: Math.max(0, Math.round(3 + wave * 3)),
    inFlight: 4,
    lastRequestAtMs: atMs - 300,
    successCount: 18_000,
    failureCount: 0,
  });
  const models = [
    row('batch_mlp', 380 + wave * 60, 17_800 + wave * 2100),
    row('bert_reranker', 22 + wave * 4, 88_000),
  ];
  return {
    atMs,
    inferPerSecond: models.reduce((sum, model) => sum + model.inferPerSecond, 0),
    p99Us: 18_200,
    inFlight: 12,
    waiting: 3,
    cpuPercent: 212,
    rssBytes: 812_000_000,
    gpu: undefined,
    models,
    droppedCount: 0,
    ...changes,
  };
}

function fakeSeries(nowMs: number, count = 300): readonly SeriesPoint[] {
  return Array.from({ length: count }, (_, index) => {
    const atMs = nowMs - (count - index) * 1000;
    const wave = Math.sin(atMs / 12_000);
    return {
      atMs,
      bucketMs: 1000,
      inferences: Math.round(380 + wave * 70),
      executions: Math.round(110 + wave * 20),
      successes: Math.round(380 + wave * 70),
      failures: index % 90 === 0 ? 2 : 0,
      rejected: 0,
      timedOut: 0,
      p50Us: 7200 + wave * 600,
      p90Us: 12_400 + wave * 900,
      p99Us: 17_900 + wave * 2200,
      maxUs: 24_000 + wave * 4000,
      queueUs: 2100 + wave * 500,
      inputUs: 90,
      inferUs: 4700 + wave * 300,
      outputUs: 60,
      cacheUs: 0,
      overheadUs: 210,
      waiting: Math.max(0, Math.round(4 + wave * 4)),
      inFlight: 12,
      cacheHits: 0,
      cacheMisses: 0,
      cacheLookupUs: undefined,
    };
  });
}

/** As the engine answers: only points behind `afterMs`, all of them for 0. */
export function fakeSeriesAnswer(nowMs: number, afterMs: number): SeriesAnswer {
  return {
    version: '2',
    rows: fakeSeries(nowMs)
      .filter(({ atMs }) => atMs > afterMs)
      .map(packPoint),
    isWhole: afterMs === 0,
    batches: [
      { batchSize: 1, count: 31 },
      { batchSize: 4, count: 240 },
      { batchSize: 8, count: 220 },
    ],
    busy: [0.8, 0.74],
    markers: [],
    maxQueueSize: 0,
    hasCache: false,
  };
}

function setting(
  key: string,
  group: string,
  title: string,
  value: SettingView['value'],
  more: Partial<SettingView> = {},
): SettingView {
  return {
    key,
    group,
    section: undefined,
    title,
    help: `${title}, explained in one sentence.`,
    kind: typeof value === 'boolean' ? 'boolean' : typeof value === 'number' ? 'number' : 'text',
    choices: [],
    value,
    defaultValue: value,
    needsRestart: false,
    isPending: false,
    flag: undefined,
    ...more,
  };
}

/** At least one setting of each kind that the screen can draw, with their defaults. */
export function fakeSettings(): SettingsView {
  return {
    path: '/home/ada/.local/share/conch/settings.json',
    settings: [
      setting('general.restoreTabs', 'General', 'Restore tabs', true),
      setting('general.loadAfterImport', 'General', 'Load after import', true),
      setting('appearance.theme', 'Appearance', 'Theme', 'system', {
        kind: 'choice',
        choices: ['system', 'light', 'dark', 'high-contrast'],
      }),
      setting('appearance.density', 'Appearance', 'Density', 'comfortable', {
        kind: 'choice',
        choices: ['comfortable', 'compact'],
      }),
      setting('appearance.fontSize', 'Appearance', 'Font size', 13),
      setting('appearance.motion', 'Appearance', 'Motion', 'system', {
        kind: 'choice',
        choices: ['system', 'full', 'reduced'],
      }),
      setting('appearance.chartPalette', 'Appearance', 'Chart colours', 'okabe-ito', {
        kind: 'choice',
        choices: ['okabe-ito', 'high-distinction'],
      }),
      setting('language.numbers', 'Language', 'Numbers and dates', 'system', {
        kind: 'choice',
        choices: ['system', 'de-DE'],
      }),
      setting('server.httpPort', 'Server', 'HTTP port', 8000, { needsRestart: true }),
      setting('server.grpcPort', 'Server', 'gRPC port', 8001, { needsRestart: true }),
      setting('server.metricsPort', 'Server', 'Metrics port', 8002, { needsRestart: true }),
      setting('server.address', 'Server', 'Bind address', '127.0.0.1', { needsRestart: true }),
      setting('server.strictReadiness', 'Server', 'Strict readiness', true, { needsRestart: true }),
      setting('server.gpuPolicy', 'Server', 'Models that ask for a GPU', 'fallback', {
        kind: 'choice',
        choices: ['fallback', 'strict'],
      }),
      setting('logs.verboseLevel', 'Logs', 'Verbose level', 0),
      setting('experimental.modelNamespacing', 'Experimental', 'Model namespaces', false),
    ],
  };
}

/** All levels in turn, one line a moment, with ascending sequence numbers. */
export function fakeLogs(count = 40): readonly LogLine[] {
  const texts: readonly (readonly [LogLine['level'], string, string])[] = [
    ['info', 'repository', 'loading: batch_mlp:2'],
    ['info', 'repository', "successfully loaded 'batch_mlp'"],
    ['warn', 'backends', 'KIND_GPU was asked for, no GPU is usable: running on CPU'],
    [
      'error',
      'repository',
      "failed to load 'broken_dims' version 1: Invalid argument: model 'broken_dims', tensor 'INPUT0': the model expects 2 dimensions",
    ],
    ['verbose', 'scheduling', 'batch closed, reason=delay batchSize=5 queueUs=201'],
  ];
  return Array.from({ length: count }, (_, index) => {
    const [level, room, message] = texts[index % texts.length] ?? ['info', 'engine', 'started'];
    return {
      sequence: index + 1,
      atMs: Date.UTC(2026, 4, 4, 12, 4, 0) + index * 137,
      pid: 4242,
      level,
      room,
      message,
      model: index % 3 === 0 ? 'batch_mlp' : '',
      instance: '',
      requestId: undefined,
    };
  });
}

/** An image network from PyTorch with batch dimension and nothing wrong with it. */
export function fakeInspection(path: string): OnnxInspection {
  return {
    path,
    byteSize: 14_212_972,
    irVersion: 8,
    opsets: [{ domain: 'ai.onnx', version: 17 }],
    producer: 'pytorch 2.6.0',
    operators: [
      { type: 'Conv', count: 52 },
      { type: 'Clip', count: 35 },
      { type: 'Add', count: 10 },
      { type: 'Gemm', count: 1 },
    ],
    operatorCount: 100,
    parameterCount: 3_487_816,
    externalData: [],
    metadata: {},
    description: {
      inputs: [describeTensor('input', 'FP32', [-1, 3, 224, 224])],
      outputs: [describeTensor('output', 'FP32', [-1, 1000])],
    },
    suggestedConfig: [
      'name: "mobilenet"',
      'backend: "onnxruntime"',
      'max_batch_size: 4',
      'input {\n  name: "input"\n  data_type: TYPE_FP32\n  dims: [3, 224, 224]\n}',
      'output {\n  name: "output"\n  data_type: TYPE_FP32\n  dims: [1000]\n}',
      'dynamic_batching {\n}',
      '',
    ].join('\n'),
    suggestedName: 'mobilenet',
    problem: undefined,
  };
}

/** One program with failures, and one that does not say its name. */
export function fakeClients(): readonly ClientView[] {
  const lastSeenMs = Date.UTC(2026, 4, 4, 12, 4);
  return [
    {
      protocol: 'gRPC',
      userAgent: 'grpc-python/1.71.0 grpc-c/46.0.0 (linux; chttp2)',
      requestCount: 18_412,
      errorCount: 3,
      lastError: "NOT_FOUND Request for unknown model: 'resnet' is not found",
      lastSeenMs,
    },
    {
      protocol: 'HTTP',
      userAgent: undefined,
      requestCount: 7,
      errorCount: 0,
      lastError: undefined,
      lastSeenMs,
    },
  ];
}
