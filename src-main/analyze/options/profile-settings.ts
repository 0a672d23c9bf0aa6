// Options of `profile` as what is to be done, with the defaults of the reference and its checks of options against each
// other.

import path from 'node:path';

import { DEFAULT_PORTS } from '../../../src-shared/default-ports.ts';
import type { Constraints, Goals } from '../rank/constraints.ts';
import { fieldNamed } from '../report/fields.ts';
import type { Bounds, SearchLimits } from '../search/search-space.ts';
import type { Given } from './given-values.ts';
import {
  AnalyzeUsageError,
  checkSupport,
  choiceIn,
  flagIn,
  isRecord,
  namesIn,
  numberIn,
  numbersIn,
  readConfigFile,
  textIn,
} from './given-values.ts';
import { constraintsOf, objectivesOf, shorthandConstraints } from './goal-options.ts';
import { PROFILE_OPTIONS } from './option-table.ts';

/** What is done with one model: its own settings over those of all. */
export interface ModelSettings {
  readonly name: string;
  readonly isCpuOnly: boolean;
  readonly batchSizes: readonly number[];
  readonly unit: 'concurrency' | 'request-rate';
  readonly loads: readonly number[] | undefined;
  /** Fields of the configuration with values to try; undefined = none were listed. */
  readonly parameters: Given | undefined;
  readonly perfFlags: Given;
  readonly goals: Goals;
}

/** Everything that a profile was told. Durations in ms, folders as the user wrote them. */
export interface ProfileSettings {
  readonly models: readonly ModelSettings[];
  readonly repository: string;
  readonly outputRepository: string;
  readonly mayReplaceOutput: boolean;
  readonly checkpointFolder: string;
  readonly exportFolder: string;
  readonly search: SearchLimits & {
    readonly mode: 'brute' | 'quick';
    readonly isDisabled: boolean;
    readonly concurrency: Bounds;
    readonly requestRate: Bounds;
    readonly maxBinarySteps: number;
    readonly isSweepDisabled: boolean;
  };
  readonly topCount: number;
  readonly protocol: 'http' | 'grpc';
  readonly server:
    | { readonly mode: 'local'; readonly logFile: string; readonly flags: Given; readonly environment: Given }
    | { readonly mode: 'remote'; readonly loadsModels: boolean };
  /** "" = a free port. */
  readonly endpoints: { readonly http: string; readonly grpc: string; readonly metricsUrl: string };
  readonly monitoringMs: number;
  readonly idleMs: number;
  readonly readsMemory: boolean;
  readonly alwaysReportsGpus: boolean;
  /** False: none is looked at, and instances are on the CPU. */
  readonly usesGpus: boolean;
  readonly timeoutMs: number;
  readonly maxAdjusts: number;
  /** What stays unstable is a result too, which says that it is; no option of the command line. */
  readonly keepsUnstable: boolean;
  readonly skipsSummary: boolean;
  readonly skipsDetails: boolean;
  readonly files: { readonly inference: string; readonly gpu: string; readonly server: string };
  readonly fields: {
    readonly inference: readonly string[] | undefined;
    readonly gpu: readonly string[] | undefined;
    readonly server: readonly string[] | undefined;
  };
  readonly warnings: readonly string[];
}

