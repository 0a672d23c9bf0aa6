// Calls of tools that a model makes by itself, in chats of the OpenAI-compatible endpoint: --tool-call-parser.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { OpenaiWorld } from './openai-world.ts';

const LIMIT = 120;
/** The prompt is the last message, so that the model says what the test wants. */
const LAST_MESSAGE = "{{ messages[-1]['content'] }}{% if tools %}{% endif %}";
const TOOLS = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];

let world: OpenaiWorld;

beforeAll(async () => {
  world = await OpenaiWorld.start(
    { toolCallParser: 'llama3', maxToolCallParseByteSize: LIMIT },
    { template: LAST_MESSAGE },
  );
}, 60_000);

afterAll(() => world.close());

const chat = (content: string, body: object = {}): Promise<readonly [number, unknown]> =>
  world.answer('/v1/chat/completions', {
    model: 'cut',
    messages: [{ role: 'user', content }],
    tools: TOOLS,
    ...body,
  });

const stream = (content: string, body: object = {}): Promise<readonly (object | string)[]> =>
  world.events('/v1/chat/completions', {
    model: 'cut',
    messages: [{ role: 'user', content }],
    tools: TOOLS,
    stream: true,
    ...body,
  });

const CALL = '{"name": "weather", "parameters": {"city": "Paris"}}';

describe('whole answers', () => {
  test.each([{}, { tool_choice: 'auto' }])('a call is told as such, with its reason: %j', async (body) => {
    expect(await chat(CALL, body)).toMatchObject([
      200,
      {
        choices: [
          {
            finish_reason: 'tool_calls',
            message: {
              content: '',
              role: 'assistant',
              tool_calls: [
                {
                  id: expect.stringMatching(/^cmpl-/) as string,
                  type: 'function',
                  function: { name: 'weather', arguments: '{"city": "Paris"}' },
                },
              ],
            },
          },
        ],
      },
    ]);
  });

  test('an answer stays one', async () => {
    expect(await chat('It rains.')).toMatchObject([
      200,
      { choices: [{ finish_reason: 'stop', message: { content: 'It rains.', tool_calls: null } }] },
    ]);
  });

  test.each([{ tools: undefined }, { tool_choice: 'none' }])(
    'where no tool may be called nothing is looked for: %j',
    async (body) => {
      expect(await chat(CALL, body)).toMatchObject([
        200,
        { choices: [{ finish_reason: 'stop', message: { content: CALL } }] },
      ]);
    },
  );

  test('the call of a tool that had to be called has the id of the answer', async () => {
    const [, body] = await chat('{}', { tool_choice: 'required' });
    const { id, choices } = body as {
      id: string;
      choices: { finish_reason: string; message: { tool_calls: object[] } }[];
    };
    expect(choices).toMatchObject([{ finish_reason: 'stop', message: { tool_calls: [{ id }] } }]);
  });
});

describe('streams', () => {
  test('a call: its name, its arguments in pieces, the reason', async () => {
    const parts = await stream('{"name": "wea|ther", "parameters": {"city":|"Paris"}}', {
      stream_options: { include_usage: true },
    });
    expect(parts).toMatchObject([
      { choices: [{ delta: { role: 'assistant', content: '' } }] },
      {
        choices: [
          {
            delta: {
              tool_calls: [
                {
                  index: 0,
                  id: expect.stringMatching(/^cmpl-/) as string,
                  type: 'function',
                  function: { name: 'weather' },
                },
              ],
            },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '{"city": ' } }] } }] },
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '"Paris"}' } }] } }] },
      { choices: [{ delta: { content: '' }, finish_reason: 'tool_calls' }] },
      { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } },
      '[DONE]',
    ]);
  });

  test('an answer leaves as it comes', async () => {
    expect(await stream('It |rains.')).toMatchObject([
      { choices: [{ delta: { role: 'assistant' } }] },
      { choices: [{ delta: { content: 'It ' }, finish_reason: null }] },
      { choices: [{ delta: { content: 'rains.' } }] },
      { choices: [{ delta: { content: '' }, finish_reason: 'stop' }] },
      '[DONE]',
    ]);
  });

  test('longer calls than the limit end the answer and the request', async () => {
    const long = `{"name": "weather", "parameters": {"city": "|${'x'.repeat(LIMIT)}|${'y'.repeat(LIMIT)}"}}`;
    expect(await stream(long)).toMatchObject([
      { choices: [{ delta: { role: 'assistant' } }] },
      { choices: [{ delta: { tool_calls: [{ function: { name: 'weather' } }] } }] },
      { choices: [{ delta: { tool_calls: [{ function: { arguments: '{"city": "' } }] } }] },
      { choices: [{ delta: { content: '' }, finish_reason: 'length' }] },
      '[DONE]',
    ]);
    // The model goes on with the next request.
    expect((await chat('It rains.'))[0]).toBe(200);
  });
});
