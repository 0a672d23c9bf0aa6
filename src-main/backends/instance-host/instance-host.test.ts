import { readFile, readdir } from 'node:fs/promises';

import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

import { OnnxruntimeBackend } from '../onnxruntime/onnxruntime-backend.ts';
import {
  errorOf,
  executeAll,
  inferInput,
  loadModel,
  outputValues,
  tensorBytes,
  testRequest,
} from '../../testing/backend-harness.ts';
import {
  graphModel,
  identityConfig,
  identityModel,
  onnxConfig,
  value,
} from '../../testing/onnx-test-models.ts';
import { identityInit, runIdentity } from '../../testing/hosted-identity.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import type { HostedSession } from './hosted-session.ts';
import { workerEntryUrl } from '../../base/worker-entry.ts';
import { InstanceHost } from './instance-host.ts';

const repository = await TempRepository.create({
  'm/1/model.onnx': identityModel('INT32', ['n', 2]),
  'slow/1/model.onnx': slowModel(),
});
const hosts: InstanceHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});
afterAll(() => repository.close());

/** A chain of matrix products that takes a good part of a second, long enough to be interrupted. */
function slowModel(): Uint8Array {
  const links = 40;
  return graphModel(
    [
      { opType: 'Expand', inputs: ['INPUT', 'side'], outputs: ['x0'] },
      ...Array.from({ length: links }, (_, index) => ({
        opType: 'MatMul',
        inputs: [`x${index}`, `x${index}`],
        outputs: [`x${index + 1}`],
      })),
      {
        opType: 'ReduceMax',
        inputs: [`x${links}`],
        outputs: ['OUTPUT'],
        attributes: { axes: [0n, 1n], keepdims: 1n },
      },
    ],
    [value('INPUT', 'FP32', [1, 1])],
    [value('OUTPUT', 'FP32', [1, 1])],
    {
      initializers: [{ name: 'side', datatype: 'INT64', dims: [2], data: tensorBytes('INT64', [600, 600]) }],
    },
  );
}

function newHost(maxWorkers?: number, keepIdleMs = 0): InstanceHost {
  const host = new InstanceHost({
    entry: workerEntryUrl('onnx-session'),
    keepIdleMs,
    ...(maxWorkers === undefined ? {} : { maxWorkers }),
  });
  hosts.push(host);
  return host;
}

const init = identityInit(repository.at('m/1/model.onnx'));

