// The generate extension over real sockets: conversion of the flat body, reply and event formats, cancellation.

import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { internal, invalidArg } from '../../../src-shared/errors.ts';
import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import type { ParameterValue } from '../../../src-main/inference/inference-response.ts';
import { contiguous } from '../../../src-main/inference/tensor-bytes.ts';
import { HttpFixture } from '../../../src-main/testing/http-fixture.ts';
import { encodeTexts } from '../../../src-main/testing/tensors.ts';

const CONFIG = `backend: "fake" max_batch_size: 4 model_transaction_policy { decoupled: true }
input [ { name: "PROMPT" data_type: TYPE_STRING dims: [ 1 ] }, { name: "STREAM" data_type: TYPE_BOOL dims: [ 1, 1 ] optional: true },
        { name: "IDS" data_type: TYPE_INT64 dims: [ 2, -1 ] optional: true }, { name: "HALF" data_type: TYPE_FP16 dims: [ 1 ] optional: true } ]
output [ { name: "TEXT" data_type: TYPE_STRING dims: [ -1 ] } ]`;

const text = (values: string[], name = 'TEXT') => ({
  name,
  datatype: 'BYTES' as const,
  shape: [values.length],
  bytes: encodeTexts(values),
});

let held: InferenceRequest | undefined;
let isCancelled: Promise<void> = Promise.resolve();
let fixture: HttpFixture;

function answer(request: InferenceRequest): void {
  const script = request.parameters.get('script');
  if (script === 'refuse') throw invalidArg('refused');
  if (script === 'hold') {
    held = request;
    isCancelled = new Promise((resolve) => request.onCancel(resolve));
    void request.respondOutputs([text(['first'])], false);
    return;
  }
  const parts = typeof script === 'string' ? script.split(',') : ['a'];
  for (const part of parts) {
    if (part === 'fail')
      void request.respond(
        {
          modelName: request.modelName,
          modelVersion: '1',
          id: request.id,
          parameters: new Map(),
          outputs: [],
          error: internal('broken'),
        },
        false,
      );
    else if (part !== 'none')
      void request.respondOutputs(
        [text(part.split('+'))],
        false,
        new Map<string, ParameterValue>([
          ['tokens', 3n],
          ['model_name', 'hidden'],
        ]),
      );
  }
  void request.respond(undefined, true);
}

beforeAll(async () => {
  fixture = await HttpFixture.start({
    maxInputByteSize: 2000,
    models: [
      { config: `name: "llm" ${CONFIG}`, respond: answer },
      {
        config:
          'name: "clash" backend: "fake" input [ { name: "parameters" data_type: TYPE_STRING dims: [ 1 ] } ]',
      },
    ],
  });
});

afterAll(async () => {
  await vi.waitFor(() => expect(fixture.service.openUses).toBe(0));
  await fixture.close();
});

