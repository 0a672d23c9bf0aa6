// Every option of perf_analyzer: its name, argument, help. `conch perf --help` prints this table, the scanner reads it.
// What an option does is in plan-from-options.ts; one without effect here says so and warns when it is used.

import type { ListedOption, OptionRow } from '../../base/option-row.ts';
import { optionsOfRows } from '../../base/option-row.ts';

/** One option of perf_analyzer. */
export interface PerfOption extends ListedOption<string | undefined> {
  readonly group: string;
}

type Row = OptionRow<string | undefined>;

const GENERAL: readonly Row[] = [
  [undefined, 'm', 'model', 'The model to measure. Required.'],
  [undefined, 'x', 'version', 'Its version. Default: the highest available.'],
  [
    'service-kind',
    undefined,
    'triton',
    'Only "triton" (any server of its protocols) is offered here. Default: triton.',
  ],
  [
    'bls-composing-models',
    undefined,
    'a[:version],b',
    'Models that this one calls; their server statistics are reported with it.',
  ],
  [undefined, 'v', undefined, 'Verbose: every window and all parts of times. Twice: more of it.'],
  ['version', undefined, undefined, 'Print the version on standard error.'],
  ['help', 'h', undefined, 'Print this text.'],
  [
    'model-signature-name',
    undefined,
    'name',
    'Signature of a TensorFlow Serving model.',
    { noEffect: 'only servers of the Triton protocols are measured' },
  ],
  [
    'triton-server-directory',
    undefined,
    'path',
    'Folder of a Triton installation for the C API.',
    { noEffect: 'the C API is not offered; the server is always reached over the network' },
  ],
  [
    'model-repository',
    undefined,
    'path',
    'Repository for the C API.',
    { noEffect: 'the C API is not offered; the server is always reached over the network' },
  ],
  [
    'enable-mpi',
    undefined,
    undefined,
    'Several generators in lock-step.',
    { noEffect: 'this generator runs alone' },
  ],
];

const MEASUREMENT: readonly Row[] = [
  ['measurement-mode', undefined, 'time_windows|count_windows', 'How windows end. Default: time_windows.'],
  [
    'measurement-interval',
    'p',
    'ms',
    'Length of a window in time_windows. A window really lasts a fifth longer. Default: 5000.',
  ],
  ['measurement-request-count', undefined, 'n', 'Requests in a window in count_windows. Default: 50.'],
  [
    'stability-percentage',
    's',
    'percent',
    'A level is stable when throughput and latency of its last three windows differ by no more. Default: 10.',
  ],
  ['percentile', undefined, '1-99', 'Latency percentile that must be stable, instead of the average.'],
  ['max-trials', 'r', 'n', 'Windows per level before it counts as not stable. Default: 10.'],
  ['latency-threshold', 'l', 'ms', 'Largest latency that is acceptable; 0 = no limit. Default: 0.'],
  [
    'request-count',
    undefined,
    'n',
    'Exactly so many requests in one window instead of windows until stable.',
  ],
  ['warmup-request-count', undefined, 'n', 'Requests before measuring starts. Default: 0.'],
  [
    'binary-search',
    undefined,
    undefined,
    'Halve the range to find the largest load within the latency threshold.',
  ],
];

