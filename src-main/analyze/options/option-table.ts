// Every option of model-analyzer's commands. A configuration file names them with underscores. One that cannot mean
// anything here says why: it is accepted with a warning, or refused.

import type { ListedOption, OptionLimits, OptionRow } from '../../base/option-row.ts';
import { optionsOfRows } from '../../base/option-row.ts';

/** An option as the scanner, the help and the warnings need it. */
export type AnalyzeOption = ListedOption<string>;

const DOCKER: OptionLimits = {
  refused: 'no containers are started here; use --triton-launch-mode local or remote',
};
const OPTUNA: OptionLimits = { refused: 'the search mode optuna is not offered; use brute or quick' };
const LOCAL_SERVER: OptionLimits = { noEffect: 'the local server is Conch itself' };

export const GLOBAL_OPTIONS: readonly AnalyzeOption[] = optionsOfRows<string>([
  ['quiet', 'q', undefined, 'Print errors only.'],
  ['verbose', 'v', undefined, 'Times before the lines, and more of them.'],
  ['mode', 'm', 'online|offline', 'What reports are about: loads, or batch sizes. Default: online.'],
  ['version', undefined, undefined, 'Print the version.'],
  ['help', 'h', undefined, 'Print this text.'],
]);

const SHARED: readonly OptionRow<string>[] = [
  [
    'config-file',
    'f',
    'file',
    'YAML file with these options, underscores for dashes. The command line wins.',
  ],
  ['checkpoint-directory', 's', 'path', 'What was measured. Default: ./checkpoints.'],
  ['export-path', 'e', 'path', 'Where results, plots and reports go. Default: the current directory.'],
  ['help', 'h', undefined, 'Print this text.'],
];

export const PROFILE_OPTIONS: readonly AnalyzeOption[] = optionsOfRows<string>([
  ...SHARED,
  ['model-repository', 'm', 'path', 'Repository of the models. Required.'],
  ['profile-models', undefined, 'a,b', 'Models to profile, one after the other. Required.'],
  [
    'output-model-repository-path',
    undefined,
    'path',
    'Where variants are written. Default: ./output_model_repository.',
  ],
  ['override-output-model-repository', undefined, undefined, 'May replace what is there.'],
  ['batch-sizes', 'b', 'list|start:end:step', 'Batch sizes of the client. Default: 1.'],
  ['concurrency', 'c', 'list|start:end:step', 'Requests in flight. Default: searched.'],
  ['request-rate', undefined, 'list|start:end:step', 'Requests a second, instead of requests in flight.'],
  ['run-config-search-mode', undefined, 'brute|quick', 'Default: brute.'],
  ['run-config-search-disable', undefined, undefined, 'Try listed parameters only.'],
  ['run-config-search-min-concurrency', undefined, 'n', 'Default: 1.'],
  ['run-config-search-max-concurrency', undefined, 'n', 'Default: 1024.'],
  ['run-config-search-min-request-rate', undefined, 'n', 'Default: 16.'],
  ['run-config-search-max-request-rate', undefined, 'n', 'Default: 8192.'],
  ['run-config-search-min-instance-count', undefined, 'n', 'Default: 1.'],
  ['run-config-search-max-instance-count', undefined, 'n', 'Default: 5.'],
  ['run-config-search-min-model-batch-size', undefined, 'n', 'Default: 1.'],
  ['run-config-search-max-model-batch-size', undefined, 'n', 'Default: 128.'],
  [
    'run-config-search-max-binary-search-steps',
    undefined,
    'n',
    'Halvings between a load that passes and one that does not. Default: 5.',
  ],
  ['request-rate-search-enable', undefined, undefined, 'Search request rates instead of concurrencies.'],
  [
    'use-concurrency-formula',
    undefined,
    undefined,
    'Concurrency = 2 x batch x instances instead of searching it.',
  ],
  ['concurrency-sweep-disable', undefined, undefined, 'No sweep over loads after a quick search.'],
  [
    'early-exit-enable',
    undefined,
    undefined,
    'Rules that end searched loads early hold for listed ones too.',
  ],
  ['num-configs-per-model', undefined, 'n', 'Best configurations that are swept and reported. Default: 3.'],
  ['latency-budget', undefined, 'ms', 'p99 latency may be this at most.'],
  ['min-throughput', undefined, 'n', 'Throughput must be this at least.'],
  ['client-protocol', undefined, 'http|grpc', 'Default: grpc.'],
  [
    'triton-launch-mode',
    undefined,
    'local|remote',
    'local: a server of its own; remote: one that runs. Default: local.',
  ],
  ['triton-http-endpoint', undefined, 'host:port', 'Default: a free port; remote: localhost:8000.'],
  ['triton-grpc-endpoint', undefined, 'host:port', 'Default: a free port; remote: localhost:8001.'],
  ['triton-metrics-url', undefined, 'url', 'Default: a free port; remote: http://localhost:8002/metrics.'],
  ['triton-output-path', undefined, 'file', 'Log of the local server.'],
  ['reload-model-disable', undefined, undefined, 'remote: measure models as they are served, load nothing.'],
  ['monitoring-interval', 'i', 's', 'Between two looks at the metrics of GPUs. Default: 1.'],
  ['duration-seconds', 'd', 's', 'How long the idle server is looked at. Default: 3.'],
  ['collect-cpu-metrics', undefined, undefined, 'Memory of the server process, where the system tells it.'],
  ['always-report-gpu-metrics', undefined, undefined, 'GPU tables for models on the CPU too.'],
  ['perf-analyzer-timeout', undefined, 's', 'Longest measurement. Default: 600.'],
  [
    'perf-analyzer-max-auto-adjusts',
    undefined,
    'n',
    'Repetitions of an unstable measurement, each of them longer. Default: 10.',
  ],
  ['skip-summary-reports', undefined, undefined, 'No report of each model.'],
  ['skip-detailed-reports', undefined, undefined, 'No report of each of the best configurations.'],
  ['filename-model-inference', undefined, 'name', 'Default: metrics-model-inference.csv.'],
  ['filename-model-gpu', undefined, 'name', 'Default: metrics-model-gpu.csv.'],
  ['filename-server-only', undefined, 'name', 'Default: metrics-server-only.csv.'],
  ['inference-output-fields', undefined, 'a,b', 'Columns of the table of inference.'],
  ['gpu-output-fields', undefined, 'a,b', 'Columns of the table of GPUs.'],
  ['server-output-fields', undefined, 'a,b', 'Columns of the table of the idle server.'],
  ['model-type', undefined, 'generic', 'Default: generic.'],
  ['gpus', undefined, 'all|[]', '[]: no GPU is looked at, instances are on the CPU. Default: all.'],
  [
    'num-top-model-configs',
    undefined,
    'n',
    'Over all models.',
    { refused: 'reports over several models are not written' },
  ],
  [
    'run-config-profile-models-concurrently-enable',
    undefined,
    undefined,
    'Models together.',
    { refused: 'models are profiled one after the other only' },
  ],
  [
    'bls-composing-models',
    undefined,
    'a,b',
    'Models that a model calls.',
    { refused: 'models that a model calls are not searched with it' },
  ],
  [
    'ensemble-composing-models',
    undefined,
    'a,b',
    'Steps of an ensemble.',
    { refused: 'the steps of an ensemble are not searched with it' },
  ],
  [
    'cpu-only-composing-models',
    undefined,
    'a,b',
    'Of those, on the CPU.',
    { refused: 'the steps of an ensemble are not searched with it' },
  ],
  ['min-percentage-of-search-space', undefined, 'n', 'optuna.', OPTUNA],
  ['max-percentage-of-search-space', undefined, 'n', 'optuna.', OPTUNA],
  ['optuna-min-trials', undefined, 'n', 'optuna.', OPTUNA],
  ['optuna-max-trials', undefined, 'n', 'optuna.', OPTUNA],
  ['optuna-early-exit-threshold', undefined, 'n', 'optuna.', OPTUNA],
  ['triton-docker-image', undefined, 'name', 'docker.', DOCKER],
  ['triton-docker-mounts', undefined, 'list', 'docker.', DOCKER],
  ['triton-docker-shm-size', undefined, 'size', 'docker.', DOCKER],
  ['triton-server-path', undefined, 'path', 'Server program.', LOCAL_SERVER],
  ['triton-install-path', undefined, 'path', 'C API.', LOCAL_SERVER],
  [
    'perf-analyzer-path',
    undefined,
    'path',
    'Load generator.',
    { noEffect: 'the load generator is that of Conch' },
  ],
  [
    'perf-analyzer-cpu-util',
    undefined,
    'percent',
    'CPU use of the load generator.',
    { noEffect: 'the load generator uses one core, and says when that was too little' },
  ],
  [
    'perf-output',
    undefined,
    undefined,
    'Output of the load generator.',
    { noEffect: 'lines of the analyzer say what was measured' },
  ],
  [
    'perf-output-path',
    undefined,
    'path',
    'Output of the load generator.',
    { noEffect: 'lines of the analyzer say what was measured' },
  ],
  [
    'client-max-retries',
    'r',
    'n',
    'Tries to reach the server.',
    { noEffect: 'the local server is waited for until it is ready or ends' },
  ],
  [
    'dcgm-disable',
    undefined,
    undefined,
    'GPU metrics.',
    { noEffect: 'GPU numbers come from the metrics page of the server' },
  ],
]);

