// Every option of model-analyzer's commands. A configuration file names them with underscores. One that cannot mean
// anything here says why: it is accepted with a warning, or refused.

import type { ScannableOption } from '../../base/argv-scanner.ts';

/** An option as the scanner, the help and the warnings need it. */
export interface AnalyzeOption extends ScannableOption {
  readonly name: string;
  readonly help: string;
  /** Accepted, and said to do nothing. */
  readonly noEffect?: string;
  /** Not accepted. */
  readonly refused?: string;
}

type Extra = Pick<AnalyzeOption, 'noEffect' | 'refused'>;
type Row = readonly [name: string, short: string, argument: string | undefined, help: string, extra?: Extra];

const DOCKER: Extra = { refused: 'no containers are started here; use --triton-launch-mode local or remote' };
const OPTUNA: Extra = { refused: 'the search mode optuna is not offered; use brute or quick' };
const LOCAL_SERVER: Extra = { noEffect: 'the local server is Conch itself' };

export const GLOBAL_OPTIONS: readonly AnalyzeOption[] = options([
  ['quiet', 'q', undefined, 'Print errors only.'],
  ['verbose', 'v', undefined, 'Times before the lines, and more of them.'],
  ['mode', 'm', 'online|offline', 'What reports are about: loads, or batch sizes. Default: online.'],
  ['version', '', undefined, 'Print the version.'],
  ['help', 'h', undefined, 'Print this text.'],
]);

