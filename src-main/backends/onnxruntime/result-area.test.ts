// Results between a few and some dozen KiB: through the messages of two threads once, and through the slot from then on.

import { writeFile } from 'node:fs/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { workerEntryUrl } from '../../base/worker-entry.ts';
import { executeAll, inferInput, outputValues, testRequest } from '../../testing/backend-harness.ts';
import { identityConfig, identityModel } from '../../testing/onnx-test-models.ts';
import { numbersFrom, oneToOne, oneToOneInit, sessionInstance } from '../../testing/onnx-instance.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import { InstanceHost } from '../instance-host/instance-host.ts';
import { planInterface } from './interface-plan.ts';
import { MIN_RESULT_BYTE_SIZE, largerResultArea } from './job-layout.ts';

const repository = await TempRepository.create({ 'm/1/': '' });
const path = repository.at('m/1/model.onnx');
const host = new InstanceHost({ entry: workerEntryUrl('onnx-session') });
afterAll(async () => {
  await host.close();
  await repository.close();
});

const output = (byteSize: number) => ({ dims: [1, byteSize], bytes: new Uint8Array(byteSize) });

describe('the result area', () => {
  it.each([
    [[12_000], 16_384],
    [[16_384], 32_768],
    [[5_000, 5_000], 16_384],
    [[65_000], 65_536],
    [[65_536], MIN_RESULT_BYTE_SIZE],
    [[100], MIN_RESULT_BYTE_SIZE],
  ])('after outputs of %j bytes has %d', (sizes, area) => {
    expect(largerResultArea(MIN_RESULT_BYTE_SIZE, sizes.map(output))).toBe(area);
  });

  it('never shrinks', () => {
    expect(largerResultArea(65_536, [output(12_000)])).toBe(65_536);
    expect(largerResultArea(65_536, [output(1_000_000)])).toBe(65_536);
  });
});

/** An instance that answers last, and how each of its results came: true = handed over. */
async function instanceWithResults() {
  await writeFile(path, identityModel('INT32', ['n', 'm']));
  const session = await host.open({ label: 'm_0', init: oneToOneInit(path, 'INT32') });
  const handedOver: boolean[] = [];
  const run = session.run.bind(session);
  session.run = (slot, done) =>
    run(slot, (error, value) => {
      handedOver.push(value !== undefined);
      done(error, value);
    });
  const plan = planInterface(identityConfig(8, 'INT32', [-1]), oneToOne('INT32', [-1, -1]));
  const { instance } = sessionInstance({ plan, session, host });
  return { instance, handedOver };
}

const request = (count: number, first: number) =>
  testRequest([inferInput('INPUT', 'INT32', [1, count], numbersFrom(first, count))], 1);

describe('an instance', () => {
  it('gets its results through the slot once it has seen how large they are', async () => {
    const { instance, handedOver } = await instanceWithResults();
    for (let round = 0; round < 6; round += 1) {
      const tests = [request(2000, round), request(2000, 10 * round)];
      await executeAll(instance, tests);
      expect(tests.map((test) => outputValues(test, 'OUTPUT'))).toEqual([
        numbersFrom(round, 2000),
        numbersFrom(10 * round, 2000),
      ]);
    }
    expect(handedOver).toEqual([true, false, false, false, false, false]);
  });

  it('may be given the next payload before the results of the one before are read', async () => {
    const { instance } = await instanceWithResults();
    const tests = Array.from({ length: 20 }, (_, index) => request(3, index));
    const released = tests.map(
      ({ request }) => new Promise<void>((resolve) => request.onRelease(() => resolve())),
    );
    for (const { request } of tests) {
      await instance.execute({ requests: [request], batchSize: 1, closeReason: 'idle' });
    }
    await Promise.all(released);
    expect(tests.map((test) => outputValues(test, 'OUTPUT'))).toEqual(
      tests.map((_, index) => numbersFrom(index, 3)),
    );
  });
});
