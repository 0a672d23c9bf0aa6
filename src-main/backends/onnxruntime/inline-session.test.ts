import { rename, writeFile } from 'node:fs/promises';

import { afterAll, expect, it } from 'vitest';

import {
  executeAll,
  inferInput,
  loadModel,
  outputValues,
  testRequest,
} from '../../testing/backend-harness.ts';
import { graphModel, onnxConfig, value } from '../../testing/onnx-test-models.ts';
import { numbersFrom, oneToOne, oneToOneInit, sessionInstance } from '../../testing/onnx-instance.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import { InstanceHost } from '../instance-host/instance-host.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import { fileStamp } from './file-stamp.ts';
import { InlineSession } from './inline-session.ts';
import { planInterface } from './interface-plan.ts';
import { TimesBook } from './layout-times.ts';
import { OnnxruntimeBackend } from './onnxruntime-backend.ts';

const repository = await TempRepository.create({ 'm/1/': '' });
const path = repository.at('m/1/model.onnx');
const host = new InstanceHost({ entry: workerEntryUrl('onnx-session') });
const backend = new OnnxruntimeBackend();
afterAll(async () => {
  await host.close();
  await backend.close();
  await repository.close();
});

const unary = (opType: string): Uint8Array =>
  graphModel(
    [{ opType, inputs: ['INPUT'], outputs: ['OUTPUT'] }],
    [value('INPUT', 'FP32', ['n', 'm'])],
    [value('OUTPUT', 'FP32', ['n', 'm'])],
  );
const TENSOR = { datatype: 'FP32', dims: [-1] } as const;
const config = onnxConfig(8, [{ name: 'INPUT', ...TENSOR }], [{ name: 'OUTPUT', ...TENSOR }]);
const init = oneToOneInit(path, 'FP32');

/** An instance whose runs the event loop does where `mayRun` says so. */
async function instanceWith(mayRun: () => boolean) {
  await writeFile(path, unary('Neg'));
  const stamp = (await fileStamp(path)) ?? '';
  const near = new InlineSession(init, stamp);
  const counts = { inline: 0, company: 0, closed: 0 };
  const session = await host.open({ label: 'm_0', init });
  const { instance, reporter } = sessionInstance({
    plan: planInterface(config, oneToOne('FP32', [-1, -1])),
    session,
    host,
    mayOverlap: true,
    mayAnswerLast: false,
    inline: {
      book: new TimesBook(),
      noteCompany: () => (counts.company += 1),
      take: () => (mayRun() ? near : undefined),
      ran: () => (counts.inline += 1),
      close: () => {
        counts.closed += 1;
        near.close();
      },
    },
  });
  return { instance, counts, reporter, session };
}

const request = (shape: readonly [number, number], first: number) =>
  testRequest([inferInput('INPUT', 'FP32', shape, numbersFrom(first, shape[0] * shape[1]))], shape[0]);

it('the event loop and the thread give the same answers, in shapes that change and in turns', async () => {
  let count = 0;
  // Two by the loop and two by the thread, while shapes come back after three.
  const { instance, counts, reporter } = await instanceWith(() => count++ % 4 < 2);
  const shapes = [[1, 4], [2, 3], [1, 4000]] as const; // prettier-ignore
  for (let round = 0; round < 24; round += 1) {
    const shape = shapes[round % shapes.length] ?? [1, 4];
    const test = request(shape, round);
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT')).toEqual(
      numbersFrom(round, shape[0] * shape[1]).map((number) => -number),
    );
    expect([test.finalCount(), test.releaseCount()]).toEqual([1, 1]);
  }
  expect(counts).toMatchObject({ inline: 12, company: 0 });
  expect(reporter.executions).toHaveLength(24);
  for (const { times } of reporter.requests) {
    const { computeStartNs, computeInputEndNs, computeOutputStartNs, computeEndNs } = times;
    const stamps = [computeStartNs, computeInputEndNs, computeOutputStartNs, computeEndNs];
    expect(stamps).toEqual([...stamps].sort((a, b) => a - b));
  }
  await instance.close();
  expect(counts.closed).toBe(1);
});

it('a request beside another one, and several in one run, are company', async () => {
  const { instance, counts, session } = await instanceWith(() => false);
  // A thread may have answered the first request before the event loop comes to the second one.
  const run = session.run.bind(session);
  session.run = (slot, done) => run(slot, (...answer) => void setImmediate(() => done(...answer)));
  const tests = [1, 2, 3, 4].map((first) => request([1, 4], first));
  await Promise.all(tests.slice(0, 2).map((test) => executeAll(instance, [test])));
  expect(counts.company).toBe(1);
  await executeAll(instance, tests.slice(2));
  expect(counts.company).toBe(2);
  expect(tests.map((test) => outputValues(test, 'OUTPUT')[0])).toEqual([-1, -2, -3, -4]);
  await instance.close();
});

it('a file that was changed since is not opened', async () => {
  await writeFile(path, unary('Neg'));
  const stamp = (await fileStamp(path)) ?? '';
  new InlineSession(init, stamp).close();
  await writeFile(repository.at('m/other'), unary('Abs'));
  await rename(repository.at('m/other'), path);
  expect(() => new InlineSession(init, stamp)).toThrow('was changed since');
});

it.each(['0', '1'])('a model answers alike with inline-runs=%s', async (isOn) => {
  await writeFile(path, unary('Neg'));
  await using model = await loadModel(backend, repository.at('m'), config, new Map([['inline-runs', isOn]]));
  const instance = await model.instance();
  for (let round = 0; round < 120; round += 1) {
    const test = request([1, 4], round);
    await executeAll(instance, [test]);
    expect(outputValues(test, 'OUTPUT')).toEqual(numbersFrom(round, 4).map((number) => -number));
  }
});
