// What every backend that answers each request once must do, whatever it computes. A backend's tests hand in how to
// load a model that copies INPUT0 (INT32 [-1], max_batch_size 4) to OUTPUT0; the suite does the rest.

import { describe, expect, it } from 'vitest';

import type { ModelInstance } from '../inference/backend.ts';
import { executeAll, inferInput, outputValues, testRequest } from './backend-harness.ts';
import type { LoadedModel, TestRequest } from './backend-harness.ts';

/** The backend under test. */
export interface BackendSuiteSubject {
  readonly name: string;
  /** A fresh model; the suite disposes of it. */
  readonly load: () => Promise<LoadedModel>;
}

/** As the normaliser leaves requests: every output is named. */
const requestedOutputs = ['OUTPUT0'];

function row(values: readonly number[]): TestRequest {
  return testRequest([inferInput('INPUT0', 'INT32', [1, values.length], values)], 1, { requestedOutputs });
}

const lifeOf = (test: TestRequest) => [test.responses.length, test.finalCount(), test.releaseCount()];

/** Registers the suite for one backend. */
export function backendSuite({ name, load }: BackendSuiteSubject): void {
  const withInstance = async (use: (instance: ModelInstance, model: LoadedModel) => Promise<void>) => {
    await using model = await load();
    await use(await model.instance(), model);
  };

  describe(`backend ${name}`, () => {
    it('answers, reports and releases each request of a batch once', () =>
      withInstance(async (instance, model) => {
        const tests = [row([1, 2]), row([3, 4]), row([5, 6])];
        await executeAll(instance, tests);
        expect(tests.map((test) => outputValues(test, 'OUTPUT0'))).toEqual([
          [1, 2],
          [3, 4],
          [5, 6],
        ]);
        expect(tests.map(lifeOf)).toEqual([
          [1, 1, 1],
          [1, 1, 1],
          [1, 1, 1],
        ]);
        expect(model.reporter.requests.map(({ isSuccess }) => isSuccess)).toEqual([true, true, true]);
        expect(model.reporter.executions.map(({ batchSize }) => batchSize)).toEqual([3]);
      }));

    it('names model, version and id in the response, and keeps the shape', () =>
      withInstance(async (instance) => {
        const test = testRequest([inferInput('INPUT0', 'INT32', [2, 3], [1, 2, 3, 4, 5, 6])], 2, {
          id: 'r7',
          requestedOutputs,
        });
        await executeAll(instance, [test]);
        expect(test.responses[0]).toMatchObject({ modelVersion: '1', id: 'r7', error: undefined });
        expect(test.responses[0]?.outputs).toMatchObject([
          { name: 'OUTPUT0', datatype: 'INT32', shape: [2, 3] },
        ]);
      }));

    it('gives compute times in order', () =>
      withInstance(async (instance, model) => {
        await executeAll(instance, [row([1])]);
        for (const { times } of [...model.reporter.requests, ...model.reporter.executions]) {
          const stamps = [
            times.computeStartNs,
            times.computeInputEndNs,
            times.computeOutputStartNs,
            times.computeEndNs,
          ];
          expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
        }
      }));

    it('answers no input with no data', () =>
      withInstance(async (instance) => {
        const test = row([]);
        await executeAll(instance, [test]);
        expect(test.responses[0]?.outputs[0]?.shape).toEqual([1, 0]);
        expect(outputValues(test, 'OUTPUT0')).toEqual([]);
      }));

    it('a receiver that throws takes nobody else with it', () =>
      withInstance(async (instance) => {
        const broken = testRequest([inferInput('INPUT0', 'INT32', [1, 1], [1])], 1, {
          requestedOutputs,
          onResponse: () => {
            throw new Error('receiver failed');
          },
        });
        const other = row([2]);
        await executeAll(instance, [broken, other]);
        expect(outputValues(other, 'OUTPUT0')).toEqual([2]);
        expect(broken.releaseCount()).toBe(1);
      }));

    it('runs instances of one model beside each other', async () => {
      await using model = await load();
      const instances = [
        await model.instance({ name: 'm_0' }),
        await model.instance({ name: 'm_1', ordinal: 1 }),
      ];
      const tests = [row([1]), row([2])];
      await Promise.all(
        instances.map((instance, index) => executeAll(instance, tests.slice(index, index + 1))),
      );
      expect(tests.map((test) => outputValues(test, 'OUTPUT0'))).toEqual([[1], [2]]);
    });
  });
}
