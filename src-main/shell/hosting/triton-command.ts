// The running server as a command line of the reference: every option that differs from its default, so that the same
// server can be started elsewhere.

import type { EngineOptions } from '../../options/engine-options.ts';
import { defaultEngineOptions } from '../../options/engine-options.ts';

export interface CommandFacts {
  readonly http?: number | undefined;
  readonly grpc?: number | undefined;
  readonly metrics?: number | undefined;
  readonly repositories: readonly string[];
}

/** `tritonserver --model-repository=... ...`, quoted for a shell. */
export function tritonCommand(engine: EngineOptions, facts: CommandFacts): string {
  const flags = [
    ...facts.repositories.map((root) => `--model-repository=${root}`),
    ...modelFlags(engine),
    ...endpointFlags(engine, facts),
    ...grpcFlags(engine),
    ...otherFlags(engine),
  ];
  return ['tritonserver', ...flags.map(quoted)].join(' ');
}

function modelFlags({ repository, server }: EngineOptions): readonly string[] {
  const defaults = defaultEngineOptions;
  return [
    ...when(repository.controlMode !== defaults.repository.controlMode, [
      `--model-control-mode=${repository.controlMode}`,
      ...when(
        repository.controlMode === 'explicit',
        repository.startupModels.map((name) => `--load-model=${name}`),
      ),
      ...when(repository.controlMode === 'poll', [`--repository-poll-secs=${repository.pollSec}`]),
    ]),
    ...when(!repository.autoCompleteConfig, ['--disable-auto-complete-config']),
    ...when(repository.modelConfigName !== '', [`--model-config-name=${repository.modelConfigName}`]),
    ...when(repository.loadThreadCount !== defaults.repository.loadThreadCount, [
      `--model-load-thread-count=${repository.loadThreadCount}`,
    ]),
    ...when(repository.namespacing, ['--model-namespacing=true']),
    ...when(!server.exitOnError, ['--exit-on-error=false']),
    ...when(!server.strictReadiness, ['--strict-readiness=false']),
    ...when(server.exitTimeoutSec !== defaults.server.exitTimeoutSec, [
      `--exit-timeout-secs=${server.exitTimeoutSec}`,
    ]),
  ];
}

function endpointFlags(engine: EngineOptions, facts: CommandFacts): readonly string[] {
  const defaults = defaultEngineOptions;
  return (['http', 'grpc', 'metrics'] as const).flatMap((name) => {
    const { enabled, address } = engine[name];
    const { [name]: port = engine[name].port } = facts;
    if (!enabled) return [`--allow-${name}=false`];
    const ownAddress = name === 'metrics' && address === engine.http.address ? '' : address;
    return [
      ...when(port !== defaults[name].port, [`--${name}-port=${port}`]),
      ...when(ownAddress !== defaults[name].address, [`--${name}-address=${ownAddress}`]),
    ];
  });
}

/** Limits of gRPC connections, by the name of their option. */
const GRPC_LIMITS = {
  'grpc-keepalive-time': 'keepaliveTimeMs',
  'grpc-keepalive-timeout': 'keepaliveTimeoutMs',
  'grpc-keepalive-permit-without-calls': 'keepalivePermitWithoutCalls',
  'grpc-http2-min-recv-ping-interval-without-data': 'minRecvPingIntervalWithoutDataMs',
  'grpc-http2-max-ping-strikes': 'maxPingStrikes',
  'grpc-max-connection-age': 'maxConnectionAgeMs',
  'grpc-max-connection-age-grace': 'maxConnectionAgeGraceMs',
} as const;

function grpcFlags({ grpc }: EngineOptions): readonly string[] {
  return Object.entries(GRPC_LIMITS).flatMap(([flag, field]) =>
    when(grpc[field] !== defaultEngineOptions.grpc[field], [`--${flag}=${String(grpc[field])}`]),
  );
}

function otherFlags(engine: EngineOptions): readonly string[] {
  const { backends, rateLimit, cache, sharedMemory, metrics, trace, log } = engine;
  return [
    ...when(sharedMemory.allowClient, ['--allow-client-shm=true']),
    ...when(metrics.intervalMs !== defaultEngineOptions.metrics.intervalMs, [
      `--metrics-interval-ms=${metrics.intervalMs}`,
    ]),
    ...metrics.settings.map(([key, value]) => `--metrics-config=${key}=${value}`),
    ...trace.settings.map(
      ({ mode, key, value }) => `--trace-config=${mode === '' ? '' : `${mode},`}${key}=${value}`,
    ),
    ...backends.settings.map(
      ({ backend, key, value }) => `--backend-config=${backend === '' ? '' : `${backend},`}${key}=${value}`,
    ),
    ...when(rateLimit.mode !== 'off', [`--rate-limit=${rateLimit.mode}`]),
    ...when(
      cache.name !== '',
      cache.settings.map(([key, value]) => `--cache-config=${cache.name},${key}=${value}`),
    ),
    ...when(log.verboseLevel > 0, [`--log-verbose=${log.verboseLevel}`]),
    ...when(log.format !== 'default', [`--log-format=${log.format}`]),
  ];
}

function when(isTrue: boolean, flags: readonly string[]): readonly string[] {
  return isTrue ? flags : [];
}

function quoted(flag: string): string {
  return /^[\w./:=,+@%-]+$/.test(flag) ? flag : `'${flag.replaceAll("'", String.raw`'\''`)}'`;
}
