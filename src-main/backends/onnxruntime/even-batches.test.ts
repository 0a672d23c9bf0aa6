import { describe, expect, it } from 'vitest';

import { inferInput, outputValues, testRequest } from '../../testing/backend-harness.ts';
import { oneToOne, sessionInstance } from '../../testing/onnx-instance.ts';
import { identityConfig } from '../../testing/onnx-test-models.ts';
import type { HostedSession, JobDone } from '../instance-host/hosted-session.ts';
import type { InstanceHost } from '../instance-host/instance-host.ts';
import { answersBeforeNext } from './even-batches.ts';
import { planInterface } from './interface-plan.ts';
import { RUN_END_WORD } from './job-layout.ts';

const LONG_NS = 2_000_000;
const LONG = { runNs: LONG_NS, byteSize: 1000 };

describe('answers before the next execution', () => {
  it.each([
    [31, 1, 15],
    [32, 8, 12],
    [3, 1, 1],
    [16, 16, 0],
    [16, 8, 0],
    [1, 31, 0],
    [2, 1, 0],
    [32, 0, 0],
    [32, Infinity, 0],
  ])('%i executed, %d waiting: %i', (executed, waiting, early) => {
    expect(answersBeforeNext(executed, waiting, LONG)).toBe(early);
  });

  it('are none where a run takes no longer than the pause', () => {
    expect(answersBeforeNext(31, 1, { ...LONG, runNs: 100_000 })).toBe(0);
  });

  it('are none where answers are so large that the pause would be long', () => {
    expect(answersBeforeNext(31, 1, { ...LONG, byteSize: 16 * 1024 * 1024 })).toBe(0);
  });

  it('leave two groups of clients that wait for each other about equal', () => {
    for (let clients = 4; clients <= 64; clients += 1) {
      for (let first = 1; first < clients; first += 1) {
        let [executed, waiting] = [first, clients - first];
        for (let round = 0; round < 4; round += 1) {
          const early = answersBeforeNext(executed, waiting, LONG);
          [executed, waiting] = [waiting + early, executed - early];
        }
        const [less, more] = [Math.min(executed, waiting), Math.max(executed, waiting)];
        expect(2 * less, `${clients} clients, ${first} of them first`).toBeGreaterThanOrEqual(more);
      }
    }
  });
});

/** An instance whose session leaves every run to the test. */
function instanceWithoutRuntime() {
  const runs: (() => void)[] = [];
  const bytes = new Uint8Array(64 * 1024);
  const slot = { number: 0, words: new Float64Array(bytes.buffer), bytes };
  const session = {
    takeSlot: () => slot,
    releaseSlot: () => undefined,
    ranLong: () => undefined,
    run: (_: unknown, done: JobDone) =>
      runs.push(() => {
        slot.words[RUN_END_WORD] = (slot.words[0] ?? 0) + LONG_NS;
        done(undefined, [{ dims: [4, 1], bytes: new Uint8Array(Int32Array.of(1, 2, 3, 4).buffer) }]);
      }),
  };
  const { instance, reporter } = sessionInstance({
    plan: planInterface(identityConfig(8, 'INT32', [1]), oneToOne('INT32', [-1, 1])),
    session: session as unknown as HostedSession,
    host: {} as InstanceHost,
  });
  return { instance, reporter, endRun: () => runs.shift()?.() };
}

describe('an execution of four requests', () => {
  it.each([
    [0, ['next', 0, 1, 2, 3]],
    [1, [0, 'next', 1, 2, 3]],
    [2, ['next', 0, 1, 2, 3]],
    [Infinity, ['next', 0, 1, 2, 3]],
  ] as const)('with %d waiting behind it is answered in the order %j', async (waiting, order) => {
    const { instance, reporter, endRun } = instanceWithoutRuntime();
    const seen: (string | number)[] = [];
    const tests = [0, 1, 2, 3].map((row) => testRequest([inferInput('INPUT', 'INT32', [1, 1], [row])], 1));
    const answered = tests.map(
      ({ request }, row) =>
        new Promise<void>((resolve) => {
          request.onRelease(() => {
            seen.push(row);
            resolve();
          });
        }),
    );
    const requests = tests.map(({ request }) => request);
    const done = instance
      .execute({ requests, batchSize: 4, closeReason: 'idle', nextCount: () => waiting })
      .then(() => seen.push('next'));
    endRun();
    await Promise.all([done, ...answered]);
    expect(seen).toEqual(order);
    expect(tests.map((test) => [...outputValues(test, 'OUTPUT')])).toEqual([[1], [2], [3], [4]]);
    expect(tests.map((test) => test.finalCount())).toEqual([1, 1, 1, 1]);
    expect(reporter.executions.map(({ batchSize }) => batchSize)).toEqual([4]);
  });
});