const LOAD: readonly Row[] = [
  [
    'concurrency-range',
    undefined,
    'start:end:step',
    'Requests kept outstanding, level by level. End 0 = until the latency threshold is passed. Only here: a list, "1,2,4,8"; doubling, "1:64:x2", with end 0 until throughput stops growing. Default: 1:1:1.',
  ],
  [
    'request-rate-range',
    undefined,
    'start:end:step',
    'Requests per second, whether or not earlier ones were answered. Lists and doubling as above.',
  ],
  ['request-distribution', undefined, 'constant|poisson', 'Gaps in request-rate mode. Default: constant.'],
  [
    'request-intervals',
    undefined,
    'file',
    'Gaps from a file, one number of microseconds per line, repeated. Only here: the numbers themselves, "100,200".',
  ],
  [
    'periodic-concurrency-range',
    undefined,
    'start:end:step',
    'Launch "step" more each time the newest requests had their responses; needs --streaming and --profile-export-file.',
  ],
  [
    'request-period',
    undefined,
    'n',
    'Responses before the next step of --periodic-concurrency-range. Default: 10.',
  ],
  ['fixed-schedule', undefined, undefined, 'Send each data entry once, at its "timestamp" (ms).'],
  ['max-threads', undefined, 'n', 'Connections in synchronous request-rate mode. Default: 4.'],
  ['async', 'a', undefined, 'In request-rate mode never wait for a free connection.'],
  ['sync', undefined, undefined, 'Wait for a free connection. Default.'],
  ['num-of-sequences', undefined, 'n', 'Sequences alive at a time in request-rate mode. Default: 4.'],
  ['sequence-length', undefined, 'n', 'Requests per sequence. Default: 20.'],
  ['sequence-length-variation', undefined, 'percent', 'How far lengths differ from it. Default: 20.'],
  ['sequence-id-range', undefined, 'start[:end]', 'Ids of sequences. Default: 1, without an end.'],
  [
    'serial-sequences',
    undefined,
    undefined,
    'One outstanding request per sequence in request-rate mode too.',
  ],
  [
    'session-concurrency',
    undefined,
    'n',
    'Chat sessions at a time.',
    { noEffect: 'chat sessions need the openai service kind, which is not offered' },
  ],
];

const INPUT: readonly Row[] = [
  [
    'input-data',
    undefined,
    'random|zero|file|folder',
    'Content of inputs: a JSON file with "data", or a folder with one file per input. Default: random.',
  ],
  [undefined, 'b', 'n', 'Batch size. Default: 1.'],
  [
    'shape',
    undefined,
    'name:d1,d2',
    'Shape of an input with variable dimensions, without the batch. Repeatable.',
  ],
  ['string-data', undefined, 'text', 'Content of generated BYTES elements.'],
  ['string-length', undefined, 'n', 'Length of random BYTES elements. Default: 128.'],
  ['shared-memory', undefined, 'none|system', 'Put tensors into system shared memory. Default: none.'],
  [
    'output-shared-memory-size',
    undefined,
    'bytes',
    'Room for outputs whose size is not known. Default: 102400.',
  ],
  ['input-tensor-format', undefined, 'binary|json', 'Inputs over HTTP. Default: binary.'],
  ['output-tensor-format', undefined, 'binary|json', 'Outputs over HTTP. Default: binary.'],
  [
    'request-parameter',
    undefined,
    'name:value:type',
    'Custom parameter; type bool, int, uint or string. Repeatable.',
  ],
];

const CONNECTION: readonly Row[] = [
  [undefined, 'i', 'http|grpc', 'Protocol. Default: http.'],
  [undefined, 'u', 'host:port', 'Server. Default: localhost:8000, with gRPC localhost:8001.'],
  ['streaming', undefined, undefined, 'Send over gRPC streams; decoupled models need it.'],
  [undefined, 'H', 'Name:Value', 'Header of every request. Repeatable.'],
  [
    'grpc-compression-algorithm',
    undefined,
    'none|gzip|deflate',
    'Compression of gRPC messages. Default: none.',
  ],
  ['ssl-grpc-use-ssl', undefined, undefined, 'Encrypt gRPC.'],
  ['ssl-grpc-root-certifications-file', undefined, 'file', 'PEM file of certificates that are trusted.'],
  ['ssl-grpc-private-key-file', undefined, 'file', 'PEM file with the private key of this side.'],
  ['ssl-grpc-certificate-chain-file', undefined, 'file', 'PEM file with the certificates of this side.'],
  ['ssl-https-verify-peer', undefined, '0|1', 'Check the certificate of an https:// server. Default: 1.'],
  ['ssl-https-verify-host', undefined, '0|1|2', 'Check that it names the host. Default: 2.'],
  ['ssl-https-ca-certificates-file', undefined, 'file', 'PEM file of certificates that are trusted.'],
  ['ssl-https-client-certificate-file', undefined, 'file', 'Certificate of this side (PEM).'],
  ['ssl-https-client-certificate-type', undefined, 'PEM', 'Only PEM is offered. Default: PEM.'],
  ['ssl-https-private-key-file', undefined, 'file', 'Private key of this side (PEM).'],
  ['ssl-https-private-key-type', undefined, 'PEM', 'Only PEM is offered. Default: PEM.'],
  [
    'endpoint',
    undefined,
    'path',
    'Path of an OpenAI service.',
    { noEffect: 'the openai service kind is not offered' },
  ],
  [
    'grpc-method',
    undefined,
    'method',
    'Method of a dynamic gRPC service.',
    { noEffect: 'the dynamic_grpc service kind is not offered' },
  ],
];

