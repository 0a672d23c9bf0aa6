// The OpenAI-compatible endpoint itself: models, embeddings, what is refused, and what keeps it from starting.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { OpenaiWorld } from './openai-world.ts';

let world: OpenaiWorld;

beforeAll(async () => {
  world = await OpenaiWorld.start();
}, 60_000);

afterAll(() => world.close());

describe('models', () => {
  test('are listed while they are ready, and come and go by calls', async () => {
    const names = async (): Promise<readonly string[]> => {
      const { data } = (await (await fetch(`${world.base}/v1/models`)).json()) as { data: { id: string }[] };
      return data.map(({ id }) => id).toSorted();
    };
    expect(await names()).toEqual(['cut', 'embeds', 'numbers', 'pieces', 'sampled', 'told']);
    expect(await world.answer('/v1/models/numbers/load', '')).toEqual([
      400,
      { detail: "Model 'numbers' is already loaded" },
    ]);
    expect(await world.answer('/v1/models/numbers/unload', '')).toEqual([
      200,
      { status: 'success', model: 'numbers' },
    ]);
    expect(await names()).not.toContain('numbers');
    expect(await world.answer('/v1/models/numbers/unload', '')).toEqual([
      400,
      { detail: 'Unknown model: numbers' },
    ]);
    expect((await fetch(`${world.base}/v1/models/numbers`)).status).toBe(404);
    expect(await world.answer('/v1/models/numbers/load', '')).toMatchObject([
      200,
      { id: 'numbers', object: 'model', owned_by: 'Triton Inference Server' },
    ]);
    expect(await world.answer('/v1/models/nobody/load', '')).toMatchObject([
      500,
      { detail: expect.stringContaining("Failed to load model 'nobody': ") as string },
    ]);
  });
});

test('embeddings are answered as numbers or as their bytes, by models of the vLLM form alone', async () => {
  expect(await world.answer('/v1/embeddings', { model: 'embeds', input: 'four' })).toEqual([
    400,
    { detail: 'TRT-LLM backend and Python backend do not support embedding requests' },
  ]);
  await using other = await startTestEngine(world.repository.path, {
    openai: { enabled: true, port: 0, requestFormat: 'vllm' },
  });
  const ask = async (body: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${other.ports.openai}/v1/embeddings`, {
      method: 'POST',
      body: JSON.stringify({ model: 'embeds', input: 'four', ...body }),
    });
    return response.json();
  };
  expect(await ask({})).toMatchObject({ object: 'list', data: [{ embedding: [4, -1], index: 0 }] });
  const bytes = Buffer.from(Float32Array.from([4, 2]).buffer).toString('base64');
  expect(await ask({ dimensions: 2, encoding_format: 'base64' })).toMatchObject({
    data: [{ embedding: bytes }],
  });
});

test('what is no call of the endpoint is 404 or 405, and too large a body 413', async () => {
  expect(await world.answer('/v1/nowhere', '')).toEqual([404, { detail: 'Not Found' }]);
  expect(await world.answer('/v1/models', '')).toEqual([405, { detail: 'Method Not Allowed' }]);
  expect(await world.complete({ prompt: 'x'.repeat(5000) })).toMatchObject([
    413,
    { error: { code: 'content_too_large' } },
  ]);
  expect((await fetch(`${world.base}/health/ready`)).status).toBe(200);
  expect(await (await fetch(`${world.base}/metrics`)).text()).toContain('nv_inference_request_success');
});

test('a chat without a tokenizer is refused, and a group of calls may need a header', async () => {
  await using other = await startTestEngine(world.repository.path, {
    openai: {
      enabled: true,
      port: 0,
      restricted: [{ categories: ['inference'], header: 'Key', value: 'open' }],
    },
  });
  const ask = (key: string | undefined): Promise<Response> =>
    fetch(`http://127.0.0.1:${other.ports.openai}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'told', messages: [{ role: 'user', content: 'x' }] }),
      headers: key === undefined ? {} : { key },
    });
  expect((await ask(undefined)).status).toBe(401);
  expect(await (await ask('shut')).json()).toEqual({
    error: {
      message: "This API is restricted, expecting header 'Key' with valid value",
      type: 'authentication_error',
      code: 'invalid_auth',
    },
  });
  expect(await (await ask('open')).json()).toEqual({ detail: 'Unknown tokenizer' });
  expect((await fetch(`http://127.0.0.1:${other.ports.openai}/v1/models`)).status).toBe(200);
});

test('a tokenizer without a chat template refuses chats, and completions go on', async () => {
  const other = await OpenaiWorld.start({}, { template: undefined });
  try {
    const messages = [{ role: 'user', content: 'hello' }];
    expect(await other.answer('/v1/chat/completions', { model: 'told', messages })).toEqual([
      500,
      {
        detail: expect.stringMatching(/^the tokenizer in '.*' has no chat template; name one with/) as string,
      },
    ]);
    expect((await other.complete({}))[0]).toBe(200);
  } finally {
    await other.close();
  }
});

test.each([
  [{ tokenizer: '/nowhere/at/all' }, "--tokenizer names '/nowhere/at/all', where no tokenizer_config.json"],
  [{ chatTemplate: '/nowhere.jinja' }, 'the tokenizer or chat template /nowhere.jinja cannot be read'],
  [{ restricted: [{ categories: ['all'], header: 'a', value: 'b' }] }, "Unknown API 'all'."],
])('what cannot be used keeps the server from starting: %j', async (change, reason) => {
  const openai = { enabled: true, port: 0, ...change };
  await expect(startTestEngine(world.repository.path, { openai })).rejects.toThrow(
    `failed to start OpenAI service: Invalid argument - ${reason}`,
  );
});
