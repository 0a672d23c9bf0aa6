// The endpoint for SageMaker over a real engine: docs/reference/clouds.md.

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Engine } from '../../../src-main/engine.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { BINARY_BODY, BINARY_HEAD, identityFiles, JSON_BODY } from './cloud-models.ts';

const TYPE = 'application/vnd.sagemaker-triton.binary+json;json-header-size=';
const ON = { enabled: true, port: 0, defaultModel: 'one' };

let repository: TempRepository;
let engine: Engine;

beforeAll(async () => {
  repository = await TempRepository.create(identityFiles('one'));
  engine = await startTestEngine(repository.path, { sagemaker: ON });
}, 60_000);

afterAll(async () => {
  await engine.close();
  await repository.close();
});

const portOf = ({ ports }: Engine): string => `http://127.0.0.1:${ports.sagemaker}`;

test('a ping, invocations of one model, and nothing else', async () => {
  const base = portOf(engine);
  expect((await fetch(`${base}/ping`)).status).toBe(200);
  expect((await fetch(`${base}/ping`, { method: 'POST' })).status).toBe(405);
  for (const path of ['/', '/ping/', '/v2/health/ready', '/modelsx']) {
    expect((await fetch(base + path)).status, path).toBe(400);
  }
  const answer = await fetch(`${base}/invocations`, { method: 'POST', body: JSON_BODY });
  expect(await answer.json()).toMatchObject({ model_name: 'one', outputs: [{ data: [1, 2] }] });
});

test('binary answers say the length of their JSON part in the content type', async () => {
  const answer = await fetch(`${portOf(engine)}/invocations`, {
    method: 'POST',
    body: BINARY_BODY,
    headers: { 'Content-Type': `${TYPE}${BINARY_HEAD.length}` },
  });
  const type = answer.headers.get('content-type') ?? '';
  expect(type.startsWith(TYPE)).toBe(true);
  expect(answer.headers.has('inference-header-content-length')).toBe(false);
  const bytes = await answer.arrayBuffer();
  expect([...new Float32Array(bytes.slice(Number(type.slice(TYPE.length))))]).toEqual([3, 4]);
});

test('encodings are ignored both ways', async () => {
  const answer = await fetch(`${portOf(engine)}/invocations`, {
    method: 'POST',
    body: JSON_BODY,
    headers: { 'Content-Encoding': 'gzip', 'Accept-Encoding': 'gzip' },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.has('content-encoding')).toBe(false);
});

test('models that nobody brought are unknown, and folders elsewhere are refused', async () => {
  const base = portOf(engine);
  const load = async (body: string): Promise<unknown> => {
    const answer = await fetch(`${base}/models`, { method: 'POST', body });
    return [answer.status, await answer.text()];
  };
  expect(await (await fetch(`${base}/models`)).json()).toEqual({ models: [] });
  for (const method of ['GET', 'DELETE']) {
    expect((await fetch(`${base}/models/one`, { method })).status).toBe(404);
  }
  expect((await fetch(`${base}/models/one/invoke`, { method: 'POST', body: JSON_BODY })).status).toBe(404);
  expect(await load('{"model_name":"a","url":"/proc/1"}')).toEqual([400, '']);
  for (const url of ['/tmp', '/opt/ml/models/h', '/opt/ml/models/h/../model', '/opt/ml/models/../model']) {
    const error = `Invalid "url" '${url}': expected a path of the form /opt/ml/models/<hash>/model[/<subdir>]`;
    expect(await load(JSON.stringify({ model_name: 'a', url }))).toEqual([400, JSON.stringify({ error })]);
  }
  for (const body of ['', '[]', '{}', '{"model_name":1,"url":2}']) {
    expect(await load(body)).toEqual([400, expect.stringContaining("'model_name' and 'url'")]);
  }
});

test('the environment says whether invocations infer or generate, and what a ping means', async () => {
  await using other = await startTestEngine(repository.path, {
    sagemaker: { ...ON, inferenceType: 'generate', pingMode: 'live' },
    repository: { startupModels: ['one'] },
  });
  const base = portOf(other);
  const answer = await fetch(`${base}/invocations`, { method: 'POST', body: '{"INPUT0":[5]}' });
  expect(await answer.json()).toMatchObject({ model_name: 'one', OUTPUT0: 5 });
  await using none = await startTestEngine(repository.path, { sagemaker: { ...ON, inferenceType: 'guess' } });
  expect((await fetch(`${portOf(none)}/invocations`, { method: 'POST', body: JSON_BODY })).status).toBe(400);
});