const SHARED: readonly Row[] = [
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

export const PROFILE_OPTIONS: readonly AnalyzeOption[] = options([
  ...SHARED,
  ['model-repository', 'm', 'path', 'Repository of the models. Required.'],
  ['profile-models', '', 'a,b', 'Models to profile, one after the other. Required.'],
  [
    'output-model-repository-path',
    '',
    'path',
    'Where variants are written. Default: ./output_model_repository.',
  ],
  ['override-output-model-repository', '', undefined, 'May replace what is there.'],
  ['batch-sizes', 'b', 'list|start:end:step', 'Batch sizes of the client. Default: 1.'],
  ['concurrency', 'c', 'list|start:end:step', 'Requests in flight. Default: searched.'],
  ['request-rate', '', 'list|start:end:step', 'Requests a second, instead of requests in flight.'],
  ['run-config-search-mode', '', 'brute|quick', 'Default: brute.'],
  ['run-config-search-disable', '', undefined, 'Try listed parameters only.'],
  ['run-config-search-min-concurrency', '', 'n', 'Default: 1.'],
  ['run-config-search-max-concurrency', '', 'n', 'Default: 1024.'],
  ['run-config-search-min-request-rate', '', 'n', 'Default: 16.'],
  ['run-config-search-max-request-rate', '', 'n', 'Default: 8192.'],
  ['run-config-search-min-instance-count', '', 'n', 'Default: 1.'],
  ['run-config-search-max-instance-count', '', 'n', 'Default: 5.'],
  ['run-config-search-min-model-batch-size', '', 'n', 'Default: 1.'],
  ['run-config-search-max-model-batch-size', '', 'n', 'Default: 128.'],
  [
    'run-config-search-max-binary-search-steps',
    '',
    'n',
    'Halvings between a load that passes and one that does not. Default: 5.',
  ],
  ['request-rate-search-enable', '', undefined, 'Search request rates instead of concurrencies.'],
  ['use-concurrency-formula', '', undefined, 'Concurrency = 2 x batch x instances instead of searching it.'],
  ['concurrency-sweep-disable', '', undefined, 'No sweep over loads after a quick search.'],
  ['early-exit-enable', '', undefined, 'Rules that end searched loads early hold for listed ones too.'],
  ['num-configs-per-model', '', 'n', 'Best configurations that are swept and reported. Default: 3.'],
  ['latency-budget', '', 'ms', 'p99 latency may be this at most.'],
  ['min-throughput', '', 'n', 'Throughput must be this at least.'],
  ['client-protocol', '', 'http|grpc', 'Default: grpc.'],
  [
    'triton-launch-mode',
    '',
    'local|remote',
    'local: a server of its own; remote: one that runs. Default: local.',
  ],
  ['triton-http-endpoint', '', 'host:port', 'Default: a free port; remote: localhost:8000.'],
  ['triton-grpc-endpoint', '', 'host:port', 'Default: a free port; remote: localhost:8001.'],
  ['triton-metrics-url', '', 'url', 'Default: a free port; remote: http://localhost:8002/metrics.'],
  ['triton-output-path', '', 'file', 'Log of the local server.'],
  ['reload-model-disable', '', undefined, 'remote: measure the models as they are served, load nothing.'],
  ['monitoring-interval', 'i', 's', 'Between two looks at the metrics of GPUs. Default: 1.'],
  ['duration-seconds', 'd', 's', 'How long the idle server is looked at. Default: 3.'],
  ['collect-cpu-metrics', '', undefined, 'Memory of the server process, where the system tells it.'],
  ['always-report-gpu-metrics', '', undefined, 'GPU tables for models on the CPU too.'],
  ['perf-analyzer-timeout', '', 's', 'Longest measurement. Default: 600.'],
  [
    'perf-analyzer-max-auto-adjusts',
    '',
    'n',
    'Repetitions of an unstable measurement, each of them longer. Default: 10.',
  ],
  ['skip-summary-reports', '', undefined, 'No report of each model.'],
  ['skip-detailed-reports', '', undefined, 'No report of each of the best configurations.'],
  ['filename-model-inference', '', 'name', 'Default: metrics-model-inference.csv.'],
  ['filename-model-gpu', '', 'name', 'Default: metrics-model-gpu.csv.'],
  ['filename-server-only', '', 'name', 'Default: metrics-server-only.csv.'],
  ['inference-output-fields', '', 'a,b', 'Columns of the table of inference.'],
  ['gpu-output-fields', '', 'a,b', 'Columns of the table of GPUs.'],
  ['server-output-fields', '', 'a,b', 'Columns of the table of the idle server.'],
  ['model-type', '', 'generic', 'Default: generic.'],
  ['gpus', '', 'all', 'Only all, or the list of their UUIDs to look at.'],
  [
    'num-top-model-configs',
    '',
    'n',
    'Over all models.',
    { refused: 'reports over several models are not written' },
  ],
  [
    'run-config-profile-models-concurrently-enable',
    '',
    undefined,
    'Models together.',
    { refused: 'models are profiled one after the other only' },
  ],
  [
    'bls-composing-models',
    '',
    'a,b',
    'Models that a model calls.',
    { refused: 'models that a model calls are not searched with it' },
  ],
  [
    'ensemble-composing-models',
    '',
    'a,b',
    'Steps of an ensemble.',
    { refused: 'the steps of an ensemble are not searched with it' },
  ],
  [
    'cpu-only-composing-models',
    '',
    'a,b',
    'Of those, on the CPU.',
    { refused: 'the steps of an ensemble are not searched with it' },
  ],
  ['min-percentage-of-search-space', '', 'n', 'optuna.', OPTUNA],
  ['max-percentage-of-search-space', '', 'n', 'optuna.', OPTUNA],
  ['optuna-min-trials', '', 'n', 'optuna.', OPTUNA],
  ['optuna-max-trials', '', 'n', 'optuna.', OPTUNA],
  ['optuna-early-exit-threshold', '', 'n', 'optuna.', OPTUNA],
  ['triton-docker-image', '', 'name', 'docker.', DOCKER],
  ['triton-docker-mounts', '', 'list', 'docker.', DOCKER],
  ['triton-docker-shm-size', '', 'size', 'docker.', DOCKER],
  ['triton-server-path', '', 'path', 'Server program.', LOCAL_SERVER],
  ['triton-install-path', '', 'path', 'C API.', LOCAL_SERVER],
  ['perf-analyzer-path', '', 'path', 'Load generator.', { noEffect: 'the load generator is that of Conch' }],
  [
    'perf-analyzer-cpu-util',
    '',
    'percent',
    'CPU use of the load generator.',
    { noEffect: 'the load generator uses one core, and says when that was too little' },
  ],
  [
    'perf-output',
    '',
    undefined,
    'Output of the load generator.',
    { noEffect: 'lines of the analyzer say what was measured' },
  ],
  [
    'perf-output-path',
    '',
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
    '',
    undefined,
    'GPU metrics.',
    { noEffect: 'GPU numbers come from the metrics page of the server' },
  ],
]);

export const REPORT_OPTIONS: readonly AnalyzeOption[] = options([
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

function options(rows: readonly Row[]): AnalyzeOption[] {
  return rows.map(([name, short, argument, help, extra]) => ({
    name,
    argument,
    help,
    ...(short !== '' && { short }),
    ...extra,
  }));
}

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