/** Throws an AnalyzeUsageError. */
export function profileSettings(commandLine: Given): ProfileSettings {
  const file = commandLine['config_file'];
  const given: Given = {
    ...(file !== undefined && readConfigFile(String(file), PROFILE_OPTIONS)),
    ...commandLine,
  };
  const mode = textIn(given, 'run_config_search_mode', 'brute');
  if (mode === 'optuna')
    throw new AnalyzeUsageError('the search mode optuna is not offered; use brute or quick');
  const launch = textIn(given, 'triton_launch_mode', 'local');
  if (launch === 'docker' || launch === 'c_api')
    throw new AnalyzeUsageError(
      `the launch mode ${launch} is not offered: ${launch === 'docker' ? 'no containers are started here' : 'the server is always reached over the network'}; use local or remote`,
    );
  if (given['model_type'] !== undefined && given['model_type'] !== 'generic')
    throw new AnalyzeUsageError("the model type LLM is not offered; only 'generic' is");
  if (!usesAllGpus(given) && !usesNoGpu(given))
    throw new AnalyzeUsageError(
      "'gpus' can only be all or [], which is none: the server uses those that it is started with",
    );
  if (given['plots'] !== undefined) throw new AnalyzeUsageError("'plots' cannot be chosen here");
  const warnings = [...checkSupport(given, PROFILE_OPTIONS)];
  if (given['weighting'] !== undefined)
    warnings.push('weighting has no effect: models are profiled one after the other');
  const settings: ProfileSettings = {
    models: modelsOf(given),
    repository: textIn(given, 'model_repository', '.'),
    outputRepository: textIn(given, 'output_model_repository_path', path.resolve('output_model_repository')),
    mayReplaceOutput: flagIn(given, 'override_output_model_repository'),
    checkpointFolder: textIn(given, 'checkpoint_directory', path.resolve('checkpoints')),
    exportFolder: textIn(given, 'export_path', process.cwd()),
    search: searchOf(given),
    topCount: numberIn(given, 'num_configs_per_model', 3, { min: 1 }),
    protocol: choiceIn(given, 'client_protocol', ['http', 'grpc'], 'grpc'),
    server: serverOf(given),
    endpoints: endpointsOf(given),
    monitoringMs: 1000 * numberIn(given, 'monitoring_interval', 1, { min: 0.01, isWhole: false }),
    idleMs: 1000 * numberIn(given, 'duration_seconds', 3, { min: 0 }),
    readsMemory: flagIn(given, 'collect_cpu_metrics'),
    alwaysReportsGpus: flagIn(given, 'always_report_gpu_metrics'),
    usesGpus: !usesNoGpu(given),
    timeoutMs: 1000 * numberIn(given, 'perf_analyzer_timeout', 600, { min: 1 }),
    maxAdjusts: numberIn(given, 'perf_analyzer_max_auto_adjusts', 10, { min: 0 }),
    keepsUnstable: false,
    ...reportsOf(given),
    warnings,
  };
  if (given['model_repository'] === undefined && settings.server.mode === 'local')
    throw new AnalyzeUsageError('--model-repository is required');
  checkFields(settings);
  checkTogether(given, settings);
  return settings;
}

function reportsOf(
  given: Given,
): Pick<ProfileSettings, 'skipsSummary' | 'skipsDetails' | 'files' | 'fields'> {
  return {
    skipsSummary: flagIn(given, 'skip_summary_reports'),
    skipsDetails: flagIn(given, 'skip_detailed_reports'),
    files: {
      inference: textIn(given, 'filename_model_inference', 'metrics-model-inference.csv'),
      gpu: textIn(given, 'filename_model_gpu', 'metrics-model-gpu.csv'),
      server: textIn(given, 'filename_server_only', 'metrics-server-only.csv'),
    },
    fields: {
      inference: namesIn(given, 'inference_output_fields'),
      gpu: namesIn(given, 'gpu_output_fields'),
      server: namesIn(given, 'server_output_fields'),
    },
  };
}

function searchOf(given: Given): ProfileSettings['search'] {
  const bounds = (name: string, min: number, max: number): Bounds => {
    const found = {
      min: numberIn(given, `run_config_search_min_${name}`, min, { min: 1 }),
      max: numberIn(given, `run_config_search_max_${name}`, max, { min: 1 }),
    };
    if (found.min > found.max)
      throw new AnalyzeUsageError(
        `run_config_search_min_${name} is larger than run_config_search_max_${name}`,
      );
    return found;
  };
  const isNamed = (name: string): boolean =>
    ['min', 'max'].some((end) => given[`run_config_search_${end}_${name}`] !== undefined);
  return {
    mode: choiceIn(given, 'run_config_search_mode', ['brute', 'quick'], 'brute'),
    isDisabled: flagIn(given, 'run_config_search_disable'),
    concurrency: bounds('concurrency', 1, 1024),
    requestRate: bounds('request_rate', 16, 8192),
    instanceCounts: bounds('instance_count', 1, 5),
    maxBatchSizes: bounds('model_batch_size', 1, 128),
    isBounded: {
      loads: isNamed('concurrency'),
      instanceCounts: isNamed('instance_count'),
      maxBatchSizes: isNamed('model_batch_size'),
    },
    maxBinarySteps: numberIn(given, 'run_config_search_max_binary_search_steps', 5, { min: 0 }),
    usesFormula: flagIn(given, 'use_concurrency_formula'),
    isSweepDisabled: flagIn(given, 'concurrency_sweep_disable'),
    exitsEarly: flagIn(given, 'early_exit_enable'),
  };
}

function usesAllGpus({ gpus = 'all' }: Given): boolean {
  return gpus === 'all' || (Array.isArray(gpus) && gpus.length === 1 && gpus[0] === 'all');
}

function usesNoGpu({ gpus }: Given): boolean {
  return gpus === '[]' || (Array.isArray(gpus) && gpus.length === 0);
}

function serverOf(given: Given): ProfileSettings['server'] {
  if (choiceIn(given, 'triton_launch_mode', ['local', 'remote'], 'local') === 'remote')
    return { mode: 'remote', loadsModels: !flagIn(given, 'reload_model_disable') };
  return {
    mode: 'local',
    logFile: given['triton_output_path'] === undefined ? '' : textIn(given, 'triton_output_path', ''),
    flags: recordIn(given, 'triton_server_flags'),
    environment: recordIn(given, 'triton_server_environment'),
  };
}

