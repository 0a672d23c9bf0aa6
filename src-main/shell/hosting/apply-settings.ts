// Stored settings become engine options where the command line is silent: flag, then file, then default.

import type { SettingsStore } from '../../control/settings-store.ts';
import type { EngineOptions } from '../../engine-options.ts';

type Settings = Pick<SettingsStore, 'get' | 'isChanged'>;

function metricsSetting(key: string) {
  return (e: EngineOptions, isOn: boolean): EngineOptions => ({
    ...e,
    metrics: { ...e.metrics, settings: [...e.metrics.settings, [key, String(isOn)]] },
  });
}

/** Setting -> option that outranks it, and how the value enters the options. */
const RULES: Readonly<
  Record<string, readonly [flag: string, apply: (engine: EngineOptions, value: never) => EngineOptions]>
> = {
  'server.httpPort': ['http-port', (e, port: number) => ({ ...e, http: { ...e.http, port } })],
  'server.grpcPort': ['grpc-port', (e, port: number) => ({ ...e, grpc: { ...e.grpc, port } })],
  'server.metricsPort': ['metrics-port', (e, port: number) => ({ ...e, metrics: { ...e.metrics, port } })],
  'server.address': [
    'http-address',
    (e, address: string) => ({
      ...e,
      http: { ...e.http, address },
      grpc: { ...e.grpc, address },
      metrics: { ...e.metrics, address },
    }),
  ],
  'server.strictReadiness': [
    'strict-readiness',
    (e, strictReadiness: boolean) => ({ ...e, server: { ...e.server, strictReadiness } }),
  ],
  'server.autoComplete': [
    'disable-auto-complete-config',
    (e, autoCompleteConfig: boolean) => ({ ...e, repository: { ...e.repository, autoCompleteConfig } }),
  ],
  'server.defaultMaxBatchSize': [
    'backend-config',
    (e, size: number) => ({
      ...e,
      backends: {
        ...e.backends,
        settings: [
          ...e.backends.settings,
          { backend: '', key: 'default-max-batch-size', value: String(size) },
        ],
      },
    }),
  ],
  'server.gpuPolicy': [
    'gpu-policy',
    (e, gpuPolicy: 'fallback' | 'strict') => ({ ...e, backends: { ...e.backends, gpuPolicy } }),
  ],
  'server.responseCacheBytes': [
    'cache-config',
    (e, byteSize: number) => ({
      ...e,
      cache: byteSize === 0 ? e.cache : { name: 'local', settings: [['size', String(byteSize)]] },
    }),
  ],
  'server.allowClientShm': [
    'allow-client-shm',
    (e, allowClient: boolean) => ({ ...e, sharedMemory: { ...e.sharedMemory, allowClient } }),
  ],
  'server.exitTimeoutSecs': [
    'exit-timeout-secs',
    (e, exitTimeoutSec: number) => ({ ...e, server: { ...e.server, exitTimeoutSec } }),
  ],
  'server.controlMode': [
    'model-control-mode',
    (e, controlMode: 'none' | 'explicit' | 'poll') => ({
      ...e,
      repository: {
        ...e.repository,
        controlMode,
        // The list of models to load belongs to explicit control; the other modes load all.
        startupModels: controlMode === 'explicit' ? e.repository.startupModels : [],
      },
    }),
  ],
  'server.pollSecs': [
    'repository-poll-secs',
    (e, pollSec: number) => ({ ...e, repository: { ...e.repository, pollSec } }),
  ],
  'server.configProfile': [
    'model-config-name',
    (e, modelConfigName: string) => ({ ...e, repository: { ...e.repository, modelConfigName } }),
  ],
  'server.loadThreads': [
    'model-load-thread-count',
    (e, loadThreadCount: number) => ({ ...e, repository: { ...e.repository, loadThreadCount } }),
  ],
  'server.rateLimiter': [
    'rate-limit',
    (e, isOn: boolean) => ({ ...e, rateLimit: { ...e.rateLimit, mode: isOn ? 'execution_count' : 'off' } }),
  ],
  'server.metricsIntervalMs': [
    'metrics-interval-ms',
    (e, intervalMs: number) => ({ ...e, metrics: { ...e.metrics, intervalMs } }),
  ],
  'server.metricsSummaries': ['metrics-config', metricsSetting('summary_latencies')],
  'server.metricsHistograms': ['metrics-config', metricsSetting('histogram_latencies')],
  'server.allowOrigins': [
    'http-allow-origin',
    (e, origins: string) => ({
      ...e,
      http: { ...e.http, allowedOrigins: origins.split(/[\s,]+/).filter((origin) => origin !== '') },
    }),
  ],
  'experimental.modelNamespacing': [
    'model-namespacing',
    (e, namespacing: boolean) => ({ ...e, repository: { ...e.repository, namespacing } }),
  ],
  'logs.verboseLevel': [
    'log-verbose',
    (e, verboseLevel: number) => ({ ...e, log: { ...e.log, verboseLevel } }),
  ],
  'logs.format': ['log-format', (e, format: 'default' | 'ISO8601') => ({ ...e, log: { ...e.log, format } })],
};

/** Settings that have no say in this run, with the option that was given instead. */
export function outrankedSettings(given: ReadonlySet<string>): ReadonlyMap<string, string> {
  const outranked = Object.entries(RULES).filter(([, [flag]]) => given.has(flag));
  return new Map(outranked.map(([key, [flag]]) => [key, flag]));
}

export function applySettings(
  engine: EngineOptions,
  given: ReadonlySet<string>,
  settings: Settings,
): EngineOptions {
  let result = engine;
  for (const [key, [flag, apply]] of Object.entries(RULES)) {
    if (settings.isChanged(key) && !given.has(flag)) result = apply(result, settings.get(key) as never);
  }
  return result;
}
