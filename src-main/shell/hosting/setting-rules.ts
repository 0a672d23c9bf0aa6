// What each stored setting of the server sets in the options of the engine, and the option of the command line that
// says the same and so outranks it.

import type { EngineOptions } from '../../options/engine-options.ts';

export interface SettingRule {
  /** Options that outrank the setting; one of a list of keys outranks it only where it names `optionKey`. */
  readonly flags: readonly string[];
  /** Key of a `--backend-config`, `--metrics-config` or `--trace-config`. */
  readonly optionKey?: string;
  /** `given` = names of the options on the command line. */
  readonly apply: (engine: EngineOptions, value: never, given: ReadonlySet<string>) => EngineOptions;
}

type Change<Value> = (engine: EngineOptions, value: Value, given: ReadonlySet<string>) => EngineOptions;

function rule<Value>(flags: string | readonly string[], apply: Change<Value>): SettingRule {
  return { flags: typeof flags === 'string' ? [flags] : flags, apply };
}

function part<Part extends keyof EngineOptions, Value>(
  flags: string | readonly string[],
  name: Part,
  changes: (value: Value, before: EngineOptions[Part]) => Partial<EngineOptions[Part]>,
): SettingRule {
  return rule<Value>(flags, (e, value) => ({ ...e, [name]: { ...e[name], ...changes(value, e[name]) } }));
}

function backendConfig(backend: string, key: string): SettingRule {
  const { apply, flags } = part('backend-config', 'backends', (value: string | number, { settings }) => ({
    settings: [...settings, { backend, key, value: String(value) }],
  }));
  return { apply, flags, optionKey: key };
}

/** Thread counts: 0 is no option at all. */
function threads(key: string): SettingRule {
  const { apply, ...others } = backendConfig('onnxruntime', key);
  return { ...others, apply: (e, count, given) => (count === 0 ? e : apply(e, count, given)) };
}

function metricsConfig(key: string): SettingRule {
  const { apply, flags } = part('metrics-config', 'metrics', (isOn: boolean, { settings }) => ({
    settings: [...settings, [key, String(isOn)] as const],
  }));
  return { apply, flags, optionKey: key };
}

function traceConfig(mode: string, key: string): SettingRule {
  const { apply, flags } = part('trace-config', 'trace', (value: string | number, { settings }) => ({
    settings: [
      ...settings,
      ...String(value)
        .split(key === 'level' ? ' ' : /$^/)
        .map((word) => ({ mode, key, value: word })),
    ],
  }));
  return { apply, flags, optionKey: key };
}

