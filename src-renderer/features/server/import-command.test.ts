import { expect, test } from 'vitest';

import { importCommand, splitWords } from './import-command.ts';
import { portRange } from './port-conflict-dialog.tsx';
import { serverSnippets } from './server-snippets.ts';

const KNOWN = new Set([
  'server.httpPort',
  'server.grpcPort',
  'server.autoComplete',
  'server.strictReadiness',
  'logs.verboseLevel',
]);

test('a docker run is read from its tritonserver on', () => {
  const command =
    'docker run --gpus=all --rm -p8000:8000 -v/m:/models nvcr.io/nvidia/tritonserver:25.06-py3 \\\n' +
    "  tritonserver --model-repository=/models --http-port 9000 --strict-model-config=true --log-verbose=1 --backend-config='onnxruntime,a=b'";
  expect(importCommand(command, KNOWN)).toEqual({
    changes: { 'server.httpPort': 9000, 'server.autoComplete': false, 'logs.verboseLevel': 1 },
    repositories: ['/m'],
    ignored: ['--backend-config=onnxruntime,a=b'],
  });
});

test('a value that does not fit, and a setting this server lacks, are said to be ignored', () => {
  const { changes, ignored } = importCommand(
    'tritonserver --http-port=abc --metrics-port=9002 --allow-http',
    KNOWN,
  );
  expect(changes).toEqual({});
  expect(ignored).toEqual(['--http-port=abc', '--metrics-port=9002', '--allow-http']);
});

test('a switch without a value means true', () => {
  expect(importCommand('--disable-auto-complete-config --strict-readiness=0', KNOWN).changes).toEqual({
    'server.autoComplete': false,
    'server.strictReadiness': false,
  });
});

test('paths and ports of a container become those of this machine', () => {
  const command =
    'docker run -p 9000:8000 --publish=127.0.0.1:9001:8001/tcp -v $PWD/models:/models:ro --mount type=bind,src=/b,target=/more ' +
    'nvcr.io/nvidia/tritonserver:25.06-py3 tritonserver --model-store /models/sub --model-repository=/more --model-repository=/inside';
  expect(importCommand(command, KNOWN)).toEqual({
    changes: { 'server.httpPort': 9000, 'server.grpcPort': 9001 },
    repositories: ['$PWD/models/sub', '/b', '/inside'],
    ignored: [],
  });
});

test.each([
  [
    '--model-control-mode=poll --repository-poll-secs=3',
    { 'server.controlMode': 'poll', 'server.pollSecs': 3 },
  ],
  ['--model-control-mode=other', {}],
  ['--load-model=simple --load-model=batch_mlp', { 'server.loadAtStart': 'simple batch_mlp' }],
  ['--backend-config=onnxruntime,intra_op_thread_count=2', { 'server.intraOpThreads': 2 }],
  ['--trace-config level=timestamps', { 'server.traceLevel': 'TIMESTAMPS' }],
  [
    '--trace-config=triton,file=/t.json --trace-config=count=-1',
    { 'server.traceFile': '/t.json', 'server.traceCount': -1 },
  ],
  [
    '--grpc-max-connection-age=60000 --allow-client-shm=true',
    { 'server.grpcMaxAgeMs': 60_000, 'server.allowClientShm': true },
  ],
  ['--cache-config=local,size=1048576', { 'server.responseCacheBytes': 1_048_576 }],
  ['--backend-config=default-max-batch-size=16', { 'server.defaultMaxBatchSize': 16 }],
  ['--metrics-config summary_latencies=true', { 'server.metricsSummaries': true }],
  [
    '--rate-limit=execution_count --log-format ISO8601',
    { 'server.rateLimiter': true, 'logs.format': 'ISO8601' },
  ],
])('%s', (options, changes) => {
  const known = new Set([
    'server.controlMode',
    'server.pollSecs',
    'server.responseCacheBytes',
    'server.defaultMaxBatchSize',
    'server.metricsSummaries',
    'server.rateLimiter',
    'logs.format',
    'server.loadAtStart',
    'server.intraOpThreads',
    'server.traceLevel',
    'server.traceFile',
    'server.traceCount',
    'server.grpcMaxAgeMs',
    'server.allowClientShm',
  ]);
  expect(importCommand(`tritonserver ${options}`, known).changes).toEqual(changes);
});

test('quotes hold words together', () => {
  expect(splitWords(`a "b c" d='e f'`)).toEqual(['a', 'b c', 'd=e f']);
});

test('neighbouring ports read as a range', () => {
  expect([portRange([8010, 8011, 8012]), portRange([8010, 9011]), portRange([8010])]).toEqual([
    '8010-8012',
    '8010, 9011',
    '8010',
  ]);
});

const TARGET = {
  http: 'http://127.0.0.1:8010',
  grpc: '127.0.0.1:8011',
  metrics: '',
  model: 'a/b',
  infer: '',
};

test('snippets name the address and a model; an endpoint that is off has none', () => {
  const code = (language: 'curl' | 'javascript' | 'python-grpc', changes = {}): readonly string[] =>
    serverSnippets(language, { ...TARGET, ...changes }).map((snippet) => snippet.code);
  expect(code('curl')).toContain('curl -s http://127.0.0.1:8010/v2/models/a%2Fb/stats');
  expect(code('curl')).toContain('curl -s -X POST http://127.0.0.1:8010/v2/repository/models/a%2Fb/load');
  expect(code('javascript').join()).toContain("{ method: 'POST' }");
  expect(code('python-grpc').join()).toContain('InferenceServerClient("127.0.0.1:8011")');
  expect(code('curl', { http: '' })).toEqual([]);
  expect(code('curl', { http: '', metrics: 'http://x/metrics' })).toEqual(['curl -s http://x/metrics']);
});

test('a request over gRPC is shown as a stream as well', () => {
  const infer = 'inputs = []\nresult = client.infer("m", inputs)\nprint(result)';
  const streamed = serverSnippets('python-grpc', { ...TARGET, infer }).find(
    ({ title }) => title === 'server.snippet.stream',
  );
  expect(streamed?.code).toContain('client.async_stream_infer("m", inputs)');
  expect(streamed?.code).not.toContain('print(result)');
});
