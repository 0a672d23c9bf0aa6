import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { ServerError } from '../../src-shared/errors.ts';
import { readConfigHere } from './config-reading.ts';
import { readConfig } from './config-thread.ts';

const parameters = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `parameters { key: "k${index}" value { string_value: "v${index}" } }\n`,
  ).join('');

async function failureOf(promise: Promise<unknown>): Promise<ServerError> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof ServerError) return thrown;
  throw new Error(`no server error: ${String(thrown)}`);
}

describe('reading a configuration', () => {
  test.each([
    [
      'text',
      `max_batch_size: 8 ${parameters(5000)}dynamic_batching { priority_levels: 18446744073709551615 }`,
    ],
    ['json', JSON.stringify({ max_batch_size: 8, parameters: { a: { string_value: 'x'.repeat(200_000) } } })],
  ] as const)('aside gives what reading at once gives: %s', async (form, content) => {
    expect(await readConfig({ form, content })).toEqual(readConfigHere({ form, content }));
  });

  test.each([
    [
      'text',
      `${parameters(5000)}max_batch_sise: 8`,
      'INTERNAL',
      /^Error parsing text-format .*: 5001:1: Message type/,
    ],
    [
      'json',
      `{"parameters":{"a":{"value":"${'x'.repeat(200_000)}"}}}`,
      'INVALID_ARG',
      /has no field named "value"/,
    ],
  ] as const)('aside fails with the same words: %s', async (form, content, code, message) => {
    const failure = await failureOf(readConfig({ form, content }));
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(message);
  });

  test('a long text leaves the loop to others', async () => {
    let turns = 0;
    let isRead = false;
    const reading = readConfig({ form: 'text', content: parameters(5000) }).then(() => (isRead = true));
    while (!isRead) {
      await turn();
      turns += 1;
    }
    await reading;
    expect(turns).toBeGreaterThan(100);
  });
});
