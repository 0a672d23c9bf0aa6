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

const LANGUAGES = ['curl', 'python-http', 'python-grpc', 'javascript'] as const;

test.each(LANGUAGES)('a name with signs of a shell or of quotes stays one name in %s', (language) => {
  const target = { http: 'http://h:1', grpc: 'h:2', metrics: '', infer: '' };
  const codes = serverSnippets(language, { ...target, model: `it's (a) "b" c/d` }).map(({ code }) => code);
  const ofModel = codes.filter((code) => /models|model_metadata|load_model|statistics/.test(code));
  expect(ofModel).toHaveLength(4);
  for (const code of ofModel) {
    if (language.startsWith('python')) expect(code).toContain(String.raw`"it's (a) \"b\" c/d"`);
    else expect(code).toContain('/models/it%27s%20%28a%29%20%22b%22%20c%2Fd');
  }
});

test('what an endpoint that is off would answer is not shown, in any language', () => {
  const off = { http: '', grpc: '', metrics: '', model: 'm', infer: 'print(1)' };
  for (const language of LANGUAGES) expect(serverSnippets(language, off)).toEqual([]);
  const onlyGrpc = { ...off, grpc: 'h:2' };
  expect(serverSnippets('curl', onlyGrpc)).toEqual([]);
  expect(serverSnippets('python-grpc', onlyGrpc).length).toBeGreaterThan(5);
});

test('a server without models shows what a name would stand for, and no request to it', () => {
  const target = { http: 'http://h:1', grpc: '', metrics: 'http://h:3/metrics', model: '', infer: '' };
  const titles = serverSnippets('curl', target).map(({ title }) => title);
  expect(titles).not.toContain('server.snippet.infer');
  expect(titles.at(-1)).toBe('server.snippet.metrics');
  expect(
    serverSnippets('javascript', target)
      .map(({ code }) => code)
      .join(),
  ).toContain('/v2/models/MODEL');
});