describe('InstanceHost', () => {
  it('says how much memory an execution asks for where there is none of that size, and goes on', async () => {
    const session = await newHost().open({ label: 'huge', init });
    expect(() => session.takeSlot(2 ** 50)).toThrow(
      'huge cannot run it: the tensors of the execution take 1125899906842624 bytes, and there is no memory of that size',
    );
    expect(await runIdentity(session, [1, 2])).toEqual([1, 2]);
  });

  it('gives each session a thread of its own, and shares threads beyond the cap', async () => {
    const host = newHost(2);
    const sessions: HostedSession[] = [];
    for (const label of ['a', 'b', 'c']) sessions.push(await host.open({ label, init }));
    expect(host.workerCount).toBe(2);
    const results = await Promise.all(sessions.map((session, index) => runIdentity(session, [index, 7])));
    expect(results).toEqual([
      [0, 7],
      [1, 7],
      [2, 7],
    ]);
    for (const session of sessions) await host.closeSession(session);
    expect(host.workerCount).toBe(0);
  });

  it('keeps a few threads for the sessions that follow, for a while', async () => {
    const host = newHost(8, 300);
    const sessions = await Promise.all(['a', 'b', 'c'].map((label) => host.open({ label, init })));
    expect(host.workerCount).toBe(3);
    for (const session of sessions) await host.closeSession(session);
    expect(host.workerCount).toBe(2);
    const again = await host.open({ label: 'd', init });
    expect(host.workerCount).toBe(2);
    expect(await runIdentity(again, [4, 5])).toEqual([4, 5]);
    await host.closeSession(again);
    await expect.poll(() => host.workerCount).toBe(0);
  });

  it('keeps the thread of a session that left something for the one it was left for', async () => {
    const host = newHost(8, 60_000);
    const closed = await host.open({ label: 'a', init });
    await host.closeSession(closed, 7);
    const stranger = await host.open({ label: 'b', init });
    expect(host.workerCount).toBe(2);
    const heir = await host.open({ label: 'c', init, reservation: 7 });
    expect(host.workerCount).toBe(2);
    // Its thread is not reserved any more.
    await host.closeSession(heir);
    await host.open({ label: 'd', init, reservation: 7 });
    expect(host.workerCount).toBe(2);
    await host.closeSession(stranger);
  });

  it('runs many jobs of one session in their order, in slots of their own', async () => {
    const host = newHost();
    const session = await host.open({ label: 'a', init });
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        expect(await runIdentity(session, [index, 2 * index])).toEqual([index, 2 * index]);
        order.push(index);
      }),
    );
    expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it('reports what the session said when it cannot be opened, and keeps no thread', async () => {
    const host = newHost();
    const broken = { ...init, path: repository.at('nowhere.onnx') };
    await expect(host.open({ label: 'a', init: broken })).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(/^onnx runtime error 3: /) as string,
    });
    expect(host.workerCount).toBe(0);
  });

  it.runIf(process.platform === 'linux')('runs sessions at lower priority, not the engine', async () => {
    const niceLevels = async (): Promise<number[]> => {
      const threads = await readdir('/proc/self/task');
      const stats = await Promise.all(
        threads.map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8').catch(() => '')),
      );
      // The name may hold blanks; niceness is the 17th field behind it.
      return stats.map((text) => Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]));
    };
    // Tests may themselves run at a lower priority than others; below the lowest there is none.
    const [own = 0] = await niceLevels();
    const lower = Math.min(19, own + 11);
    const before = (await niceLevels()).filter((level) => level === lower).length;
    const host = newHost();
    await host.open({ label: 'a', init, niceLevel: lower });
    const levels = await niceLevels();
    expect(levels.filter((level) => level === lower).length).toBeGreaterThan(before);
    expect(levels).toContain(own);
  });

  it('ends a thread that is at work between two of its jobs, each of which is answered or fails', async () => {
    const host = newHost();
    for (let round = 0; round < 10; round += 1) {
      const session = await host.open({ label: 'busy', init });
      let isEnded = false;
      const busy = Array.from({ length: 8 }, async (_, index) => {
        for (;;) {
          try {
            expect(await runIdentity(session, [index, 7])).toEqual([index, 7]);
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: 'INTERNAL' });
            return;
          }
          if (isEnded) return;
        }
      });
      await new Promise((resolve) => setTimeout(resolve, 3 * round));
      await session.endThread();
      isEnded = true;
      await Promise.all(busy);
      await host.closeSession(session);
    }
    expect(host.workerCount).toBe(0);
  });

  it('a worker that dies fails only what it was running, and is replaced for the next request', async () => {
    const backend = new OnnxruntimeBackend();
    const spec = { datatype: 'FP32', dims: [1, 1] } as const;
    const config = onnxConfig(0, [{ name: 'INPUT', ...spec }], [{ name: 'OUTPUT', ...spec }]);
    await using slow = await loadModel(backend, repository.at('slow'), config);
    await using other = await loadModel(backend, repository.at('m'), identityConfig(8, 'INT32', [2]));
    using opening = vi.spyOn(InstanceHost.prototype, 'open');
    const victim = await slow.instance({ name: 'victim_0' });
    const session = (await opening.mock.results[0]?.value) as HostedSession;
    const bystander = await other.instance();
    const running = testRequest([inferInput('INPUT', 'FP32', [1, 1], [0])], 0);
    const killed = testRequest([inferInput('INPUT', 'FP32', [1, 1], [0])], 0);
    const executing = [executeAll(victim, [running]), executeAll(victim, [killed])];
    const untouched = testRequest([inferInput('INPUT', 'INT32', [1, 2], [5, 6])], 1);
    await session.endThread();
    await Promise.all(executing);
    expect(running.finalCount()).toBe(1);
    expect(errorOf(killed)).toMatchObject({
      code: 'INTERNAL',
      message: expect.stringMatching(
        /^instance 'victim_0' of model 'model' was lost while it ran this request: its worker ended/,
      ) as string,
    });
    expect([killed.finalCount(), killed.releaseCount()]).toEqual([1, 1]);
    await executeAll(bystander, [untouched]);
    expect(outputValues(untouched, 'OUTPUT')).toEqual([5, 6]);
    const next = testRequest([inferInput('INPUT', 'FP32', [1, 1], [0])], 0);
    await executeAll(victim, [next]);
    expect(outputValues(next, 'OUTPUT')).toEqual([0]);
    await backend.close();
  });
});
