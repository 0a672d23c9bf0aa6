// The endpoint for Vertex AI over a real engine: docs/reference/clouds.md.

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Engine } from '../../../src-main/engine.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { BINARY_BODY, BINARY_HEAD, identityFiles, JSON_BODY } from './cloud-models.ts';

const ROUTES = { enabled: true, port: 0, predictRoute: '/predict', healthRoute: '/health' };
const TYPE = 'application/vnd.vertex-ai-triton.binary+json;json-header-size=';

let repository: TempRepository;
let engine: Engine;

beforeAll(async () => {
  repository = await TempRepository.create({ ...identityFiles('one'), ...identityFiles('two') });
  engine = await startTestEngine(repository.path, {
    vertexAi: { ...ROUTES, defaultModel: 'two' },
    http: { restricted: [{ categories: ['statistics'], header: 'key', value: 'open' }] },
  });
}, 60_000);

afterAll(async () => {
  await engine.close();
  await repository.close();
});

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${engine.ports.vertexAi}${path}`, init);
}

const redirected = (target: string, init: RequestInit = {}): Promise<Response> =>
  ask('/predict', {
    method: 'POST',
    ...init,
    headers: { ...(init.headers as Record<string, string>), 'X-Vertex-Ai-Triton-Redirect': target },
  });

test('health and predictions are at the paths that the platform names, everything else is refused', async () => {
  expect((await ask('/health')).status).toBe(200);
  expect((await ask('/health', { method: 'POST' })).status).toBe(405);
  for (const path of ['/', '/health/', '/v2', '/predictx']) expect((await ask(path)).status, path).toBe(400);
  const answer = await ask('/predict', { method: 'POST', body: JSON_BODY });
  expect(await answer.json()).toMatchObject({ model_name: 'two', outputs: [{ data: [1, 2] }] });
});

test('the content type says how long the JSON part of a binary body is', async () => {
  const post = (type: string): Promise<Response> =>
    ask('/predict', { method: 'POST', body: BINARY_BODY, headers: { 'Content-Type': type } });
  const answer = await post(`${TYPE}${BINARY_HEAD.length}`);
  const headLength = Number(answer.headers.get('inference-header-content-length'));
  const bytes = await answer.arrayBuffer();
  expect([...new Float32Array(bytes.slice(headLength))]).toEqual([3, 4]);
  const error = async (type: string): Promise<unknown> => (await (await post(type)).json()) as object;
  expect(await error(`${TYPE}x`)).toEqual({ error: 'Unable to parse inference header size, got: x' });
  expect(await error(`${TYPE}9999`)).toEqual({
    error: `inference header size should be in range (0, ${BINARY_BODY.length}), got: 9999`,
  });
  expect(await error(`x;${TYPE}1`)).toEqual({
    error: `expect MIME type for binary data starts with '${TYPE}', got: x;${TYPE}1`,
  });
});

test('a header reaches the reading calls of the v2 port, and none that changes the server', async () => {
  expect(await (await redirected('v2')).json()).toMatchObject({ name: 'triton' });
  expect(await (await redirected('v2/models/one')).json()).toMatchObject({ name: 'one' });
  expect(await (await redirected('v2/repository/index')).json()).toHaveLength(2);
  expect(await (await redirected('metrics')).text()).toContain('nv_inference_request_success');
  const inferred = await redirected('v2/models/one/infer', { body: JSON_BODY });
  expect(await inferred.json()).toMatchObject({ model_name: 'one' });
  for (const target of ['v2/repository/models/one/unload', 'v2/systemsharedmemory/unregister'])
    expect((await redirected(target)).status, target).toBe(403);
  for (const target of [
    'v2/logging',
    'v2/trace/setting',
    'v2/models/one/generate',
    '/v2',
    'v2/health/live?x',
  ])
    expect((await redirected(target)).status, target).toBe(400);
  expect((await redirected('v2', { method: 'GET' })).status).toBe(405);
});

test('restrictions of the HTTP port hold', async () => {
  expect((await redirected('v2/models/stats')).status).toBe(403);
  expect((await redirected('v2/models/stats', { headers: { key: 'open' } })).status).toBe(200);
});

test('a page of another origin is refused', async () => {
  expect((await ask('/health', { headers: { Origin: 'https://elsewhere.example' } })).status).toBe(403);
});

test.each([
  [{ predictRoute: '' }, 'API_PREDICT_ROUTE is not defined for Vertex AI endpoint'],
  [{ healthRoute: '' }, 'AIP_HEALTH_ROUTE is not defined for Vertex AI endpoint'],
  [{ defaultModel: 'three' }, "Expect the default model 'three' is loaded"],
  [
    { defaultModel: '' },
    'Expect the model repository contains only a single model if default model is not specified',
  ],
])('without what it needs the server does not start: %j', async (change, reason) => {
  const vertexAi = { ...ROUTES, defaultModel: 'two', ...change };
  await expect(startTestEngine(repository.path, { vertexAi })).rejects.toThrow(
    `failed to start Vertex AI service: Invalid argument - ${reason}`,
  );
});

test('the only model there is needs no name, also where it comes after the port', async () => {
  await using other = await startTestEngine(repository.path, {
    vertexAi: ROUTES,
    server: { listen: 'first' },
    repository: { startupModels: [] },
  });
  const post = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${other.ports.vertexAi}/predict`, { method: 'POST', body: JSON_BODY });
  expect((await post()).status).toBe(400);
  await other.service.loadModel('one', {});
  expect(await (await post()).json()).toMatchObject({ model_name: 'one' });
});
