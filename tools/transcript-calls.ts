// The calls of docs/transcripts.md: one or more for each HTTP endpoint, as the reader types them.

/** One call of the page. */
export interface TranscriptCall {
  /** What it shows, one sentence. */
  readonly title: string;
  /** Arguments of curl behind `curl -si`, as typed in a shell; `$HTTP` and `$METRICS` are the addresses. */
  readonly curl: string;
}

interface TranscriptPart {
  readonly heading: string;
  readonly calls: readonly TranscriptCall[];
}

const row = (value: number): string => Array<number>(16).fill(value).join(',');
const SIMPLE = `'{"id":"7","inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1,16],"data":[${row(2)}]},{"name":"INPUT1","datatype":"INT32","shape":[1,16],"data":[${row(1)}]}]}'`;
const TEXT = `'{"inputs":[{"name":"TEXT","datatype":"BYTES","shape":[1,2],"data":["alpha","beta"]}]}'`;

/** In the order of the page; `$HTTP` stands for the server's address. */
export const TRANSCRIPTS: readonly TranscriptPart[] = [
  {
    heading: 'Health',
    calls: [
      { title: 'The server is up.', curl: '$HTTP/v2/health/live' },
      { title: 'Every model it was asked to serve is ready.', curl: '$HTTP/v2/health/ready' },
      { title: 'One model is ready.', curl: '$HTTP/v2/models/simple/ready' },
      { title: 'A model that is not.', curl: '$HTTP/v2/models/nowhere/ready' },
    ],
  },
  {
    heading: 'Metadata and configuration',
    calls: [
      { title: 'Name, version and extensions of the server.', curl: '$HTTP/v2' },
      { title: 'Inputs and outputs of a model.', curl: '$HTTP/v2/models/simple' },
      { title: 'Of one version of it.', curl: '$HTTP/v2/models/simple/versions/1' },
      { title: 'Its whole configuration, completed.', curl: '$HTTP/v2/models/simple/config' },
      { title: 'A model that is not there.', curl: '$HTTP/v2/models/nowhere' },
    ],
  },
  {
    heading: 'Inference',
    calls: [
      { title: 'JSON in, JSON out.', curl: `-d ${SIMPLE} $HTTP/v2/models/simple/infer` },
      { title: 'Strings.', curl: `-d ${TEXT} $HTTP/v2/models/text_bytes/infer` },
      {
        title: 'A tensor that does not fit: the message says where and what was expected.',
        curl: `-d '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1,16],"data":[1,2,3]}]}' $HTTP/v2/models/simple/infer`,
      },
      {
        title: 'The three best classes of each image, with labels.',
        curl: `-d '{"inputs":[{"name":"IMAGE","datatype":"FP32","shape":[1,3,32,32],"data":[${'1,'.repeat(8)}...]}],"outputs":[{"name":"SCORES","parameters":{"classification":3}}]}' $HTTP/v2/models/image_tiny/infer`,
      },
      {
        title: 'A compressed reply.',
        curl: `--compressed -H 'Accept-Encoding: gzip' -d ${SIMPLE} $HTTP/v2/models/simple/infer`,
      },
    ],
  },
  {
    heading: 'Generate',
    calls: [
      {
        title: 'A flat object of inputs; single elements need no brackets.',
        curl: `-d '{"INPUT0":[${row(3)}],"INPUT1":[${row(1)}],"id":"g"}' $HTTP/v2/models/simple/generate`,
      },
      {
        title: 'The same as server-sent events.',
        curl: `-d '{"INPUT0":[${row(3)}],"INPUT1":[${row(1)}]}' $HTTP/v2/models/simple/generate_stream`,
      },
    ],
  },
  {
    heading: 'Statistics',
    calls: [
      { title: 'Of one model.', curl: '$HTTP/v2/models/simple/stats' },
      { title: 'Of all.', curl: '$HTTP/v2/models/stats' },
    ],
  },
  {
    heading: 'Model repository',
    calls: [
      { title: 'What is in it, and in which state.', curl: '-X POST $HTTP/v2/repository/index' },
      { title: 'Unload.', curl: '-X POST $HTTP/v2/repository/models/text_bytes/unload' },
      { title: 'A request to it now.', curl: `-d ${TEXT} $HTTP/v2/models/text_bytes/infer` },
      { title: 'Load it again.', curl: '-X POST $HTTP/v2/repository/models/text_bytes/load' },
      {
        title: 'A model that cannot be loaded.',
        curl: '-X POST $HTTP/v2/repository/models/broken_dims/load',
      },
    ],
  },
  {
    heading: 'Shared memory',
    calls: [
      { title: 'Regions of system memory.', curl: '$HTTP/v2/systemsharedmemory/status' },
      {
        title: 'Register one that does not exist.',
        curl: `-d '{"key":"/nothing","offset":0,"byte_size":64}' $HTTP/v2/systemsharedmemory/region/mine/register`,
      },
      { title: 'Forget all.', curl: '-X POST $HTTP/v2/systemsharedmemory/unregister' },
      { title: 'Regions of GPU memory.', curl: '$HTTP/v2/cudasharedmemory/status' },
    ],
  },
  {
    heading: 'Trace and log settings',
    calls: [
      { title: 'Global trace settings.', curl: '$HTTP/v2/trace/setting' },
      {
        title: 'A rate of its own for one model.',
        curl: `-d '{"trace_rate":"5"}' $HTTP/v2/models/simple/trace/setting`,
      },
      {
        title: 'Back to the global rate.',
        curl: `-d '{"trace_rate":null}' $HTTP/v2/models/simple/trace/setting`,
      },
      { title: 'Log settings.', curl: '$HTTP/v2/logging' },
      { title: 'A more talkative log.', curl: `-d '{"log_verbose_level":1}' $HTTP/v2/logging` },
      { title: 'The file cannot be changed from outside.', curl: `-d '{"log_file":"x"}' $HTTP/v2/logging` },
    ],
  },
  {
    heading: 'Metrics',
    calls: [{ title: 'In the text format of Prometheus.', curl: '$METRICS/metrics' }],
  },
  {
    heading: 'What is refused',
    calls: [
      { title: 'No such path.', curl: '$HTTP/v2/nothing' },
      { title: 'A method that the path does not have.', curl: '-X DELETE $HTTP/v2/models/simple' },
      { title: 'A body that is no JSON.', curl: `-d 'hello' $HTTP/v2/models/simple/infer` },
    ],
  },
];
