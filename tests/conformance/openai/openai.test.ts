// Chats and completions over the OpenAI-compatible endpoint, whole and as events: docs/openai.md.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OpenaiWorld } from './openai-world.ts';

let world: OpenaiWorld;

beforeAll(async () => {
  world = await OpenaiWorld.start();
}, 60_000);

afterAll(() => world.close());

const chat = (body: object): Promise<readonly [number, unknown]> =>
  world.answer('/v1/chat/completions', {
    model: 'told',
    messages: [{ role: 'user', content: 'hello' }],
    ...body,
  });

describe('completions', () => {
  test('the prompt and the defaults reach the model, and its text comes back with the counts', async () => {
    expect(await world.complete({})).toEqual([
      200,
      {
        id: expect.stringMatching(/^cmpl-/) as string,
        choices: [
          {
            finish_reason: 'stop',
            index: 0,
            logprobs: null,
            text: 'max_tokens=16 stream=0 temperature=1 text_input=hello',
          },
        ],
        created: expect.any(Number) as number,
        model: 'told',
        system_fingerprint: null,
        object: 'text_completion',
        usage: { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 },
      },
    ]);
  });

  test('what a request asks for reaches the model, and what the model does not declare is left out', async () => {
    const asked = { max_tokens: 5, temperature: 0.5, top_p: 0.1, seed: 11, stop: ['a', 'b'], user: 'me' };
    expect(await world.complete(asked)).toMatchObject([
      200,
      {
        choices: [{ text: 'max_tokens=5 seed=11 stop_words=a|b stream=0 temperature=0.5 text_input=hello' }],
      },
    ]);
  });

  const refused: readonly (readonly [object, string])[] = [
    [{ prompt: '' }, 'prompt must be non-empty'],
    [{ prompt: [] }, 'prompt must be non-empty'],
    [{ prompt: ['a', 'b'] }, 'only single string input is supported'],
    [{ n: 2 }, 'Received n=2, but only single choice (n=1) is currently supported'],
    [{ best_of: 2 }, 'Received best_of=2, but only single choice (best_of=1) is currently supported'],
    [{ suffix: 'x' }, 'suffix is not currently supported'],
    [{ logit_bias: { 1: 2 } }, 'logit bias is not supported'],
    [{ logprobs: 1 }, 'logprobs are currently available only for the vLLM backend'],
    [{ stream_options: {} }, '`stream_options` can only be used when `stream` is True'],
    [{ model: 'nobody' }, 'Unknown model: nobody'],
  ];
  test.each(refused)('%j is refused with the reason', async (body, detail) => {
    expect(await world.complete(body)).toEqual([400, { detail }]);
  });

  const unfit: readonly (readonly [object, readonly (string | number)[], string])[] = [
    [{ prompt: undefined }, ['body', 'prompt'], 'Field required'],
    [{ model: undefined }, ['body', 'model'], 'Field required'],
    [{ logprobs: 6 }, ['body', 'logprobs'], 'Input should be less than or equal to 5'],
    [{ temperature: -1 }, ['body', 'temperature'], 'Input should be greater than or equal to 0'],
    [{ max_tokens: 1.5 }, ['body', 'max_tokens'], 'Input should be a valid integer'],
    [{ stream: 'yes' }, ['body', 'stream'], 'Input should be a valid boolean'],
    [{ nonsense: 1 }, ['body', 'nonsense'], 'Extra inputs are not permitted'],
  ];
  test.each(unfit)('%j does not fit, which is told with its place', async (body, loc, msg) => {
    const [status, { detail }] = (await world.complete(body)) as [number, { detail: object[] }];
    expect(status).toBe(422);
    expect(detail).toMatchObject([{ loc, msg }]);
  });

  test.each(['', '{', '[]', '"x"', 'null'])('the body %j is 422', async (body) => {
    expect((await world.post('/v1/completions', body)).status).toBe(422);
  });

  test('an error of the model is 500 with its words, and so is a model that takes no text', async () => {
    expect(await world.complete({ prompt: 'fail' })).toEqual([
      500,
      { detail: expect.stringContaining('the model is tired') as string },
    ]);
    expect(await world.complete({ model: 'numbers' })).toEqual([
      500,
      { detail: "model 'numbers' is no text model for this endpoint: it has no input 'text_input'" },
    ]);
  });
});

