// Turns the arguments of `conch serve` into checked, frozen options. Pure: the environment is handed in, nothing is
// printed, no file is read. Two modes: plain `serve` keeps Triton's defaults, `--ui` takes those of the app.

import type { ArgvFault, ScannedOption } from '../base/argv-scanner.ts';
import { scanArgv } from '../base/argv-scanner.ts';
import { changed } from '../options/engine-field.ts';
import type { EngineOptions } from '../options/engine-options.ts';
import type { OptionDefinition } from '../options/option-definition.ts';
import { SERVER_OPTIONS } from '../options/option-table.ts';
import type { Environment, ServeDraft, ShellOptions, TableValues } from '../options/serve-draft.ts';
import { newServeDraft } from '../options/serve-draft.ts';
import { UsageError } from '../options/usage-error.ts';
import type { TraceStart } from '../tracing/trace-settings.ts';
import { readTraceStart, TraceArgumentError } from '../tracing/trace-start.ts';
import { deepFreeze } from './deep-freeze.ts';

/** Everything a command line of `conch serve` says, checked and frozen. */
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
  let fault: UsageError | undefined;
  let before: readonly ScannedOption<OptionDefinition>[] = [];
  const { options, positional } = scanArgv(args, SERVER_OPTIONS, (found, inFront) => {
    if (fault === undefined) [fault, before] = [scannerError(found), inFront];
  });
  const draft = newServeDraft(environment);
  try {
    // What is wrong first is told, be it an option or its value; whoever asks for help first sees nothing of the rest.
    for (const { option, value } of fault === undefined ? options : before) {
      if (option.name === 'help') return 'help';
      applyOption(draft, option, value);
    }
    if (fault !== undefined) throw fault as UsageError;
    if (positional[0] !== undefined) throw new UsageError(`Unexpected argument: ${positional[0]}`);
    return settled(draft, environment);
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    const { option, lineBefore, lead, hint } = thrown;
    throw new UsageError(thrown.message, { option, lineBefore, lead, hint, warnings: draft.warnings });
  }
}

/** What the reference says once its settings are all taken: those are looked at first. */
const CREATING = 'creating server: Invalid argument - ';

/** In the order in which the reference looks at what several options say together: the first fault is told. */
function settled(draft: ServeDraft, environment: Environment): ServeOptions {
  settleMode(draft);
  readTrace(draft, environment);
  settleTrace(draft);
  settleCompletion(draft);
  settleCache(draft);
  settleEndpoints(draft);
  const trace = readTrace(draft, environment);
  const ofServer =
    draft.lateFaults.find(({ lead }) => lead?.endsWith(CREATING) !== true) ?? draft.lateFaults[0];
  if (ofServer !== undefined) throw ofServer;
  settleRepositories(draft, environment);
  return {
    engine: deepFreeze<EngineOptions>(structuredClone(draft.engine)),
    shell: deepFreeze<ShellOptions>(draft.shell),
    table: deepFreeze<TableValues>(draft.table),
    trace,
    given: draft.given,
    warnings: draft.warnings,
  };
}

/** In the words of GNU getopt_long, which go before the usage text; a hint of ours goes after it. */
function scannerError(fault: ArgvFault<OptionDefinition>): UsageError {
  const { line, hint = '' } = faultLine(fault);
  return new UsageError(hint, { lineBefore: `tritonserver: ${line}` });
}

function faultLine(fault: ArgvFault<OptionDefinition>): { readonly line: string; readonly hint?: string } {
  switch (fault.kind) {
    case 'unknown': {
      const line = `unrecognized option '--${fault.typed}'`;
      return fault.near === undefined ? { line } : { line, hint: `Did you mean '--${fault.near}'?` };
    }
    case 'unknown-letter':
      return { line: `invalid option -- '${fault.letter}'` };
    case 'ambiguous': {
      const names = fault.candidates.map(({ name }) => `'--${name}'`).join(' ');
      return { line: `option '--${fault.typed}' is ambiguous; possibilities: ${names}` };
    }
    case 'value-missing':
      return { line: `option '--${fault.option.name}' requires an argument` };
    case 'value-unexpected':
      return { line: `option '--${fault.option.name}' doesn't allow an argument` };
  }
}

