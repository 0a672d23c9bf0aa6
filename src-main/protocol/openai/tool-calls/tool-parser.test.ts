import { describe, expect, test } from 'vitest';

import type { ToolCallParserName, ToolPiece } from './tool-parser.ts';
import { toolCallsIn, ToolStream } from './tool-parser.ts';

const LIMIT = 100_000;
const WEATHER = '{"name": "weather", "parameters": {"city": "Köln", "days": 2}}';
const TIME = '{"name": "time", "arguments": {}}';

/** Names and arguments of a whole text. */
function calls(text: string, parser: ToolCallParserName): (readonly [string, string])[] | undefined {
  return toolCallsIn(text, parser)?.map(({ name, arguments: given }) => [name, given]);
}

/** What a client joins of the pieces of a stream: text, and the name and arguments of each call. */
function streamed(
  texts: readonly string[],
  parser: ToolCallParserName,
): { readonly content: string; readonly calls: (readonly [string, string])[]; readonly ids: string[] } {
  const stream = new ToolStream(parser, LIMIT);
  const pieces: ToolPiece[] = [...texts.flatMap((text) => stream.push(text)), ...stream.finish()];
  const found: [string, string][] = [];
  const ids: string[] = [];
  let content = '';
  for (const piece of pieces) {
    if ('content' in piece) content += piece.content;
    else if ('name' in piece) {
      expect(piece.index).toBe(found.length);
      found.push([piece.name, '']);
      ids.push(piece.id);
    } else {
      const call = found[piece.index];
      if (call === undefined) throw new Error('arguments before the name');
      call[1] += piece.arguments;
    }
  }
  return { content, calls: found, ids };
}

describe('whole texts', () => {
  test('llama3: an object, with or without its token, several with a semicolon between', () => {
    const weather = ['weather', '{"city": "K\\u00f6ln", "days": 2}'];
    expect(calls(WEATHER, 'llama3')).toEqual([weather]);
    expect(calls(`<|python_tag|>${WEATHER}; ${TIME}`, 'llama3')).toEqual([weather, ['time', '{}']]);
  });

  test('mistral: a list, with or without its token, letters as they are', () => {
    const weather = '{"name":"weather","arguments":{"city":"Köln"}}';
    expect(calls(`[TOOL_CALLS][${weather},${TIME}]`, 'mistral')).toEqual([
      ['weather', '{"city": "Köln"}'],
      ['time', '{}'],
    ]);
    expect(calls(`[${weather}]`, 'mistral')).toEqual([['weather', '{"city": "Köln"}']]);
    expect(calls(`[TOOL_CALLS] so: [${weather}] done`, 'mistral')).toEqual([['weather', '{"city": "Köln"}']]);
  });

  test('a mistral id is nine letters and digits', () => {
    expect(toolCallsIn(`[${TIME}]`, 'mistral')?.[0]?.id).toMatch(/^[A-Za-z0-9]{9}$/);
  });

  test.each<readonly [string, ToolCallParserName]>([
    ['It rains.', 'llama3'],
    [`First ${WEATHER}`, 'llama3'],
    ['{"name": "weather"}', 'llama3'],
    ['{"parameters": {}}', 'llama3'],
    ['{"name": 7, "parameters": {}}', 'llama3'],
    [`${WEATHER} and more`, 'llama3'],
    ['{"name": "weather", "parameters": {"city": "K', 'llama3'],
    ['{', 'llama3'],
    ['', 'llama3'],
    ['[1, 2]', 'mistral'],
    ['[', 'mistral'],
    [`text [TOOL_CALLS][${TIME}]`, 'mistral'],
  ])('%j is an answer of %s, and no call', (text, parser) => {
    expect(calls(text, parser)).toBeUndefined();
  });
});

describe('streams', () => {
  const texts: readonly (readonly [string, ToolCallParserName])[] = [
    [`<|python_tag|>${WEATHER}; ${TIME}`, 'llama3'],
    [
      '{"parameters": {"a": [1, {"b": "\\u00fc}{"}], "c": -1.5e3}, "extra": {"x": 1}, "name": "late"}',
      'llama3',
    ],
    [`[TOOL_CALLS][${TIME}, {"name": "n", "arguments": 17}]`, 'mistral'],
    [`[${TIME}]`, 'mistral'],
  ];
  test.each(texts)('%j says the same however it is cut', (text, parser) => {
    const whole = calls(text, parser);
    expect(whole).toBeDefined();
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(streamed(pieces, parser)).toMatchObject({ content: '', calls: whole });
    }
  });

  test.each<readonly [string, ToolCallParserName]>([
    ['It rains, {"name": "x"}.', 'llama3'],
    ['<|python code', 'llama3'],
    ['{"temperature": 21}', 'llama3'],
    ['{oops}', 'llama3'],
    ['See [1] and [TOOL_CAL', 'mistral'],
    ['[1, 2]', 'mistral'],
    ['', 'mistral'],
  ])('%j is told as it is by %s, however it is cut', (text, parser) => {
    for (const size of [1, 2, 5, 100]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(streamed(pieces, parser)).toEqual({ content: text, calls: [], ids: [] });
    }
  });

  test('mistral may say something before it calls', () => {
    expect(streamed(['I look. [TOOL', '_CALLS][', TIME, ']'], 'mistral')).toMatchObject({
      content: 'I look. ',
      calls: [['time', '{}']],
    });
  });

  test('a name leaves with its first argument still open, and arguments as they come', () => {
    const stream = new ToolStream('llama3', LIMIT);
    expect(stream.push('{"name": "wea')).toEqual([]);
    expect(stream.push('ther", "parameters": {"ci')).toEqual([
      { index: 0, id: expect.stringMatching(/^cmpl-/) as string, name: 'weather' },
      { index: 0, arguments: '{"ci' },
    ]);
    expect(stream.push('ty": 1')).toEqual([{ index: 0, arguments: 'ty": ' }]);
    expect(stream.push('}}')).toEqual([{ index: 0, arguments: '1}' }]);
    expect(stream.hasCalls).toBe(true);
    expect(stream.finish()).toEqual([]);
  });

  test('calls that break off keep what was told', () => {
    expect(streamed(['{"name": "a", "parameters": {"x": oops'], 'llama3')).toMatchObject({
      content: '',
      calls: [['a', '{"x": ']],
    });
  });

  test('more text of calls than the limit is not read', () => {
    const stream = new ToolStream('llama3', 40);
    stream.push('{"name": "a", "parameters": {"x": "');
    expect(stream.isOver).toBe(false);
    expect(stream.push('é'.repeat(10))).toEqual([]);
    expect(stream.isOver).toBe(true);
  });

  test('text that is no call has no limit', () => {
    const stream = new ToolStream('llama3', 4);
    expect(stream.push('It rains a lot.')).toEqual([{ content: 'It rains a lot.' }]);
    expect(stream.isOver).toBe(false);
  });
});