describe('chats', () => {
  test("the tokenizer's template makes the prompt, whose defaults are those of chats", async () => {
    const messages = [
      { role: 'system', content: 'be kind' },
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
    ];
    expect(await chat({ messages })).toMatchObject([
      200,
      {
        object: 'chat.completion',
        choices: [
          {
            finish_reason: 'stop',
            message: {
              role: 'assistant',
              content:
                'max_tokens=16 stream=0 temperature=0.7 text_input=<s><system>be kind<user>hello<assistant>',
              tool_calls: null,
            },
          },
        ],
      },
    ]);
  });

  test('max_completion_tokens wins over max_tokens', async () => {
    const [, body] = await chat({ max_tokens: 3, max_completion_tokens: 4 });
    expect(JSON.stringify(body)).toContain('max_tokens=4 ');
  });

  test('a tool that must be called guides the model, and the text is its arguments', async () => {
    const tools = [{ type: 'function', function: { name: 'add', parameters: { type: 'object' } } }];
    for (const choice of ['required', { type: 'function', function: { name: 'add' } }]) {
      const [status, body] = await chat({ tools, tool_choice: choice });
      expect(status).toBe(200);
      const { choices } = body as { choices: { message: { content: string; tool_calls: object[] } }[] };
      expect(choices[0]?.message).toMatchObject({
        content: '',
        tool_calls: [{ type: 'function', function: { name: 'add' } }],
      });
      expect(JSON.stringify(choices)).toContain('guided_decoding_guide=');
    }
  });

  const refused: readonly (readonly [object, string])[] = [
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'only text message is supported, but got image_url',
    ],
    [{ logit_bias: {} }, 'logit bias is not currently supported'],
    [{ top_logprobs: 1 }, '`top_logprobs` can only be used when `logprobs` is True'],
    [{ tool_choice: 'auto' }, '"auto" tool choice requires --tool-call-parser to be set'],
    [
      { tool_choice: 'required' },
      '"required" tool choice requires CreateChatCompletionRequest.tools to be provided',
    ],
    [
      { tools: [{ function: { name: 'a', parameters: {} } }] },
      'having tools in the request requires --tool-call-parser to be set',
    ],
    [
      { tools: [{ function: { name: 'a', parameters: {} } }], tool_choice: { function: { name: 'b' } } },
      "Tool 'b' has not been passed in `tools`.",
    ],
  ];
  test.each(refused)('%j is refused with the reason', async (body, detail) => {
    expect(await chat(body)).toEqual([400, { detail }]);
  });
});

describe('streams', () => {
  test('a chat begins with the role, then its pieces, then the flag with the reason, and the end', async () => {
    const parts = await world.events('/v1/chat/completions', {
      model: 'pieces',
      messages: [{ role: 'user', content: 'x two' }],
      stream: true,
    });
    expect(parts.at(-1)).toBe('[DONE]');
    expect(parts[0]).toEqual({
      id: expect.stringMatching(/^cmpl-/) as string,
      object: 'chat.completion.chunk',
      created: expect.any(Number) as number,
      model: 'pieces',
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          delta: { role: 'assistant', content: '', function_call: null },
          logprobs: null,
          finish_reason: null,
        },
      ],
      usage: null,
    });
    expect(parts.slice(0, -1)).toMatchObject([
      { object: 'chat.completion.chunk', choices: [{ delta: { role: 'assistant', content: '' } }] },
      { choices: [{ delta: { content: '<s><user>x' }, finish_reason: null }] },
      { choices: [{ delta: { content: 'two<assistant>' }, finish_reason: null }] },
      { choices: [{ delta: { content: '' }, finish_reason: 'stop' }] },
    ]);
  });

  test('a completion has its pieces alone, and the usage when it is asked for', async () => {
    const parts = await world.events('/v1/completions', {
      model: 'pieces',
      prompt: 'one two three',
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(parts).toMatchObject([
      { object: 'text_completion', choices: [{ text: 'one', finish_reason: null }] },
      { choices: [{ text: 'two', finish_reason: null }] },
      { choices: [{ text: 'three', finish_reason: null }] },
      { choices: [{ text: '', finish_reason: 'stop' }] },
      { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } },
      '[DONE]',
    ]);
  });

  test('an error before the first piece is 500, one in the middle ends the connection', async () => {
    const ask = (prompt: string): Promise<Response> =>
      world.post('/v1/completions', { model: 'pieces', prompt, stream: true });
    const early = await ask('fail');
    expect([early.status, await early.text()]).toEqual([
      500,
      expect.stringContaining('lost the thread') as string,
    ]);
    const late = await ask('one fail');
    expect(late.status).toBe(200);
    await expect(late.text()).rejects.toThrow();
  });

  test('a client that leaves cancels its request', async () => {
    const leaving = new AbortController();
    const response = await fetch(`${world.base}/v1/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'pieces', prompt: 'forever', stream: true }),
      signal: leaving.signal,
    });
    await response.body?.getReader().read();
    leaving.abort();
    // The model goes on only for others: its next request is answered.
    expect((await world.complete({ model: 'pieces', prompt: 'one' }))[0]).toBe(200);
  });

  test('several pieces without a stream are too many, none is too few', async () => {
    expect(await world.complete({ model: 'pieces', prompt: 'a b c' })).toEqual([
      500,
      { detail: 'Unexpected number of responses: 3, expected 1 or 2.' },
    ]);
    expect((await world.complete({ model: 'pieces', prompt: ' ' }))[0]).toBe(500);
  });
});
