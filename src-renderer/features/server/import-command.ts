// Reads a tritonserver command, or a docker run around one: which of its options are settings here, which repositories
// it names, and which options have no counterpart. Paths and ports inside a container are those of this machine after
// its -v and -p. Pure.

import type { DockerMounts } from './docker-mounts.ts';
import { dockerMounts, hostPath, hostPort } from './docker-mounts.ts';

type Value = string | number | boolean;

export interface ImportedCommand {
  readonly changes: Readonly<Record<string, Value>>;
  readonly repositories: readonly string[];
  /** Options without a setting here, as they were written. */
  readonly ignored: readonly string[];
}

type Convert = (value: string) => Value | undefined;

const number: Convert = (value) => (/^\d+$/.test(value) ? Number(value) : undefined);
const truth: Convert = (value) =>
  /^(true|1|on|)$/i.test(value) ? true : /^(false|0|off)$/i.test(value) ? false : undefined;
const text: Convert = (value) => (value === '' ? undefined : value);
const oneOf =
  (...words: readonly string[]): Convert =>
  (value) =>
    words.includes(value) ? value : undefined;
const after =
  (prefix: string): Convert =>
  (value) =>
    value.startsWith(prefix) ? number(value.slice(prefix.length)) : undefined;

const OPTIONS: Readonly<Record<string, readonly [setting: string, convert: Convert]>> = {
  'http-port': ['server.httpPort', number],
  'grpc-port': ['server.grpcPort', number],
  'metrics-port': ['server.metricsPort', number],
  'http-address': ['server.address', text],
  'model-control-mode': ['server.controlMode', oneOf('none', 'explicit', 'poll')],
  'repository-poll-secs': ['server.pollSecs', number],
  'model-config-name': ['server.configProfile', text],
  'model-load-thread-count': ['server.loadThreads', number],
  'model-namespacing': ['experimental.modelNamespacing', truth],
  'strict-readiness': ['server.strictReadiness', truth],
  'disable-auto-complete-config': [
    'server.autoComplete',
    (value) => (truth(value) === true ? false : undefined),
  ],
  'strict-model-config': [
    'server.autoComplete',
    (value) => (truth(value) === undefined ? undefined : truth(value) === false),
  ],
  'cache-config': ['server.responseCacheBytes', after('local,size=')],
  'response-cache-byte-size': ['server.responseCacheBytes', number],
  'rate-limit': [
    'server.rateLimiter',
    (value) => (value === 'execution_count' ? true : value === 'off' ? false : undefined),
  ],
  'allow-client-shm': ['server.allowClientShm', truth],
  'grpc-keepalive-time': ['server.grpcKeepaliveMs', number],
  'grpc-keepalive-timeout': ['server.grpcKeepaliveTimeoutMs', number],
  'grpc-keepalive-permit-without-calls': ['server.grpcPingWithoutCalls', truth],
  'grpc-http2-min-recv-ping-interval-without-data': ['server.grpcMinPingIntervalMs', number],
  'grpc-http2-max-ping-strikes': ['server.grpcPingStrikes', number],
  'grpc-max-connection-age': ['server.grpcMaxAgeMs', number],
  'grpc-max-connection-age-grace': ['server.grpcMaxAgeGraceMs', number],
  'metrics-interval-ms': ['server.metricsIntervalMs', number],
  'log-verbose': ['logs.verboseLevel', number],
  'log-format': ['logs.format', oneOf('default', 'ISO8601')],
  'exit-timeout-secs': ['server.exitTimeoutSecs', number],
};

