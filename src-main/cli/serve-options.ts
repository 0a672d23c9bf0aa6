// Turns the arguments of `conch serve` into checked, frozen options. Pure: the environment is handed in, nothing is
// printed, no file is read. Two modes: plain `serve` keeps Triton's defaults, `--ui` takes those of the app.

import type { EngineOptions } from '../options/engine-options.ts';
import { deepFreeze } from './deep-freeze.ts';
import type { Flag } from '../options/option-definition.ts';
import { UsageError } from '../options/option-definition.ts';
import { conchFlags, deprecatedFlags } from '../options/table/conch-options.ts';
import { cloudFlags, metricsFlags, traceFlags } from '../options/table/frontend-options.ts';
import { grpcFlags } from '../options/table/grpc-options.ts';
import { httpFlags } from '../options/table/http-options.ts';
import { repositoryFlags } from '../options/table/repository-options.ts';
import { runtimeFlags } from '../options/table/runtime-options.ts';
import { serverFlags } from '../options/table/server-options.ts';
import type { TraceStart } from '../tracing/trace-settings.ts';
import { readTraceStart, TraceArgumentError } from '../tracing/trace-start.ts';
import { scanOptions } from './option-scanner.ts';
import type { Environment, ServeDraft, ShellOptions, TableValues } from '../options/serve-draft.ts';
import { newServeDraft } from '../options/serve-draft.ts';

export const serveFlags: readonly Flag[] = [
  ...serverFlags,
  ...repositoryFlags,
  ...httpFlags,
  ...grpcFlags,
  ...cloudFlags,
  ...metricsFlags,
  ...traceFlags,
  ...runtimeFlags,
  ...conchFlags,
  ...deprecatedFlags,
];

export interface ServeOptions {
  readonly engine: EngineOptions;
  readonly shell: ShellOptions;
  readonly table: TableValues;
  readonly trace: TraceStart;
  /** Names of the options that were given, without dashes. */
  readonly given: ReadonlySet<string>;
  /** Lines for standard error. */
  readonly warnings: readonly string[];
}

/** `help` when `--help` was given. Throws UsageError. */
export function parseServeOptions(
  args: readonly string[],
  environment: Environment = {},
): ServeOptions | 'help' {
  const { options, positional } = scanOptions('tritonserver', args, serveFlags);
  if (options.some(({ flag }) => flag.name === 'help')) return 'help';
  const draft = newServeDraft(environment);
  for (const { flag, value } of options) applyFlag(draft, flag, value);
  if (positional[0] !== undefined) throw new UsageError(`Unexpected argument: ${positional[0]}`);
  settleRepositories(draft, environment);
  settleLegacy(draft);
  settleMode(draft);
  if (draft.grpcTls.enabled) draft.engine.grpc.tls = draft.grpcTls.files;
  if (draft.engine.repository.controlMode !== 'poll') draft.engine.repository.pollSec = 0;
  if (draft.engine.metrics.address === '') draft.engine.metrics.address = draft.engine.http.address;
  checkEndpoints(draft.engine);
  return {
    engine: deepFreeze<EngineOptions>(draft.engine),
    shell: deepFreeze<ShellOptions>(draft.shell),
    table: deepFreeze<TableValues>(draft.table),
    trace: readTrace(draft, environment),
    given: draft.given,
    warnings: [...draft.warnings],
  };
}

function applyFlag(draft: ServeDraft, flag: Flag, value: string): void {
  try {
    flag.apply(draft, value);
    if (flag.noEffect !== undefined && flag.harmless?.(value) !== true) {
      draft.warnings.add(`Warning: '--${flag.name}' is accepted but has no effect: ${flag.noEffect}`);
    }
  } catch (thrown) {
    if (!(thrown instanceof UsageError) || thrown.option !== undefined) throw thrown;
    throw new UsageError(thrown.message, { option: `--${flag.name}` });
  }
  if (flag.isDeprecated === true) {
    draft.warnings.add(`Warning: '--${flag.name}' has been deprecated. ${flag.help}`);
  }
  draft.given.add(flag.name);
}