/** What is wrong with a value and is found when the server is made, after all else, is kept in the draft. */
function applyOption(draft: ServeDraft, option: OptionDefinition, text: string): void {
  const { name, noEffect, harmless, deprecation } = option;
  if (deprecation !== undefined) draft.warnings.push(deprecation(text));
  try {
    option.apply(draft, text);
    if (noEffect !== undefined && harmless?.(text) !== true) warnOnce(draft, noEffectLine(name, noEffect));
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown;
    if (thrown.option !== undefined) throw thrown;
    const { lead, hint } = thrown;
    const named = new UsageError(thrown.message, { option: `--${name}`, lead, hint });
    if (lead === undefined) throw named;
    draft.lateFaults.push(named);
  }
  draft.given.add(name);
}

function noEffectLine(name: string, reason: string): string {
  return `Warning: '--${name}' is accepted but has no effect: ${reason}`;
}

function warnOnce({ warnings }: ServeDraft, line: string): void {
  if (!warnings.includes(line)) warnings.push(line);
}

function readTrace(draft: ServeDraft, environment: Environment): TraceStart {
  try {
    return readTraceStart(draft.engine.trace.settings, environment);
  } catch (thrown) {
    if (!(thrown instanceof TraceArgumentError)) throw thrown;
    const { setting, message } = thrown;
    const isLegacy = draft.legacyTrace.has(setting) && !draft.given.has('trace-config');
    const option = isLegacy ? `--trace-${setting}` : `--trace-config ${setting}`;
    throw new UsageError(message, { option: setting.startsWith('OTEL_') ? setting : option });
  }
}

function settleRepositories(draft: ServeDraft, environment: Environment): void {
  const given = draft.engine.repository.paths;
  const fallback = environment['AIP_STORAGE_URI'];
  const isFallback = given.length === 0 && fallback !== undefined && fallback !== '';
  const paths = [...new Set(isFallback ? [fallback] : given)].sort();
  draft.engine = changed(draft.engine, 'repository', { paths });
  if (draft.shell.noRepository) {
    if (!draft.shell.ui) throw new UsageError("Use of '--no-repository' requires '--ui' as well.");
    if (paths.length > 0) {
      throw new UsageError("'--no-repository' and '--model-repository' exclude each other.");
    }
  } else if (paths.length === 0 && !draft.shell.ui) {
    throw new UsageError('--model-repository must be specified', {
      lead: `error: ${CREATING}`,
    });
  }
}

/** The option of today wins over the deprecated one, wherever it stands. */
function settleCompletion(draft: ServeDraft): void {
  const { isStrictModelConfig: isStrict, given } = draft;
  if (isStrict === undefined) return;
  if (!given.has('disable-auto-complete-config')) {
    draft.engine = changed(draft.engine, 'repository', { autoCompleteConfig: !isStrict });
  } else if (!isStrict) {
    draft.warnings.push(
      "Warning: Overriding deprecated '--strict-model-config' from False to True in favor of '--disable-auto-complete-config'!",
    );
  }
}

function settleCache(draft: ServeDraft): void {
  const { legacyCacheByteSize: byteSize, engine } = draft;
  if (byteSize === undefined) return;
  if (engine.cache.name !== '') {
    throw new UsageError(
      'Error: Incompatible flags --response-cache-byte-size and --cache-config both provided. Please provide one or the other.',
    );
  }
  draft.engine = changed(engine, 'cache', { name: 'local', settings: [['size', String(byteSize)]] });
}

/** Only one of the lines ends with a blank in the reference. */
const IGNORED_BY_OPENTELEMETRY: ReadonlyMap<string, string> = new Map([
  ['file', "Warning: '--trace-file' is deprecated and will be ignored with opentelemetry tracing mode. "],
  [
    'log-frequency',
    "Warning: '--trace-log-frequency' is deprecated and will be ignored with opentelemetry tracing mode.",
  ],
]);