/** Options of `conch analyze report`. */
export const REPORT_OPTIONS: readonly AnalyzeOption[] = optionsOfRows<string>([
  ...SHARED,
  ['report-model-configs', 'n', 'a,b', 'Configurations to report. Required.'],
  [
    'output-formats',
    'o',
    'html',
    'pdf and png are refused: drawings are inside of the HTML file. csv stays with profile. Default: html.',
  ],
]);

/** Only in a configuration file. */
export const FILE_ONLY_KEYS = [
  'objectives',
  'constraints',
  'weighting',
  'model_config_parameters',
  'perf_analyzer_flags',
  'triton_server_flags',
  'triton_server_environment',
  'plots',
] as const;

/** Text of `--help`; undefined = of `conch analyze` itself. */
export function usage(command: 'profile' | 'report' | undefined): string {
  const table =
    command === undefined ? GLOBAL_OPTIONS : command === 'profile' ? PROFILE_OPTIONS : REPORT_OPTIONS;
  const lines = table.map(({ name, short, argument, help, noEffect, refused }) => {
    const names = `${short === undefined ? '' : `-${short}, `}--${name}`;
    const why = refused ?? noEffect;
    const text = why === undefined ? help : `${refused === undefined ? 'No effect' : 'Refused'}: ${why}.`;
    return `  ${names}${argument === undefined ? '' : ` <${argument}>`}\n      ${text}`;
  });
  const head =
    command === undefined
      ? 'Usage: conch analyze [options] {profile | report} [options of the command]\n\nFinds the configuration of a model that is fastest. `conch analyze profile --help` lists what can be told.'
      : `Usage: conch analyze ${command} [options]`;
  return `${head}\n\n${lines.join('\n')}\n`;
}
