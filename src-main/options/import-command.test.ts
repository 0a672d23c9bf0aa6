import { expect, test } from 'vitest';

import { importCommand, splitWords } from './import-command.ts';

test('a docker run is read from its tritonserver on', () => {
  const command =
    'docker run --gpus=all --rm -p8000:8000 -v/m:/models nvcr.io/nvidia/tritonserver:25.06-py3 \\\n' +
    "  tritonserver --model-repository=/models --http-port 9000 --strict-model-config=true --log-verbose=1 --backend-config='onnxruntime,a=b'";
  expect(importCommand(command)).toEqual({
    changes: { 'server.httpPort': 9000, 'server.autoComplete': false, 'logs.verboseLevel': 1 },
    repositories: ['/m'],
    ignored: ['--backend-config=onnxruntime,a=b'],
  });
});

test('values that do not fit, options without a setting and unknown ones are said to be ignored', () => {
  const { changes, ignored } = importCommand(
    'tritonserver --http-port=abc --http-thread-count 4 --no-such=1 --log-verbose=9 --allow-http',
  );
  expect(changes).toEqual({});
  expect([...ignored].sort()).toEqual([
    '--allow-http',
    '--http-port=abc',
    '--http-thread-count=4',
    '--log-verbose=9',
    '--no-such=1',
  ]);
});

test('a switch without a value means true', () => {
  expect(importCommand('--disable-auto-complete-config --strict-readiness=0').changes).toEqual({
    'server.autoComplete': false,
    'server.strictReadiness': false,
  });
});

test('paths and ports of a container become those of this machine', () => {
  const command =
    'docker run -p 9000:8000 --publish=127.0.0.1:9001:8001/tcp -v $PWD/models:/models:ro --mount type=bind,src=/b,target=/more ' +
    'nvcr.io/nvidia/tritonserver:25.06-py3 tritonserver --model-store /models/sub --model-repository=/more --model-repository=/inside';
  expect(importCommand(command)).toEqual({
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
  expect(importCommand(`tritonserver ${options}`).changes).toEqual(changes);
});

test('quotes hold words together', () => {
  expect(splitWords(`a "b c" d='e f'`)).toEqual(['a', 'b c', 'd=e f']);
});