/** Settings of the keys of options that take many of them, "<option> <scope>,<key>". */
const KEYED: typeof OPTIONS = {
  'metrics-config summary_latencies': ['server.metricsSummaries', truth],
  'metrics-config histogram_latencies': ['server.metricsHistograms', truth],
  'backend-config default-max-batch-size': ['server.defaultMaxBatchSize', number],
  'backend-config onnxruntime,default-max-batch-size': ['server.defaultMaxBatchSize', number],
  'backend-config onnxruntime,intra_op_thread_count': ['server.intraOpThreads', number],
  'backend-config onnxruntime,inter_op_thread_count': ['server.interOpThreads', number],
  'backend-config onnxruntime,gpu-providers': ['server.gpuProviders', text],
  'trace-config level': [
    'server.traceLevel',
    (value) => oneOf('OFF', 'TIMESTAMPS', 'TENSORS')(value.toUpperCase()),
  ],
  'trace-config rate': ['server.traceRate', number],
  'trace-config count': ['server.traceCount', (value) => (value === '-1' ? -1 : number(value))],
  'trace-config mode': ['server.traceMode', oneOf('triton', 'opentelemetry')],
  'trace-config triton,file': ['server.traceFile', text],
  'trace-config triton,log-frequency': ['server.traceLogFrequency', number],
  'trace-config opentelemetry,url': ['server.traceUrl', text],
};

const LOADED = 'server.loadAtStart';
const REPOSITORY_OPTIONS: ReadonlySet<string> = new Set(['model-repository', 'model-store']);
const PORTS: Readonly<Record<string, number>> = {
  'server.httpPort': 8000,
  'server.grpcPort': 8001,
  'server.metricsPort': 8002,
};

export function importCommand(command: string, knownSettings: ReadonlySet<string>): ImportedCommand {
  const words = splitWords(command);
  const start = words.findIndex((word) => /(^|\/)tritonserver(\.exe)?$/.test(word));
  const mounts = dockerMounts(words.slice(0, Math.max(0, start)));
  const changes: Record<string, Value> = {};
  const repositories: string[] = [];
  const ignored: string[] = [];
  for (const [name, value] of joinValues(words.slice(start < 0 ? 0 : start + 1))) {
    const found = settingOf(name, value);
    if (REPOSITORY_OPTIONS.has(name)) repositories.push(hostPath(mounts, value));
    else if (name === 'load-model' && value !== '' && knownSettings.has(LOADED)) {
      changes[LOADED] = [changes[LOADED] ?? [], value].flat().join(' ');
    } else if (found !== undefined && knownSettings.has(found[0])) changes[found[0]] = found[1];
    else ignored.push(value === '' ? `--${name}` : `--${name}=${value}`);
  }
  applyPublishedPorts(changes, mounts, knownSettings);
  return { changes, repositories, ignored };
}

function settingOf(name: string, value: string): readonly [setting: string, value: Value] | undefined {
  const equals = value.indexOf('=');
  const keyed = equals < 0 ? undefined : KEYED[`${name} ${value.slice(0, equals)}`];
  const [setting, convert] = keyed ?? OPTIONS[name] ?? [];
  const converted = convert?.(keyed === undefined ? value : value.slice(equals + 1));
  return setting === undefined || converted === undefined ? undefined : [setting, converted];
}

/** A container publishes its ports under others, also those it was not told. */
function applyPublishedPorts(
  changes: Record<string, Value>,
  mounts: DockerMounts,
  knownSettings: ReadonlySet<string>,
): void {
  for (const [setting, usual] of Object.entries(PORTS)) {
    const inside = Number(changes[setting] ?? usual);
    const outside = hostPort(mounts, inside);
    if (outside !== undefined && knownSettings.has(setting) && (outside !== usual || setting in changes)) {
      changes[setting] = outside;
    }
  }
}

/** "--a=b", "--a b" and "--a" as name and value. */
function joinValues(words: readonly string[]): readonly (readonly [name: string, value: string])[] {
  const options: (readonly [string, string])[] = [];
  words.forEach((word, index) => {
    const match = /^--([a-z0-9-]+)(?:=([\s\S]*))?$/.exec(word);
    if (match === null) return;
    const next = words[index + 1];
    const isNextValue = match[2] === undefined && next !== undefined && !next.startsWith('-');
    options.push([match[1] ?? '', match[2] ?? (isNextValue ? next : '')]);
  });
  return options;
}

/** Splits like a shell: quotes hold words together, a backslash at the end of a line joins lines. */
export function splitWords(command: string): readonly string[] {
  const words: string[] = [];
  for (const match of command.replaceAll(/\\\r?\n/g, ' ').matchAll(/(?:"([^"]*)"|'([^']*)'|[^\s"'])+/g)) {
    words.push(match[0].replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  }
  return words;
}