function readTrace(draft: ServeDraft, environment: Environment): TraceStart {
  try {
    return readTraceStart(draft.engine.trace.settings, environment);
  } catch (thrown) {
    if (!(thrown instanceof TraceArgumentError)) throw thrown;
    const { setting, message } = thrown;
    const option = setting.startsWith('OTEL_') ? setting : `--trace-config ${setting}`;
    throw new UsageError(message, { option });
  }
}

function settleRepositories(draft: ServeDraft, environment: Environment): void {
  const { repository } = draft.engine;
  const fallback = environment['AIP_STORAGE_URI'];
  if (repository.paths.length === 0 && fallback !== undefined && fallback !== '') {
    repository.paths.push(fallback);
  }
  repository.paths = [...new Set(repository.paths)].sort();
  if (draft.shell.noRepository) {
    if (!draft.shell.ui) throw new UsageError("Use of '--no-repository' requires '--ui' as well.");
    if (repository.paths.length > 0) {
      throw new UsageError("'--no-repository' and '--model-repository' exclude each other.");
    }
  } else if (repository.paths.length === 0 && !draft.shell.ui) {
    throw new UsageError('--model-repository must be specified');
  }
}

function settleLegacy(draft: ServeDraft): void {
  const { cache, trace } = draft.engine;
  if (draft.legacyCacheByteSize !== undefined) {
    if (cache.name !== '') {
      throw new UsageError(
        "'--response-cache-byte-size' and '--cache-config' exclude each other; use '--cache-config' only.",
      );
    }
    cache.name = 'local';
    cache.settings.push(['size', String(draft.legacyCacheByteSize)]);
  }
  for (const [key, values] of draft.legacyTrace) {
    if (trace.settings.some((setting) => setting.key === key)) {
      draft.warnings.add(
        `Warning: '--trace-${key}' is overridden by '--trace-config', which is given as well.`,
      );
      continue;
    }
    const mode = key === 'file' || key === 'log-frequency' ? 'triton' : '';
    // The deprecated switch OFF wins over every other level, unlike `--trace-config level=OFF`.
    const isOff = key === 'level' && values.some((value) => /^(off|false)$/i.test(value));
    for (const value of isOff ? ['OFF'] : values) trace.settings.push({ mode, key, value });
  }
}

/** `--ui` makes it the app: explicit control with everything loaded, listeners first, failures shown and survived. */
function settleMode(draft: ServeDraft): void {
  const { repository, server } = draft.engine;
  if (draft.shell.ui) {
    if (!draft.given.has('model-control-mode')) repository.controlMode = 'explicit';
    if (repository.controlMode === 'explicit' && repository.startupModels.length === 0) {
      repository.startupModels.push('*');
    }
    if (!draft.given.has('exit-on-error')) server.exitOnError = false;
    server.listen = 'first';
    repository.watch = true;
    repository.requiresRoots = false;
  }
  if (repository.startupModels.length > 0 && repository.controlMode !== 'explicit') {
    throw new UsageError(
      "Error: Use of '--load-model' requires setting '--model-control-mode=explicit' as well.",
    );
  }
}

function checkEndpoints(engine: ServeDraft['engine']): void {
  const endpoints = [
    { name: 'HTTP', ...engine.http },
    { name: 'GRPC', ...engine.grpc },
    { name: 'metrics', ...engine.metrics },
  ].filter(({ enabled }) => enabled);
  for (const { name, port } of endpoints) {
    if (port < 0 || port > 65_535) {
      throw new UsageError(`The port of the ${name} service must be between 0 and 65535. Got ${port}`);
    }
  }
  endpoints.forEach((a, at) => {
    const b = endpoints
      .slice(at + 1)
      .find((other) => a.port !== 0 && other.port === a.port && other.address === a.address);
    if (b === undefined) return;
    throw new UsageError(
      `The server cannot listen to ${a.name} requests and ${b.name} requests at the same address and port ${a.address}:${a.port}`,
    );
  });
}
