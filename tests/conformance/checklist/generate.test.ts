// Checklist: the generate extension.

import http from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect } from 'vitest';
import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import { FakeBackend } from '../../../src-main/testing/fake-backend.ts';
import { checklist } from './checklist.ts';
import { DECOUPLED, echo, model, promptModels } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';

const held: InferenceRequest[] = [];
const backend = new FakeBackend();
let server: ChecklistServer;
let arrived: () => void = () => undefined;

beforeAll(async () => {
  backend.scripts.set('held', {
    execute: (payload) => {
      held.push(...payload.requests);
      arrived();
      return Promise.resolve();
    },
  });
  server = await ChecklistServer.start(
    {
      ...promptModels(),
      ...echo('wide', 'BYTES', [-1]),
      ...model('held', { backend: 'fake', inputs: [['INPUT0', 'INT32', [1]]], more: DECOUPLED }),
    },
    { http: { maxInputByteSize: 4096 } },
    { backends: [backend] },
  );
});
afterAll(() => server.close());

const BOTH = ['generate', 'generate_stream'] as const;
const PROMPT = { PROMPT: 'hello', STREAM: false };
const generate = (body: object | string, action: string = 'generate') =>
  server.post(`prompts/${action}`, body);

async function expectFault(body: object | string, status: number, words: string): Promise<void> {
  for (const action of BOTH) {
    const reply = await generate(body, action);
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/json']);
    expect((JSON.parse(reply.text) as { error: string }).error).toContain(words);
  }
}

checklist('Generate', {
  'success: content types, output names as keys, id echoed': async () => {
    const once = await generate({ ...PROMPT, id: '42' });
    expect([once.status, once.headers['content-type'], once.text]).toEqual([
      200,
      'application/json',
      '{"TEXT":"hello","id":"42","model_name":"prompts","model_version":"1"}',
    ]);
    const stream = await generate({ ...PROMPT, REPETITION: 2 }, 'generate_stream');
    const event = 'data: {"TEXT":"hello","model_name":"prompts","model_version":"1"}\n\n';
    expect([stream.status, stream.headers['content-type'], stream.text]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      event.repeat(2),
    ]);
    expect((await generate({ ...PROMPT, id: '' })).text).not.toContain('"id"');
  },
  'no inputs, one of two required': async () => {
    await expectFault({}, 400, 'expected number of inputs between 2 and 3 but got 0');
    await expectFault({ PROMPT: 'x' }, 400, 'expected number of inputs between 2 and 3 but got 1');
  },
  'wrong element types, the first key in body order wins': async () => {
    await expectFault('{"PROMPT":1,"STREAM":"x"}', 500, 'attempt to access JSON non-string as string');
    await expectFault('{"STREAM":"x","PROMPT":1}', 500, 'attempt to access JSON non-boolean as boolean');
  },
  'a duplicate input, at top level and inside `parameters`': async () => {
    await expectFault(
      '{"PROMPT":"a","STREAM":false,"PROMPT":"b"}',
      400,
      "input 'PROMPT' already exists in request",
    );
    await expectFault(
      { ...PROMPT, parameters: { PROMPT: 'b' } },
      400,
      "input 'PROMPT' already exists in request",
    );
  },
  'expanded size above the limit': async () => {
    // Each text of one byte becomes five with its length.
    const body = (count: number) => JSON.stringify({ INPUT0: Array<string>(count).fill('a') });
    expect((await server.post('wide/generate', body(819))).status).toBe(200);
    for (const action of BOTH) {
      const { status, text } = await server.post(`wide/${action}`, body(820));
      expect([status, text]).toEqual([
        400,
        `{"error":"request size of 4100 bytes with input 'INPUT0' of size 4100 bytes exceeds the maximum allowed input size of 4096. Use --http-max-input-size to increase the limit."}`,
      ]);
    }
  },
  '`parameters` not an object': () =>
    expectFault({ ...PROMPT, parameters: 1 }, 500, "Expected JSON object for keyword: 'parameters'"),
  'a stream of 3 whose events arrive one by one': async () => {
    const taken = new Promise<void>((resolve) => (arrived = resolve));
    const request = http.request({
      port: server.httpPort,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v2/models/held/generate_stream',
    });
    request.end('{"INPUT0":1}');
    await taken;
    const running = held.pop();
    let response: http.IncomingMessage | undefined;
    for (const value of [1, 2, 3]) {
      void running?.respondOutputs(
        [
          {
            name: 'OUTPUT0',
            datatype: 'INT32',
            shape: [1],
            bytes: new Uint8Array(Int32Array.of(value).buffer),
          },
        ],
        false,
      );
      // The next is only sent once this one was seen.
      response ??= ((await once(request, 'response')) as [http.IncomingMessage])[0];
      const [chunk] = (await once(response, 'data')) as [Buffer];
      expect(chunk.toString()).toBe(`data: {"OUTPUT0":${value},"model_name":"held","model_version":"1"}\n\n`);
    }
    void running?.respond(undefined, true);
    running?.release();
    await once(response as http.IncomingMessage, 'end');
  },
  'a decoupled model with several responses on /generate': async () => {
    for (const REPETITION of [0, 2]) {
      const { status, text } = await generate({ ...PROMPT, REPETITION });
      expect(status).toBe(200);
      expect(text).toContain('generate expects model to produce exactly 1 response');
    }
  },
  'a client that closes the stream cancels the request': async () => {
    const taken = new Promise<void>((resolve) => (arrived = resolve));
    const request = http.request({
      port: server.httpPort,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v2/models/held/generate_stream',
    });
    request.on('error', () => undefined);
    request.end('{"INPUT0":1}');
    await taken;
    const running = held.pop();
    const cancelled = new Promise<void>((resolve) => running?.onCancel(resolve));
    request.destroy();
    await cancelled;
    expect(running?.isCancelled).toBe(true);
    void running?.respond(undefined, true);
    running?.release();
  },
});
