// Models in JavaScript: what they answer, one response per request or a stream of them.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inputConfig, outputConfig, textInput } from '../../testing/tensors.ts';
import { ask, decoupled, DOUBLE, JavascriptWorld, values } from '../../testing/javascript-world.ts';

let world: JavascriptWorld;

beforeEach(async () => {
  world = await JavascriptWorld.create();
});
afterEach(() => world.close());

describe('one response per request', () => {
  test('answers every request of a batch with its own outputs', async () => {
    const { book, reports, run } = await world.start(DOUBLE);
    await run(ask(book, [1, 2]), ask(book, [5]));
    expect(values(book)).toEqual([[[2, 4]], [[10]]]);
    expect(reports).toMatchObject({ requests: [true, true], executions: [2], responses: [] });
    expect(book.answers.map(({ releaseCount }) => releaseCount)).toEqual([1, 1]);
  });

  test('runs TypeScript, and a class as default export with initialize', async () => {
    const { book, run } = await world.start(
      `export default class Offset {
        private offset: number = 0;
        initialize(context: { parameters: Record<string, string> }): void {
          this.offset = Number(context.parameters['offset']);
        }
        execute(requests: readonly any[]) {
          return requests.map((r) => ({ outputs: { OUTPUT0: { shape: [1], data: [r.inputs.INPUT0.data[0] + this.offset] } } }));
        }
      }`.replaceAll('private offset', 'offset'),
      { file: 'model.ts', config: { parameters: { offset: { stringValue: '40' } } } },
    );
    await run(ask(book, [2]));
    expect(values(book)).toEqual([[[42]]]);
  });

  test('gives text elements and takes texts back', async () => {
    const text = { dataType: 'TYPE_STRING' } as const;
    const { book, run } = await world.start(
      `export const execute = (requests) => requests.map(({ inputs }) => ({
        outputs: { OUTPUT0: inputs.INPUT0.texts().map((t) => t.toUpperCase()) }, parameters: { count: 2n } }));`,
      { config: { input: [inputConfig(text)], output: [outputConfig(text)] } },
    );
    const request = book.request({
      inputs: [textInput('INPUT0', [2], ['ab', 'é'])],
      requestedOutputs: ['OUTPUT0'],
    });
    await run(request);
    const response = book.answers[0]?.responses[0];
    expect(Buffer.from(response?.outputs[0]?.bytes ?? []).toString()).toBe('\u0002\0\0\0AB\u0002\0\0\0É');
    expect(response?.parameters.get('count')).toBe(2n);
  });

  test('leaves out outputs nobody asked for and undoes an output reshape', async () => {
    const { book, run } = await world.start(
      `export const execute = (requests) => requests.map(() => ({
        outputs: { OUTPUT0: { shape: [1, 2, 1], data: [7, 8] }, OTHER: [1] } }));`,
      {
        config: {
          output: [
            outputConfig({ dims: [2], reshape: { shape: [1, 2, 1] } }),
            outputConfig({ name: 'OTHER' }),
          ],
        },
      },
    );
    await run(ask(book, [1]));
    expect(book.answers[0]?.responses[0]?.outputs.map(({ name, shape }) => [name, shape])).toEqual([
      ['OUTPUT0', [2]],
    ]);
  });

  test.each([
    ['none', ``, 0],
    ['two', `await requests[0].send({}); await requests[0].send({})`, 2],
  ])('leaves it to the receiver to judge %s', async (_name, body, count) => {
    const { book, run } = await world.start(`export async function execute(requests) { ${body} }`);
    await run(ask(book, [1], 'r'));
    expect(book.answers[0]).toMatchObject({ finalCount: 1, releaseCount: 1 });
    expect(book.answers[0]?.responses).toHaveLength(count);
  });

  test.each([
    ['throws', `throw new Error('boom')`, `model 'M' version 1: execute failed: boom`],
    [
      'throws with a code',
      `throw Object.assign(new Error('no'), { code: 'UNSUPPORTED' })`,
      'execute failed: no',
    ],
    ['returns too few', `return []`, 'got 0 for 1 requests'],
    ['returns no array', `return 5`, 'must return an array of 1 responses, got number'],
    ['answers with an error', `return [{ error: 'not today' }]`, 'not today'],
    ['names an unknown output', `return [{ outputs: { NOPE: [1] } }]`, `unexpected inference output 'NOPE'`],
    [
      'has the wrong type',
      `return [{ outputs: { OUTPUT0: new Float32Array(1) } }]`,
      'is INT32: expected Int32Array, got Float32Array',
    ],
    [
      'has the wrong size',
      `return [{ outputs: { OUTPUT0: { shape: [3], data: [1] } } }]`,
      'has 1 elements, but its shape [3] needs 3',
    ],
    [
      'gives a parameter that cannot travel',
      `return [{ parameters: { f: () => 1 } }]`,
      `parameter 'f' must be`,
    ],
  ])('a model that %s gives its clients that error and goes on', async (_name, body, message) => {
    const { book, reports, run } = await world.start(
      `export async function execute(requests) { if (requests[0].id === 'bad') { ${body} ; return; }
        return requests.map(() => ({ outputs: { OUTPUT0: [1] } })); }`,
    );
    await run(ask(book, [1], 'bad'));
    await run(ask(book, [1], 'good'));
    expect(book.answers[0]?.error?.message).toContain(message);
    expect(book.outcomes[1]).toBe('ok');
    expect(reports.requests).toEqual([false, true]);
    expect(book.answers.map(({ finalCount, releaseCount }) => [finalCount, releaseCount])).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });
});

describe('decoupled models', () => {
  test('stream responses from generators, in order, then the final flag', async () => {
    const { book, reports, run } = await world.start(
      `async function* count(request) {
        for (let n = 0; n < request.inputs.INPUT0.data[0]; n += 1) yield { outputs: { OUTPUT0: [n] } };
      }
      export const execute = (requests) => requests.map(count);`,
      { config: decoupled },
    );
    await run(ask(book, [3]), ask(book, [0]));
    await expect.poll(() => book.answers.map(({ isDone }) => isDone)).toEqual([true, true]);
    expect(values(book)).toEqual([[[[0]], [[1]], [[2]]].flat(), []]);
    expect(book.answers[0]?.finalCount).toBe(1);
    expect(reports.responses.filter((line) => line.includes('success'))).toHaveLength(3);
  });

  test('send after execute returned, and stop when the caller goes away', async () => {
    const { book, run } = await world.start(
      `export function execute([request]) {
        void (async () => {
          for (let n = 0; !request.signal.aborted; n += 1) {
            await request.send({ outputs: { OUTPUT0: [n] } });
            await new Promise((resolve) => setImmediate(resolve));
          }
          await request.end();
        })();
      }`,
      { config: decoupled },
    );
    const request = ask(book, [1]);
    await run(request);
    await expect.poll(() => book.answers[0]?.responses.length).toBeGreaterThan(2);
    request.cancel();
    await expect.poll(() => book.answers[0]?.isDone).toBe(true);
    expect(book.answers[0]?.releaseCount).toBe(1);
  });

  test('a generator that throws ends its stream with the error', async () => {
    const { book, run } = await world.start(
      `async function* broken() { yield { outputs: { OUTPUT0: [1] } }; throw new Error('half way'); }
      export const execute = (requests) => requests.map(broken);`,
      { config: decoupled },
    );
    await run(ask(book, [1]));
    await expect.poll(() => book.outcomes[0]).toBe('INTERNAL');
    expect(book.answers[0]?.responses).toHaveLength(2);
  });
});
