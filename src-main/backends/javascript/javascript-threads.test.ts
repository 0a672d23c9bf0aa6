// Models in JavaScript: their threads, which end, hang and start again, and calls to other models.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { notFound } from '../../../src-shared/errors.ts';
import type { ModelInvoker } from '../../inference/model-invoker.ts';
import { modelConfig } from '../../testing/tensors.ts';
import { ask, decoupled, DOUBLE, JavascriptWorld, values } from '../../testing/javascript-world.ts';

let world: JavascriptWorld;

beforeEach(async () => {
  world = await JavascriptWorld.create();
});
afterEach(() => world.close());

describe('threads', () => {
  test('a model that ends its thread fails what it had and starts again for the next payload', async () => {
    const { book, run } = await world.start(
      `export function execute(requests) {
        if (requests[0].id === 'die') process.exit(3);
        return requests.map(() => ({ outputs: { OUTPUT0: [1] } })); }`,
    );
    await run(ask(book, [1], 'die'));
    expect(book.answers[0]?.error?.message).toContain(`the thread of instance 'M_0' ended (exit code 3)`);
    await run(ask(book, [1]));
    expect(book.outcomes).toEqual(['INTERNAL', 'ok']);
  });

  test('code that hangs is ended by execute_timeout_ms', async () => {
    const { book, run } = await world.start(`export function execute() { for (;;); }`, {
      config: { parameters: { execute_timeout_ms: { stringValue: '50' } } },
    });
    await run(ask(book, [1]));
    expect(book.answers[0]?.error?.message).toContain('took longer than execute_timeout_ms = 50');
  });

  test('code that hangs while unloading is ended', async () => {
    const { instance } = await world.start(
      `export const execute = () => []; export function finalize() { for (;;); }`,
      { config: { parameters: { unload_timeout_ms: { stringValue: '50' } } } },
    );
    await instance.close();
  });

  test('a stream that never ends is failed while unloading, and nothing is executed after it', async () => {
    const { book, run, model } = await world.start(`export const execute = () => undefined;`, {
      config: { ...decoupled, parameters: { unload_timeout_ms: { stringValue: '50' } } },
    });
    await run(ask(book, [1]));
    model.unloading?.();
    await expect.poll(() => book.outcomes[0]).toBe('UNAVAILABLE');
    expect(book.answers[0]?.releaseCount).toBe(1);
    await expect(run(ask(book, [1]))).rejects.toThrow('is being unloaded');
  });

  test.each([
    ['no execute', 'export const run = 1;', `exports no function 'execute'; it exports ["run"]`],
    ['a syntax error', 'export const = 1;', 'cannot load'],
    [
      'a failing initialize',
      `export function execute() {} export function initialize() { throw new Error('no weights'); }`,
      'no weights',
    ],
  ])('%s is said at load', async (_name, code, message) => {
    await expect(world.start(code)).rejects.toThrow(message);
  });

  test('a missing model file is said at load', async () => {
    await expect(world.start(DOUBLE, { file: 'other.js' })).rejects.toThrow(
      'found none of model.js, model.mjs, model.cjs, model.ts',
    );
  });
});

describe('calls to other models', () => {
  const CALLER = `export async function execute(requests, context) {
    return Promise.all(requests.map(async ({ inputs }) => {
      const { outputs } = await context.infer({ model: 'other', inputs: { X: { datatype: 'INT32', shape: [1], data: inputs.INPUT0.data } } });
      return { outputs: { OUTPUT0: outputs.Y.data } };
    })); }`;

  test('go through the invoker and release the model', async () => {
    let released = 0;
    const invoker: ModelInvoker = {
      use: (name, version) => ({
        name,
        version: '7',
        config: modelConfig(),
        isDecoupled: false,
        infer: (request) => {
          expect([name, version]).toEqual(['other', -1]);
          const bytes = Uint8Array.of(9, 0, 0, 0);
          void request.respondOutputs([{ name: 'Y', datatype: 'INT32', shape: [1], bytes }], true);
          request.release();
        },
        release: () => {
          released += 1;
        },
      }),
    };
    const { book, run } = await world.start(CALLER, { invoker });
    await run(ask(book, [1]));
    expect(values(book)).toEqual([[[9]]]);
    expect(released).toBe(1);
  });

  test('hand on the code and text of a refusal', async () => {
    const invoker: ModelInvoker = {
      use: () => {
        throw notFound(`Request for unknown model: 'other' is not found`);
      },
    };
    const { book, run } = await world.start(CALLER, { invoker });
    await run(ask(book, [1]));
    expect(book.answers[0]?.error).toMatchObject({
      code: 'NOT_FOUND',
      message: `Request for unknown model: 'other' is not found`,
    });
  });
});
