// Code for what clients do with a server: the addresses and names in it. That it runs is the affair of
// tests/conformance/snippets.

import { expect, test } from 'vitest';

import type { ClientRequest } from '../client/infer-client.ts';
import { encodeValues } from '../tensor/value-codec.ts';
import type { ServerSnippetTarget } from './server-snippets.ts';
import { serverSnippets } from './server-snippets.ts';

const TARGET = { httpAddress: '127.0.0.1:8010', grpcAddress: '127.0.0.1:8011', metricsAddress: undefined };
const OFF = { httpAddress: undefined, grpcAddress: undefined, metricsAddress: undefined };
const LANGUAGES = ['curl', 'python-http', 'python-grpc', 'javascript'] as const;

const request: ClientRequest = {
  model: 'm',
  version: '',
  id: '',
  inputs: [{ name: 'x', datatype: 'FP32', shape: [1, 2], bytes: encodeValues(['1', '2.5'], 'FP32') }],
  outputs: [],
  parameters: new Map(),
};

function codes(
  language: (typeof LANGUAGES)[number],
  target: ServerSnippetTarget,
  model = 'a/b',
): readonly string[] {
  return serverSnippets(language, target, model, undefined).map(({ code }) => code);
}

test('they name the address and a model; an endpoint that is off has none', () => {
  expect(codes('curl', TARGET)).toContain('curl -s http://127.0.0.1:8010/v2/models/a%2Fb/stats');
  expect(codes('curl', TARGET)).toContain(
    'curl -s -X POST http://127.0.0.1:8010/v2/repository/models/a%2Fb/load',
  );
  expect(codes('javascript', TARGET).join()).toContain("{ method: 'POST' }");
  expect(codes('python-grpc', TARGET).join()).toContain('InferenceServerClient("127.0.0.1:8011")');
  expect(codes('curl', { ...OFF, metricsAddress: 'x:8002' })).toEqual(['curl -s http://x:8002/metrics']);
});

test.each(LANGUAGES)('a name with signs of a shell or of quotes stays one name in %s', (language) => {
  const ofModel = codes(language, TARGET, `it's (a) "b" c/d`).filter((code) =>
    /models|model_metadata|load_model|statistics/.test(code),
  );
  expect(ofModel).toHaveLength(4);
  for (const code of ofModel) {
    if (language.startsWith('python')) expect(code).toContain(String.raw`"it's (a) \"b\" c/d"`);
    else expect(code).toContain('/models/it%27s%20%28a%29%20%22b%22%20c%2Fd');
  }
});

test('what an endpoint that is off would answer is not shown, in any language', () => {
  for (const language of LANGUAGES) expect(serverSnippets(language, OFF, 'm', request)).toEqual([]);
  const onlyGrpc = { ...OFF, grpcAddress: 'h:2' };
  expect(serverSnippets('curl', onlyGrpc, 'm', request)).toEqual([]);
  expect(serverSnippets('python-grpc', onlyGrpc, 'm', request).length).toBeGreaterThan(5);
});

test('a model is run by the request that is given, over gRPC by a stream as well', () => {
  const subjects = (language: (typeof LANGUAGES)[number]): readonly string[] =>
    serverSnippets(language, { ...TARGET, metricsAddress: 'h:3' }, 'm', request).map(
      ({ subject }) => subject,
    );
  expect(subjects('curl')).toEqual([
    'health',
    'metadata',
    'modelMetadata',
    'infer',
    'index',
    'load',
    'unload',
    'statistics',
    'metrics',
  ]);
  expect(subjects('python-grpc')).toContain('stream');
  expect(subjects('python-http')).not.toContain('stream');
  const [, , , infer, stream] = serverSnippets('python-grpc', TARGET, 'm', request);
  expect(infer?.code).toContain('result = client.infer("m", inputs)');
  expect(stream?.code).toContain('client.async_stream_infer("m", inputs)');
  expect(stream?.code).not.toContain('client.infer(');
  expect(codes('curl', TARGET).join()).not.toContain('/infer');
});