function endpointsOf(given: Given): ProfileSettings['endpoints'] {
  const isRemote = given['triton_launch_mode'] === 'remote';
  const read = (key: string, remote: string): string =>
    given[key] === undefined ? (isRemote ? remote : '') : textIn(given, key, remote);
  return {
    http: read('triton_http_endpoint', `localhost:${DEFAULT_PORTS.http}`),
    grpc: read('triton_grpc_endpoint', `localhost:${DEFAULT_PORTS.grpc}`),
    metricsUrl: read('triton_metrics_url', `http://localhost:${DEFAULT_PORTS.metrics}/metrics`),
  };
}

const MODEL_KEYS = [
  'cpu_only',
  'parameters',
  'objectives',
  'constraints',
  'weighting',
  'model_config_parameters',
  'perf_analyzer_flags',
] as const;

function modelsOf(given: Given): readonly ModelSettings[] {
  const value = given['profile_models'];
  if (value === undefined) throw new AnalyzeUsageError('--profile-models is required');
  if (isRecord(value))
    return Object.entries(value).map(([name, own]) => modelOf(name, isRecord(own) ? own : {}, given));
  const list = Array.isArray(value) ? value : (namesIn(given, 'profile_models') ?? []);
  return list.flatMap((item) =>
    isRecord(item)
      ? Object.entries(item).map(([name, own]) => modelOf(name, isRecord(own) ? own : {}, given))
      : [modelOf(String(item), {}, given)],
  );
}

function modelOf(name: string, own: Given, given: Given): ModelSettings {
  for (const key of Object.keys(own))
    if (!MODEL_KEYS.some((known) => known === key))
      throw new AnalyzeUsageError(`'${key}' is no setting of the model '${name}'`);
  const loads = recordIn(own, 'parameters');
  const pick = (key: string): readonly number[] | undefined => numbersIn(loads, key) ?? numbersIn(given, key);
  const concurrency = pick('concurrency');
  const rates = pick('request_rate');
  const searchesRates = flagIn(given, 'request_rate_search_enable');
  if (concurrency !== undefined && (rates !== undefined || searchesRates))
    throw new AnalyzeUsageError(`'${name}' has both concurrencies and request rates; choose one of them`);
  const parameters = own['model_config_parameters'] ?? given['model_config_parameters'];
  const limits: Constraints = constraintsOf(own['constraints'] ?? given['constraints']);
  return {
    name,
    isCpuOnly: flagIn(own, 'cpu_only'),
    batchSizes: pick('batch_sizes') ?? [1],
    unit: rates !== undefined || searchesRates ? 'request-rate' : 'concurrency',
    loads: concurrency ?? rates,
    parameters:
      parameters === undefined
        ? undefined
        : recordIn({ model_config_parameters: parameters }, 'model_config_parameters'),
    perfFlags: { ...recordIn(given, 'perf_analyzer_flags'), ...recordIn(own, 'perf_analyzer_flags') },
    goals: {
      objectives: objectivesOf(own['objectives'] ?? given['objectives']),
      constraints: new Map([...limits, ...shorthandConstraints(given)]),
    },
  };
}

function recordIn(given: Given, key: string): Given {
  const value = given[key] ?? {};
  if (isRecord(value)) return value;
  // One setting to a list entry is understood too.
  if (Array.isArray(value) && value.every(isRecord)) return Object.assign({}, ...value) as Given;
  throw new AnalyzeUsageError(`'${key}' must hold names with values`);
}

function checkFields({ fields }: ProfileSettings): void {
  for (const name of [fields.inference, fields.gpu, fields.server].flatMap((list) => list ?? []))
    if (fieldNamed(name) === undefined) throw new AnalyzeUsageError(`'${name}' is no column of a table`);
}

function checkTogether(given: Given, { search, models, server }: ProfileSettings): void {
  const refuse = (why: string): never => {
    throw new AnalyzeUsageError(why);
  };
  if (flagIn(given, 'reload_model_disable') && server.mode === 'local')
    refuse('--reload-model-disable needs --triton-launch-mode remote');
  if (search.mode !== 'quick') return;
  if (search.isDisabled) refuse('--run-config-search-disable cannot be used with the search mode quick');
  for (const model of models) {
    if (model.loads !== undefined) refuse('loads cannot be listed with the search mode quick');
    if (model.batchSizes.length !== 1 || model.batchSizes[0] !== 1)
      refuse('batch sizes cannot be listed with the search mode quick');
    if (model.unit === 'request-rate') refuse('the search mode quick searches concurrencies only');
    if (model.parameters !== undefined)
      refuse('model_config_parameters cannot be listed with the search mode quick');
  }
}