function settleTrace(draft: ServeDraft): void {
  const traceMode = draft.engine.trace.settings.findLast(({ key }) => key === 'mode')?.value;
  for (const [key, values] of draft.legacyTrace) {
    const { settings } = draft.engine.trace;
    const ignored = traceMode === 'opentelemetry' ? IGNORED_BY_OPENTELEMETRY.get(key) : undefined;
    if (ignored !== undefined) {
      draft.warnings.push(ignored);
      continue;
    }
    if (settings.some((setting) => setting.key === key)) {
      draft.warnings.push(
        `Warning: Overriding deprecated '--trace-${key}' in favor of provided ${key} in --trace-config!`,
      );
      continue;
    }
    const mode = key === 'file' || key === 'log-frequency' ? 'triton' : '';
    // The deprecated switch OFF wins over every other level, unlike `--trace-config level=OFF`.
    const isOff = key === 'level' && values.some((value) => /^(off|false)$/i.test(value));
    const added = (isOff ? ['OFF'] : values).map((value) => ({ mode, key, value }));
    draft.engine = changed(draft.engine, 'trace', { settings: [...settings, ...added] });
  }
}

/**
 * `--ui` makes it the app: explicit control with everything loaded, listeners first, failures shown and survived. Who asks
 * for a mode gets what that mode loads.
 */
function settleMode(draft: ServeDraft): void {
  const { given, shell } = draft;
  if (shell.ui) {
    const { repository, server } = draft.engine;
    const isAsked = given.has('model-control-mode');
    const controlMode = isAsked ? repository.controlMode : 'explicit';
    const isAll = !isAsked && repository.startupModels.length === 0;
    draft.engine = {
      ...draft.engine,
      server: { ...server, listen: 'first', exitOnError: given.has('exit-on-error') && server.exitOnError },
      repository: {
        ...repository,
        controlMode,
        startupModels: isAll ? ['*'] : repository.startupModels,
        watch: true,
        requiresRoots: false,
      },
    };
  }
  const { repository } = draft.engine;
  if (repository.startupModels.length > 0 && repository.controlMode !== 'explicit') {
    throw new UsageError(
      "Error: Use of '--load-model' requires setting '--model-control-mode=explicit' as well.",
    );
  }
  if (repository.controlMode !== 'poll') {
    draft.engine = changed(draft.engine, 'repository', { pollSec: 0 });
  }
}

function settleEndpoints(draft: ServeDraft): void {
  if (draft.grpcTls.enabled) {
    draft.engine = changed(draft.engine, 'grpc', { tls: { ...draft.grpcTls.files } });
  }
  if (draft.engine.metrics.address === '') {
    draft.engine = changed(draft.engine, 'metrics', { address: draft.engine.http.address });
  }
  checkEndpoints(draft.engine);
}

function checkEndpoints(engine: EngineOptions): void {
  const { address } = engine.http;
  const endpoints = [
    { name: 'HTTP', ...engine.http },
    { name: 'GRPC', ...engine.grpc },
    { name: 'metrics', ...engine.metrics },
    { name: 'SageMaker', address, ...engine.sagemaker },
    { name: 'Vertex AI', address, ...engine.vertexAi },
    { name: 'OpenAI', address, ...engine.openai },
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
  checkSafePorts(engine, endpoints);
}

/** SageMaker says which ports the others may have on its address. */
function checkSafePorts(
  { sagemaker, http }: EngineOptions,
  endpoints: readonly { readonly name: string; readonly address: string; readonly port: number }[],
): void {
  const [from, to] = sagemaker.safePorts;
  if (!sagemaker.enabled || from === undefined || to === undefined) return;
  for (const { name, address, port } of endpoints) {
    if (name === 'SageMaker' || address !== http.address || (port >= from && port <= to)) continue;
    throw new UsageError(
      `The server cannot listen to ${name} requests at port ${port}, allowed port range is [${from}, ${to}]`,
    );
  }
}
