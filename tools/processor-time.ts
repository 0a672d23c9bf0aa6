// Processor time as Linux and Chromium count it, of a server and of a browser, to be told apart where both share a machine.

import type { Browser } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';

/** Of an engine, in milliseconds since it began. */
export interface EngineTime {
  /** All threads that live; what one that ended took is left out. */
  readonly allMs: number;
  /** The event loop's thread. */
  readonly loopMs: number;
}

/** Of a browser, in milliseconds since it began. */
export interface BrowserTime {
  /** The processes of pages: scripts, layout, painting. */
  readonly pagesMs: number;
  /** All others: what puts pages together, and the network's. */
  readonly restMs: number;
}

/** The process that serves is the child of the one that keeps it alive. */
export function engineOf(parent: number): number {
  const children = readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  const [engine] = children;
  if (engine === undefined) throw new Error(`process ${parent} has no engine`);
  return Number(engine);
}

/** To the nanosecond; a Linux system, since the times are those of its process table. */
export function engineTime(pid: number): EngineTime {
  const byThread = readdirSync(`/proc/${pid}/task`).map((task) => [task, threadMs(pid, task)] as const);
  return {
    allMs: byThread.reduce((total, [, ms]) => total + ms, 0),
    loopMs: byThread.find(([task]) => task === String(pid))?.[1] ?? Number.NaN,
  };
}

/** Of a thread that ended meanwhile: none. */
function threadMs(pid: number, task: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** All processes of the browser. */
export async function browserTime(browser: Browser): Promise<BrowserTime> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: readonly { readonly type: string; readonly cpuTime: number }[];
  };
  await session.detach();
  const sum = (isPage: boolean): number =>
    processInfo
      .filter(({ type }) => (type === 'renderer') === isPage)
      .reduce((total, { cpuTime }) => total + cpuTime * 1000, 0);
  return { pagesMs: sum(true), restMs: sum(false) };
}
