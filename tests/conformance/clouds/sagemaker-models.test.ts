// Models that are brought and taken away by their folders: which folder is which model, and what is left of a failure.

import http from 'node:http';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Engine } from '../../../src-main/engine.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { identityFiles, JSON_BODY } from './cloud-models.ts';

let repository: TempRepository;
let brought: TempRepository;
let engine: Engine;

const ENSEMBLE = `platform: "ensemble"
input { name: "I" data_type: TYPE_FP32 dims: [ -1 ] }
output { name: "O" data_type: TYPE_FP32 dims: [ -1 ] }
ensemble_scheduling { step { model_name: "alpha" model_version: -1
  input_map { key: "INPUT0" value: "I" } output_map { key: "OUTPUT0" value: "O" } } }`;

function below(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text]));
}

beforeAll(async () => {
  repository = await TempRepository.create({});
  const identity = identityFiles('model') as Record<string, string>;
  brought = await TempRepository.create({
    ...below('h1', identity),
    ...below('h2/model', { ...identityFiles('only') } as Record<string, string>),
    ...below('h3/model', {
      ...(identityFiles('alpha') as Record<string, string>),
      ...(identityFiles('zeta') as Record<string, string>),
      'chain/1/': '',
      'chain/config.pbtxt': ENSEMBLE,
    }),
    'h4/model/bad/1/': '',
    'h4/model/bad/config.pbtxt': 'rubbish',
    'h5/model/': '',
  });
  const sagemaker = { enabled: true, port: 0 };
  engine = await startTestEngine(repository.path, { sagemaker }, { sagemakerRoot: brought.path });
}, 60_000);

afterAll(async () => {
  await engine.close();
  await brought.close();
  await repository.close();
});

interface Answer {
  readonly status: number;
  readonly body: string;
}

function ask(
  method: string,
  where: string,
  body = '',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { sagemaker: port } = engine.ports;
    const request = http.request({ host: '127.0.0.1', port, method, path: where, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

const urlOf = (hash: string): string => path.join(brought.path, hash, 'model');
const load = (key: string, hash: string, headers?: Record<string, string>): Promise<Answer> =>
  ask('POST', '/models', JSON.stringify({ model_name: key, url: urlOf(hash) }), headers);
const listed = async (): Promise<unknown> => JSON.parse((await ask('GET', '/models')).body) as object;
const indexed = async (): Promise<readonly string[]> =>
  (await engine.service.repositoryIndex({ readyOnly: true })).map(({ name }) => name);

test('a folder with a configuration is the model, under the name of its key', async () => {
  expect(await load('first', 'h1')).toEqual({ status: 200, body: '' });
  expect(await listed()).toEqual({
    models: [{ modelName: 'first', modelUrl: path.join(brought.path, 'h1') }],
  });
  const answer = await ask('POST', '/models/first/invoke', JSON_BODY);
  expect(JSON.parse(answer.body)).toMatchObject({ model_name: 'first', outputs: [{ data: [1, 2] }] });
  const again = await load('first', 'h1');
  expect(again.status).toBe(409);
  expect(again.body).toContain('has already been registered');
  expect(await ask('POST', '/models/first/invoke', '{')).toMatchObject({ status: 400 });
  expect((await ask('DELETE', '/models/first')).status).toBe(200);
  expect((await ask('GET', '/models/first')).status).toBe(404);
  expect(await indexed()).toEqual([]);
  expect((await load('first', 'h1')).status).toBe(200);
  expect((await ask('DELETE', '/models/first')).status).toBe(200);
});

test('without one its only folder is the model, and of several the ensemble with what it needs', async () => {
  expect((await load('second', 'h2')).status).toBe(200);
  const target = { 'X-Amzn-SageMaker-Target-Model': 'third.tar.gz' };
  expect((await load('third', 'h3', target)).status).toBe(200);
  expect((await indexed()).toSorted()).toEqual(['alpha', 'second', 'third.tar.gz']);
  const body = JSON.stringify({ inputs: [{ name: 'I', datatype: 'FP32', shape: [1], data: [7] }] });
  const answer = await ask('POST', '/models/third/invoke', body, target);
  expect(JSON.parse(answer.body)).toMatchObject({ model_name: 'third.tar.gz', outputs: [{ data: [7] }] });
  expect((await ask('POST', '/models/third/invoke', body)).status).toBe(400);
  for (const key of ['second', 'third']) expect((await ask('DELETE', `/models/${key}`)).status).toBe(200);
  expect(await indexed()).toEqual([]);
});

test.each([
  ['bad', 'h4', 'failed to poll from model repository'],
  ['empty', 'h5', 'failed to poll from model repository'],
  ['gone', 'h6', 'repository not found'],
])('a load that fails leaves nothing behind: %s', async (key, hash, reason) => {
  const answer = await load(key, hash);
  expect(answer.status).toBe(400);
  expect(answer.body).toContain(reason);
  expect(await listed()).toEqual({ models: [] });
  expect(engine.repository.roots).toEqual([repository.path]);
});