const REPORT: readonly Row[] = [
  ['latency-report-file', 'f', 'file', 'Write the results as CSV.'],
  ['verbose-csv', undefined, undefined, 'More columns in the CSV.'],
  [
    'profile-export-file',
    undefined,
    'file',
    'Write every request and answer as JSON; the file must not exist.',
  ],
  ['collect-metrics', undefined, undefined, "Read GPU use from the server's metrics page."],
  ['metrics-url', undefined, 'url', 'Metrics page. Default: host of the server, port 8002, /metrics.'],
  ['metrics-interval', undefined, 'ms', 'How often it is read. Default: 1000.'],
  ['trace-level', undefined, 'level', 'Trace setting sent to the server before measuring.'],
  ['trace-rate', undefined, 'n', 'Trace setting sent to the server before measuring.'],
  ['trace-count', undefined, 'n', 'Trace setting sent to the server before measuring.'],
  ['log-frequency', undefined, 'n', 'Trace setting sent to the server before measuring.'],
];

const DEPRECATED: readonly Row[] = [
  ['data-directory', undefined, 'folder', 'Use --input-data.'],
  [undefined, 't', 'n', 'Use --concurrency-range.'],
  [undefined, 'c', 'n', 'Use --concurrency-range.'],
  [undefined, 'd', undefined, 'Use --concurrency-range.'],
  [undefined, 'z', undefined, 'Use --input-data zero.'],
];

const GROUPS: readonly (readonly [string, readonly Row[]])[] = [
  ['General', GENERAL],
  ['Measurement', MEASUREMENT],
  ['Load', LOAD],
  ['Input data', INPUT],
  ['Connection', CONNECTION],
  ['Report', REPORT],
  ['Deprecated', DEPRECATED],
];

/** In the order of the help, each with its group. */
export const PERF_OPTIONS: readonly PerfOption[] = GROUPS.flatMap(([group, rows]) =>
  optionsOfRows(rows).map((option) => ({ ...option, group })),
);

/** Name under which values are looked up: the long one, or the letter. */
export function optionKey({ name, short }: PerfOption): string {
  return name ?? short ?? '';
}

/** How a message names it. */
export function optionText({ name, short }: PerfOption): string {
  return name === undefined ? `-${short}` : `--${name}`;
}

const WRAP = 72;

function wrapped(text: string): string {
  let line = '';
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WRAP) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((part) => `      ${part}`).join('\n');
}

/** Text of `conch perf --help` and of every usage error. */
export function perfUsage(): string {
  const blocks = GROUPS.map(([group]) => {
    const entries = PERF_OPTIONS.filter((option) => option.group === group).map((option) => {
      const names = [
        ...(option.short === undefined ? [] : [`-${option.short}`]),
        ...(option.name === undefined ? [] : [`--${option.name}`]),
      ].join(', ');
      const head = `  ${names}${option.argument === undefined ? '' : ` <${option.argument}>`}`;
      const help =
        option.noEffect === undefined
          ? option.help
          : `${option.help} Accepted, without effect: ${option.noEffect}.`;
      return `${head}\n${wrapped(help)}`;
    });
    return `${group}:\n${entries.join('\n')}`;
  });
  return `Usage: conch perf -m <model> [options]\n\nMeasures a model of a Triton-compatible server. Exit code 0: completed; 2: no stable measurement; 3: no request\ncompleted; 99: usage error and every other failure.\n\n${blocks.join('\n\n')}\n`;
}
