import { monitorEventLoopDelay } from 'node:perf_hooks';
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

  test('a long text leaves the loop to others, and its entries arrive in parts', async () => {
    const delays = monitorEventLoopDelay({ resolution: 1 });
    const cpuBefore = process.cpuUsage();
    delays.enable();
    const { config } = await readConfig({ form: 'text', content: parameters(200_000) });
    delays.disable();
    expect(Object.keys(config.parameters)).toHaveLength(200_000);
    expect(config.parameters['k199999']).toEqual({ stringValue: 'v199999' });
    expect(delays.count).toBeGreaterThan(50);
    // About 10 ms and one second of a quiet machine; several times that when anything is done in one go.
    expect(delays.max / 1e6).toBeLessThan(700);
    expect(process.cpuUsage(cpuBefore).user / 1e6).toBeLessThan(6);
  });

  test('a long list comes back in its order, and names of the language stay names', async () => {
    const content = `${Array.from({ length: 5001 }, (_, at) => `input { name: "i${at}" data_type: TYPE_INT8 dims: [ ${at} ] }\n`).join('')}${parameters(2500)}parameters { key: "__proto__" value { string_value: "x" } }`;
    const { config } = await readConfig({ form: 'text', content });
    expect(config).toEqual(readConfigHere({ form: 'text', content }).config);
    expect(config.input.map(({ dims }) => dims[0])).toEqual(Array.from({ length: 5001 }, (_, at) => at));
    expect(Object.hasOwn(config.parameters, '__proto__')).toBe(true);
  });
});