export const SETTING_RULES: Readonly<Record<string, SettingRule>> = {
  'server.httpPort': part('http-port', 'http', (port: number) => ({ port })),
  'server.grpcPort': part('grpc-port', 'grpc', (port: number) => ({ port })),
  'server.metricsPort': part('metrics-port', 'metrics', (port: number) => ({ port })),
  'server.address': rule('http-address', (e, address: string, given) => ({
    ...e,
    http: { ...e.http, address },
    grpc: given.has('grpc-address') ? e.grpc : { ...e.grpc, address },
    metrics: given.has('metrics-address') ? e.metrics : { ...e.metrics, address },
  })),
  'server.allowOrigins': part('http-allow-origin', 'http', (origins: string) => ({
    allowedOrigins: wordsOf(origins),
  })),
  'server.allowClientShm': part('allow-client-shm', 'sharedMemory', (allowClient: boolean) => ({
    allowClient,
  })),
  'server.exitTimeoutSecs': part('exit-timeout-secs', 'server', (exitTimeoutSec: number) => ({
    exitTimeoutSec,
  })),
  'server.controlMode': part(
    'model-control-mode',
    'repository',
    (mode: 'none' | 'explicit' | 'poll', before) => ({
      controlMode: mode,
      // The list of models to load belongs to explicit control; the other modes load all.
      startupModels: mode === 'explicit' ? before.startupModels : [],
    }),
  ),
  'server.pollSecs': part('repository-poll-secs', 'repository', (pollSec: number) => ({ pollSec })),
  'server.loadAtStart': part('load-model', 'repository', (names: string, before) => ({
    startupModels: before.controlMode === 'explicit' ? wordsOf(names) : [],
  })),
  'server.strictReadiness': part('strict-readiness', 'server', (strictReadiness: boolean) => ({
    strictReadiness,
  })),
  'server.autoComplete': part(
    ['disable-auto-complete-config', 'strict-model-config'],
    'repository',
    (autoCompleteConfig: boolean) => ({ autoCompleteConfig }),
  ),
  'server.defaultMaxBatchSize': backendConfig('', 'default-max-batch-size'),
  'server.configProfile': part('model-config-name', 'repository', (modelConfigName: string) => ({
    modelConfigName,
  })),
  'server.loadThreads': part('model-load-thread-count', 'repository', (loadThreadCount: number) => ({
    loadThreadCount,
  })),
  'server.intraOpThreads': threads('intra_op_thread_count'),
  'server.interOpThreads': threads('inter_op_thread_count'),
  'server.gpuProviders': backendConfig('onnxruntime', 'gpu-providers'),
  'server.gpuPolicy': part('gpu-policy', 'backends', (gpuPolicy: 'fallback' | 'strict') => ({ gpuPolicy })),
  'server.responseCacheBytes': rule(['cache-config', 'response-cache-byte-size'], (e, byteSize: number) => ({
    ...e,
    cache: byteSize === 0 ? e.cache : { name: 'local', settings: [['size', String(byteSize)]] },
  })),
  'server.rateLimiter': part('rate-limit', 'rateLimit', (isOn: boolean) => ({
    mode: isOn ? ('execution_count' as const) : ('off' as const),
  })),
  'server.grpcKeepaliveMs': part('grpc-keepalive-time', 'grpc', (keepaliveTimeMs: number) => ({
    keepaliveTimeMs,
  })),
  'server.grpcKeepaliveTimeoutMs': part('grpc-keepalive-timeout', 'grpc', (keepaliveTimeoutMs: number) => ({
    keepaliveTimeoutMs,
  })),
  'server.grpcPingWithoutCalls': part(
    'grpc-keepalive-permit-without-calls',
    'grpc',
    (keepalivePermitWithoutCalls: boolean) => ({ keepalivePermitWithoutCalls }),
  ),
  'server.grpcMinPingIntervalMs': part(
    'grpc-http2-min-recv-ping-interval-without-data',
    'grpc',
    (minRecvPingIntervalWithoutDataMs: number) => ({ minRecvPingIntervalWithoutDataMs }),
  ),
  'server.grpcPingStrikes': part('grpc-http2-max-ping-strikes', 'grpc', (maxPingStrikes: number) => ({
    maxPingStrikes,
  })),
  'server.grpcMaxAgeMs': part('grpc-max-connection-age', 'grpc', (maxConnectionAgeMs: number) => ({
    maxConnectionAgeMs,
  })),
  'server.grpcMaxAgeGraceMs': part('grpc-max-connection-age-grace', 'grpc', (graceMs: number) => ({
    maxConnectionAgeGraceMs: graceMs,
  })),
  'server.metricsIntervalMs': part('metrics-interval-ms', 'metrics', (intervalMs: number) => ({
    intervalMs,
  })),
  'server.metricsSummaries': metricsConfig('summary_latencies'),
  'server.metricsHistograms': metricsConfig('histogram_latencies'),
  'server.traceLevel': traceConfig('', 'level'),
  'server.traceRate': traceConfig('', 'rate'),
  'server.traceCount': traceConfig('', 'count'),
  'server.traceMode': traceConfig('', 'mode'),
  'server.traceFile': traceConfig('triton', 'file'),
  'server.traceLogFrequency': traceConfig('triton', 'log-frequency'),
  'server.traceUrl': traceConfig('opentelemetry', 'url'),
  'experimental.modelNamespacing': part('model-namespacing', 'repository', (namespacing: boolean) => ({
    namespacing,
  })),
  'logs.verboseLevel': part('log-verbose', 'log', (verboseLevel: number) => ({ verboseLevel })),
  'logs.format': part('log-format', 'log', (format: 'default' | 'ISO8601') => ({ format })),
};

function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
