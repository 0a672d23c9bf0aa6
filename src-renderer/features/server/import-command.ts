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
  'backend-config': ['server.defaultMaxBatchSize', after('default-max-batch-size=')],
  'cache-config': ['server.responseCacheBytes', after('local,size=')],
  'response-cache-byte-size': ['server.responseCacheBytes', number],
  'rate-limit': [
    'server.rateLimiter',
    (value) => (value === 'execution_count' ? true : value === 'off' ? false : undefined),
  ],
  'metrics-interval-ms': ['server.metricsIntervalMs', number],
  'log-verbose': ['logs.verboseLevel', number],
  'log-format': ['logs.format', oneOf('default', 'ISO8601')],
  'exit-timeout-secs': ['server.exitTimeoutSecs', number],
};

/** Settings that one value of a repeated option has. */
const METRICS: Readonly<Record<string, string>> = {
  summary_latencies: 'server.metricsSummaries',
  histogram_latencies: 'server.metricsHistograms',
};

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
    else if (found !== undefined && knownSettings.has(found[0])) changes[found[0]] = found[1];
    else ignored.push(value === '' ? `--${name}` : `--${name}=${value}`);
  }
  applyPublishedPorts(changes, mounts, knownSettings);
  return { changes, repositories, ignored };
}

function settingOf(name: string, value: string): readonly [setting: string, value: Value] | undefined {
  if (name === 'metrics-config') {
    const [key = '', flag = ''] = value.split('=');
    const setting = METRICS[key];
    const isOn = truth(flag);
    return setting === undefined || isOn === undefined ? undefined : [setting, isOn];
  }
  const [setting, convert] = OPTIONS[name] ?? [];
  const converted = convert?.(value);
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
