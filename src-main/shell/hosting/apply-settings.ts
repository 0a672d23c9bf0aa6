// Stored settings become engine options where the command line is silent: flag, then file, then default.

import type { SettingsStore } from '../../control/settings-store.ts';
import type { EngineOptions } from '../../engine-options.ts';

type Settings = Pick<SettingsStore, 'get' | 'isChanged'>;

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
  'logs.verboseLevel': [
    'log-verbose',
    (e, verboseLevel: number) => ({ ...e, log: { ...e.log, verboseLevel } }),
  ],
  'logs.format': ['log-format', (e, format: 'default' | 'ISO8601') => ({ ...e, log: { ...e.log, format } })],
};

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
