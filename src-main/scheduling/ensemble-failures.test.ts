// Ensembles whose steps fail, answer nothing or are cancelled: what the client is told, and what still runs.

import { describe, expect, test } from 'vitest';
import { invalidArg } from '../../src-shared/errors.ts';
import { decoupled, EnsembleWorld, outputs, step } from '../testing/ensemble-world.ts';
import type { FakeScript } from '../testing/fake-backend.ts';
import { dynamicBatching, int32Input } from '../testing/tensors.ts';
import { adds, ask, executions } from '../testing/ensemble-sums.ts';

describe('failure', () => {
  const failing: FakeScript = {
    delayMs: 10,
    compute: () => {
      throw invalidArg('bad luck');
    },
  };

  test('names the ensemble once, waits for running steps, starts no others, counts twice', async () => {
    const world = new EnsembleWorld();
    await world.model('bad', { script: failing });
    await world.model('slow', { script: adds(0, 100) });
    await world.model('after', { script: adds(0) });
    const ensemble = await world.ensemble(
      'E',
      [
        step('bad', { IN: 'IN' }, { OUT: 'x' }),
        step('slow', { IN: 'IN' }, { OUT: 'y' }),
        step('after', { IN: 'y' }, { OUT: 'z' }),
      ],
      { output: outputs('x', 'z') },
    );
    const answer = ask(ensemble, 1);
    await world.clock.advance(50);
    expect(answer.isDone).toBe(false);
    await world.clock.advance(50);
    expect(answer.error).toMatchObject({ code: 'INVALID_ARG', message: `in ensemble 'E', bad luck` });
    expect(answer.responses).toHaveLength(1);
    expect(executions(world)).toMatchObject({ slow: 1, after: 0, E: 0 });
    expect(ensemble.statistics.failures.OTHER).toBe(2);
    expect(ensemble.statistics.snapshot().inference.fail.count).toBe(2);
    expect([answer.finalCount, answer.releaseCount, world.useCount]).toEqual([1, 1, 0]);
  });

  test.each([
    ['ahead of its end counts once', false, 1],
    ['with its end counts twice', true, 2],
  ])('that a decoupled step tells %s', async (_, isFinal, count) => {
    const world = new EnsembleWorld();
    await world.model('bad', {
      config: decoupled,
      script: {
        execute: async ({ requests }) => {
          for (const request of requests) {
            const { modelName, actualVersion, id } = request;
            const error = invalidArg('bad luck');
            const told = {
              modelName,
              modelVersion: actualVersion,
              id,
              parameters: new Map(),
              outputs: [],
              error,
            };
            await request.respond(told, isFinal);
            if (!isFinal) await request.respond(undefined, true);
            request.release();
          }
        },
      },
    });
    const ensemble = await world.ensemble('E', [step('bad', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1);
    await world.clock.advance(10);
    expect(answer.error).toMatchObject({ message: `in ensemble 'E', bad luck` });
    expect(ensemble.statistics.failures.OTHER).toBe(count);
  });

  test('of a queue that is full comes with its code', async () => {
    const world = new EnsembleWorld();
    const policy = {
      timeoutAction: 'REJECT',
      defaultTimeoutMicroseconds: 0n,
      allowTimeoutOverride: false,
    } as const;
    await world.model('a', {
      config: {
        maxBatchSize: 1,
        dynamicBatching: dynamicBatching({ defaultQueuePolicy: { ...policy, maxQueueSize: 1 } }),
      },
      script: adds(0, 10),
    });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })], {
      maxBatchSize: 1,
    });
    const answers = [1, 2, 3].map((n) => ensemble.submit({ inputs: [int32Input('IN', [1, 1], [n])] }));
    await world.clock.advance(100);
    const errors = answers.flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(errors.length).toBeGreaterThan(0);
    for (const { code, message } of errors) {
      expect(code).toBe('UNAVAILABLE');
      expect(message).toMatch(/^in ensemble 'E', .*Exceeds maximum queue size$/);
    }
  });

  test('of a step that answers nothing is a deadlock', async () => {
    const world = new EnsembleWorld();
    const silent: FakeScript = {
      execute: ({ requests }) => {
        for (const request of requests) {
          void request.respond(undefined, true);
          request.release();
        }
        return Promise.resolve();
      },
    };
    await world.model('a', { script: silent });
    const ensemble = await world.ensemble('E', [step('a', { IN: 'IN' }, { OUT: 'OUT' })]);
    const answer = ask(ensemble, 1, { id: '7' });
    await world.clock.advance(1);
    expect(answer.error).toMatchObject({
      code: 'INVALID_ARG',
      message: `in ensemble 'E', [request id: 7] unexpected deadlock, at least one output is not set while no more ensemble steps can be made`,
    });
  });

  test.each([
    ['default', undefined],
    ['dynamic', dynamicBatching()],
  ])('cancelled during its first step, the second (%s) does not execute', async (_name, batching) => {
    const world = new EnsembleWorld();
    await world.model('a', { script: adds(0, 100) });
    await world.model('b', { config: { maxBatchSize: 0, dynamicBatching: batching }, script: adds(0) });
    const ensemble = await world.ensemble('E', [
      step('a', { IN: 'IN' }, { OUT: 'x' }),
      step('b', { IN: 'x' }, { OUT: 'OUT' }),
    ]);
    const answer = ask(ensemble, 1);
    await world.clock.advance(10);
    answer.request.cancel();
    await world.clock.advance(200);
    expect(answer.error?.code).toBe('CANCELLED');
    expect(executions(world)).toMatchObject({ a: 1, b: 0 });
    expect([answer.finalCount, answer.releaseCount]).toEqual([1, 1]);
  });
});