const generate = (body: object | string, route = 'generate', model = 'llm', headers = {}) =>
  fixture.call({
    path: `/v2/models/${model}/${route}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  });

describe('generate', () => {
  test('answers one flat object with sorted keys, chunked', async () => {
    const reply = await generate({ id: 'x', PROMPT: 'hello' });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(reply.headers['transfer-encoding']).toBe('chunked');
    expect(reply.text).toBe('{"TEXT":"a","id":"x","model_name":"llm","model_version":"1","tokens":3}');
  });

  test('converts inputs to the shapes of the model and the rest to parameters', async () => {
    await generate({
      PROMPT: ['p'],
      STREAM: true,
      parameters: { IDS: [1, 2, 3, 4], temperature: 0.5, n: 2 },
      flag: false,
    });
    const request = fixture.service.requests.at(-1);
    expect(request?.inputs.map(({ name, clientShape }) => [name, clientShape])).toEqual([
      ['PROMPT', [1, 1]],
      ['STREAM', [1, 1, 1]],
      ['IDS', [1, 2, 2]],
    ]);
    expect([...(request?.parameters ?? [])]).toEqual([
      ['temperature', 0.5],
      ['n', 2n],
      ['flag', false],
    ]);
    expect(contiguous(request?.inputs[2]?.bytes ?? { chunks: [], byteSize: 0 }).byteLength).toBe(32);
  });

  test('takes an empty list as an input without elements', async () => {
    await generate({ PROMPT: ['p'], IDS: [] });
    expect(fixture.service.requests.at(-1)?.inputs[1]?.clientShape).toEqual([1, 2, 0]);
  });

  test.each<[string, object | string, number, string]>([
    [
      'scalars and lists',
      { script: 'one+two' },
      200,
      '{"TEXT":["one","two"],"model_name":"llm","model_version":"1","tokens":3}',
    ],
    ['no response', { script: 'none' }, 200, 'generate expects model to produce exactly 1 response'],
    ['two responses', { script: 'a,b' }, 200, 'generate expects model to produce exactly 1 response'],
    ['a failed response', { script: 'fail' }, 500, '{"error":"broken"}'],
    ['a refusal', { script: 'refuse' }, 400, '{"error":"refused"}'],
    ['no JSON', '', 500, 'The document is empty.'],
    ['id of another type', { id: 1 }, 500, "Unable to parse 'id': "],
    [
      'wrong element types, first key first',
      { PROMPT: 7, STREAM: 'x' },
      500,
      'attempt to access JSON non-string as string',
    ],
    ['wrong element types', { STREAM: 'x', PROMPT: 7 }, 500, 'attempt to access JSON non-boolean as boolean'],
    [
      'nested parameters of another type',
      { parameters: 1 },
      500,
      "Expected JSON object for keyword: 'parameters': ",
    ],
    [
      'faults inside parameters',
      { parameters: { x: null } },
      400,
      "Converting keyword: 'parameters': parameter 'x' has invalid type.",
    ],
    ['custom lists', { x: [1] }, 400, "parameter 'x' has invalid type."],
    [
      'an input twice',
      { PROMPT: 'a', parameters: { PROMPT: 'b' } },
      400,
      "[request id: <id_unknown>] input 'PROMPT' already exists in request",
    ],
    [
      'a count that does not fit',
      { IDS: [1, 2, 3] },
      400,
      "The schema can not convert input 'IDS' to tensor with proper shape",
    ],
    [
      'elements that are no texts, before their number',
      { PROMPT: [1, 2] },
      500,
      'Unable to parse JSON bytes array: attempt to access JSON non-string as string',
    ],
    ['FP16', { HALF: [1] }, 400, 'receiving FP16 data via JSON is not supported.'],
    [
      'too much data',
      { IDS: Array(252).fill(1) },
      400,
      "request size of 2016 bytes with input 'IDS' of size 2016 bytes exceeds the maximum allowed input size of 2000. Use --http-max-input-size",
    ],
  ])('on %s', async (_, body, status, part) => {
    const reply = await generate(body);
    expect(reply.headers['content-type']).toBe('application/json');
    expect([reply.status, reply.text]).toEqual([
      status,
      expect.stringContaining(JSON.stringify(part).slice(1, -1).replaceAll('\\"', '"')),
    ]);
  });

  test('refuses a duplicate key at top level, a clash with the nested keyword, and compressed bodies', async () => {
    // Its first value counts both times.
    for (const second of ['"b"', '5', '["b","c"]'])
      expect((await generate(`{"PROMPT":"a","PROMPT":${second}}`)).text).toContain(
        "input 'PROMPT' already exists in request",
      );
    expect((await generate({ parameters: {} }, 'generate', 'clash')).text).toContain(
      "Keyword 'parameters' for nested schema also given as input tensor name",
    );
    const packed = await generate({}, 'generate', 'llm', { 'Content-Encoding': 'gzip' });
    expect([packed.status, packed.text]).toEqual([
      400,
      `{"error":"Unsupported content-encoding, only 'identity' is supported."}`,
    ]);
  });
});

describe('generate_stream', () => {
  test('sends one event per response, faults in between included', async () => {
    const reply = await generate({ script: 'a,fail,é' }, 'generate_stream');
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(reply.text.split('\n\n')).toEqual([
      'data: {"TEXT":"a","model_name":"llm","model_version":"1","tokens":3}',
      'data: {"error":"broken"}',
      'data: {"TEXT":"é","model_name":"llm","model_version":"1","tokens":3}',
      '',
    ]);
  });

  test('takes the status of a failed first response, and is empty without responses', async () => {
    const failed = await generate({ script: 'fail,a' }, 'generate_stream');
    expect([failed.status, failed.text.startsWith('data: {"error":"broken"}\n\n')]).toEqual([500, true]);
    const empty = await generate({ script: 'none' }, 'generate_stream');
    expect([empty.status, empty.text]).toEqual([200, '']);
  });

  test('answers faults before execution as plain JSON', async () => {
    const reply = await generate({ script: 'refuse' }, 'generate_stream');
    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([
      400,
      'application/json',
      '{"error":"refused"}',
    ]);
    expect((await generate({}, 'generate_stream', 'nope')).status).toBe(404);
  });

  test('delivers an event the moment it exists, and cancels when the client goes away', async () => {
    const request = http.request({
      port: fixture.server.port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v2/models/llm/generate_stream',
    });
    const first = new Promise<string>((resolve) => {
      request.on('response', (response) =>
        response.once('data', (chunk: Buffer) => resolve(chunk.toString())),
      );
    });
    request.on('error', () => undefined);
    request.end('{"script":"hold"}');
    expect(await first).toContain('data: {"TEXT":"first"');
    request.destroy();
    await isCancelled;
    expect(held?.isCancelled).toBe(true);
    void held?.respond(undefined, true);
  });
});
