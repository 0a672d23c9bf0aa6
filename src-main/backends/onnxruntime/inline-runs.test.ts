import { setImmediate as turn } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { InlineRuns } from './inline-runs.ts';
import { MAX_INLINE_BYTE_SIZE } from './inline-session.ts';
import type { InlineSession } from './inline-session.ts';
import { LayoutTimes } from './layout-times.ts';
import { LoopBudget } from './loop-budget.ts';

function timesOf(runNs: number): LayoutTimes {
  const times = new LayoutTimes([]);
  for (let run = 0; run < 64; run += 1) times.note(runNs);
  return times;
}

const SHORT = timesOf(60_000);

function world(options: { readonly fails?: boolean } = {}) {
  const session = { closeCount: 0, close: () => (session.closeCount += 1) };
  let openCount = 0;
  const runs = new InlineRuns({
    label: "instance 'model_0'",
    budget: new LoopBudget(),
    open: () => {
      openCount += 1;
      if (options.fails === true) throw new Error('no');
      return session as unknown as InlineSession;
    },
  });
  /** Whether the loop has each of the next runs. */
  const take = (count: number, times: LayoutTimes, byteSize = 100, nowNs = 0): boolean[] =>
    Array.from({ length: count }, () => runs.take(times, byteSize, nowNs) !== undefined);
  /** Sixteen runs alone in the thread, one that asks for the session, and the turn in which it is made. */
  const settle = async (times: LayoutTimes): Promise<void> => {
    take(17, times);
    await turn();
  };
  return { runs, take, settle, session, openCount: () => openCount };
}

describe('which runs the event loop does', () => {
  it('does runs that come alone, once 16 of them had no company', async () => {
    const { take, openCount } = world();
    expect(take(16, SHORT)).not.toContain(true);
    await turn();
    expect(openCount()).toBe(0);
    expect(take(1, SHORT)).toEqual([false]);
    await turn();
    expect(openCount()).toBe(1);
    expect(take(20, SHORT)).not.toContain(false);
  });

  it('does none that was not measured, took long, or has much data', async () => {
    const { take, settle } = world();
    await settle(SHORT);
    expect(take(1, new LayoutTimes([]))).toEqual([false]);
    expect(take(1, timesOf(90_000))).toEqual([false]);
    expect(take(1, SHORT, MAX_INLINE_BYTE_SIZE + 1)).toEqual([false]);
    expect(take(1, SHORT)).toEqual([true]);
  });

  it('leaves a model whose runs become longer to the thread at once', async () => {
    const { take, settle } = world();
    const times = timesOf(5000);
    await settle(times);
    expect(take(1, times)).toEqual([true]);
    for (let run = 0; run < 17; run += 1) times.note(1e6);
    expect(take(1, times)).toEqual([false]);
  });

  it('leaves runs in company to the thread until 16 were alone', async () => {
    const { runs, take, settle } = world();
    await settle(SHORT);
    runs.noteCompany();
    expect(take(17, SHORT)).toEqual([...Array.from({ length: 16 }, () => false), true]);
  });

  it('gives the thread one run in 257, which is where company shows', async () => {
    const { take, settle } = world();
    await settle(SHORT);
    const taken = take(2 * 257, SHORT);
    expect(taken.filter((isTaken) => !isTaken)).toHaveLength(2);
  });

  it('does no more than half of the time allows', async () => {
    const { runs, take, settle } = world();
    await settle(SHORT);
    runs.ran(4_999_999);
    expect(take(1, SHORT)).toEqual([true]);
    runs.ran(1);
    expect(take(1, SHORT, 100, 9_999_999)).toEqual([false]);
    expect(take(1, SHORT, 100, 10_000_000)).toEqual([true]);
  });

  it('asks once for a session that cannot be made', async () => {
    const { take, settle, openCount } = world({ fails: true });
    await settle(SHORT);
    expect(take(300, SHORT)).not.toContain(true);
    await turn();
    expect(openCount()).toBe(1);
  });

  it('makes no session after it was closed, and closes the one that it has', async () => {
    const early = world();
    early.take(17, SHORT);
    early.runs.close();
    await turn();
    expect(early.openCount()).toBe(0);
    const late = world();
    await late.settle(SHORT);
    late.runs.close();
    expect(late.session.closeCount).toBe(1);
    expect(late.take(1, SHORT)).toEqual([false]);
  });
});
