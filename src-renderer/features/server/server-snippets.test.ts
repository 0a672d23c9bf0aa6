import { expect, test } from 'vitest';

import { portRange } from './port-conflict-dialog.tsx';
import { serverSnippets } from './server-snippets.ts';

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
