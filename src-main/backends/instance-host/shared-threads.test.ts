// Sessions with short runs share threads; one whose runs turn out to be long gets its own.

import { afterAll, afterEach, describe, expect, it } from 'vitest';

import { workerEntryUrl } from '../../base/worker-entry.ts';
import { identityModel } from '../../testing/onnx-test-models.ts';
import { identityInit, runIdentity } from '../../testing/hosted-identity.ts';
import { TempRepository } from '../../testing/temp-repository.ts';
import type { HostedSession } from './hosted-session.ts';
import { InstanceHost } from './instance-host.ts';

const repository = await TempRepository.create({ 'm/1/model.onnx': identityModel('INT32', ['n', 2]) });
const hosts: InstanceHost[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});
afterAll(() => repository.close());

function newHost(maxShared: number): InstanceHost {
  const host = new InstanceHost({ entry: workerEntryUrl('onnx-session'), maxShared });
  hosts.push(host);
  return host;
}

const init = identityInit(repository.at('m/1/model.onnx'));

async function openShared(host: InstanceHost, count: number): Promise<HostedSession[]> {
  const sessions: HostedSession[] = [];
  for (let index = 0; index < count; index += 1) {
    sessions.push(await host.open({ label: `s${index}`, init, mayShare: true }));
  }
  return sessions;
}

/** Lets a number through; the place of its answer among the others is written into `order`. */
async function run(session: HostedSession, value: number, order: number[] = []): Promise<number> {
  const [answer = -1] = await runIdentity(session, [value, 0]);
  order.push(answer);
  return answer;
}

describe('threads that sessions share', () => {
  it('are as many as may be, each with its part of the sessions', async () => {
    const host = newHost(2);
    const sessions = await openShared(host, 5);
    expect(host.workerCount).toBe(2);
    const answers = await Promise.all(sessions.map((session, index) => run(session, index)));
    expect(answers).toEqual([0, 1, 2, 3, 4]);
    for (const session of sessions) await host.closeSession(session);
    expect(host.workerCount).toBe(0);
  });

  it('are not for sessions that may run long', async () => {
    const host = newHost(1);
    await openShared(host, 2);
    await host.open({ label: 'long', init });
    await host.open({ label: 'other', init });
    expect(host.workerCount).toBe(3);
    await openShared(host, 1);
    expect(host.workerCount).toBe(3);
  });

  it('are left by a session that ran long, behind its own jobs and with the order kept', async () => {
    const host = newHost(1);
    const [one, two] = (await openShared(host, 2)) as [HostedSession, HostedSession];
    const order: number[] = [];
    const answers = [run(two, 1, order), run(two, 2, order)];
    two.ranLong();
    answers.push(run(two, 3, order), run(two, 4, order));
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
    expect(order).toEqual([1, 2, 3, 4]);
    expect(host.workerCount).toBe(2);
    expect(await run(one, 5)).toBe(5);
    await host.closeSession(two);
    expect(host.workerCount).toBe(1);
    await host.closeSession(one);
    expect(host.workerCount).toBe(0);
  });

  it('go on for those that are left when one is lost meanwhile', async () => {
    const host = newHost(1);
    const [one, two] = (await openShared(host, 2)) as [HostedSession, HostedSession];
    const running = run(two, 1).catch(() => -1);
    two.ranLong();
    const waiting = run(two, 2);
    await one.endThread();
    await running;
    expect(await waiting).toBe(2);
    expect(await run(one, 3)).toBe(3);
    expect(await run(two, 4)).toBe(4);
  });

  it('are not left by a session whose file has changed, or is gone', async () => {
    const own = await TempRepository.create({ 'm/1/model.onnx': identityModel('INT32', ['n', 2]) });
    const host = newHost(1);
    const file = own.at('m/1/model.onnx');
    let isChanged = false;
    const open = (): Promise<HostedSession> =>
      host.open({ label: 's', init: identityInit(file), mayShare: true, mayMove: () => !isChanged });
    const [one, two] = [await open(), await open()];
    isChanged = true;
    await own.write({ 'm/1/model.onnx': 'no model' });
    one.ranLong();
    expect(await Promise.all([run(one, 1), run(one, 2)])).toEqual([1, 2]);
    isChanged = false;
    await own.remove('m');
    two.ranLong();
    expect(await Promise.all([run(two, 3), run(two, 4)])).toEqual([3, 4]);
    expect(host.workerCount).toBe(1);
    await own.close();
  });

  it('stay with a session of a thread of its own that ran long', async () => {
    const host = newHost(1);
    const session = await host.open({ label: 'own', init });
    session.ranLong();
    expect(await run(session, 1)).toBe(1);
    expect(host.workerCount).toBe(1);
  });
});
