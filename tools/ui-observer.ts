// What one page that watches costs the server, so that a busy machine can tell it too: many short rounds with and
// without the page, in pairs and in turns, and of each pair the processor time that the engine's process takes for a
// request. Throughput stands beside it: it has the page's own processor time in it where both share a machine.

import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

import { keepInFlight, mlpTarget } from '../e2e/harness/outside-client.ts';
import { AppPage } from '../e2e/pages/app-page.ts';
import { StatisticsPage } from '../e2e/pages/statistics-page.ts';
import type { Place } from './ui-measures.ts';
import { PATIENCE_MS, VIEWPORT } from './ui-measures.ts';

const ROUND_MS = 1200;
const SETTLE_MS = 800;
const CONCURRENCY = 4;
const MODEL = 'batch_mlp';

/** Shares more than without a page: 0.02 = two hundredths. `error`: of the median, one standard deviation. */
export interface PairedDifference {
  readonly median: number;
  readonly error: number;
}

/** The difference that a page makes, over all pairs. */
export interface ObserverEffect {
  readonly pairs: number;
  /** Of the processor time of the engine for a request. */
  readonly processor: PairedDifference;
  /** Of the requests a second, less with the page. */
  readonly throughput: PairedDifference;
  readonly closedPerSecond: number;
}

interface Round {
  readonly usPerRequest: number;
  readonly perSecond: number;
}

/** A Linux system, since the times are those of its process table. */
export async function measureObserver({ browser, app }: Place, pairs: number): Promise<ObserverEffect> {
  const target = mlpTarget(app.addresses.http);
  const engine = engineOf(app.pid);
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  const round = async (): Promise<Round> => {
    const [startNs, startMs] = [processorNs(engine), performance.now()];
    const signal = AbortSignal.timeout(ROUND_MS);
    const count = await keepInFlight(target, { concurrency: CONCURRENCY, signal });
    return {
      usPerRequest: (processorNs(engine) - startNs) / count / 1000,
      perSecond: (count / (performance.now() - startMs)) * 1000,
    };
  };
  await watch(page, app.addresses.window);
  await round();
  await round();
  const open: Round[] = [];
  const closed: Round[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const isOpen of pair % 2 === 0 ? [false, true] : [true, false]) {
      if (isOpen) await watch(page, app.addresses.window);
      else await page.goto('about:blank');
      await page.waitForTimeout(SETTLE_MS);
      (isOpen ? open : closed).push(await round());
    }
  }
  await page.close();
  const ratios = (of: (one: Round) => number): readonly number[] =>
    open.map((one, at) => of(one) / of(closed[at] ?? one));
  return {
    pairs,
    processor: difference(ratios(({ usPerRequest }) => usPerRequest).map((ratio) => ratio - 1)),
    throughput: difference(ratios(({ perSecond }) => perSecond).map((ratio) => 1 - ratio)),
    closedPerSecond: median(closed.map(({ perSecond }) => perSecond)),
  };
}

async function watch(page: Page, address: string): Promise<void> {
  await page.goto(address);
  const frame = new AppPage(page);
  await frame.openScreen('models');
  await frame.expectState(MODEL, 'ready');
  await new StatisticsPage(page).open(MODEL);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? Number.NaN) + (sorted[sorted.length >> 1] ?? Number.NaN)) / 2;
}

/** Of a median of pairs, from how far they lie from it: 1.4826 makes a standard deviation of it, 1.2533 that of a median. */
function difference(values: readonly number[]): PairedDifference {
  const middle = median(values);
  const spread = 1.4826 * median(values.map((value) => Math.abs(value - middle)));
  return { median: middle, error: (1.2533 * spread) / Math.sqrt(values.length) };
}

/** The process that serves is the child of the one that keeps it alive. */
function engineOf(parent: number): number {
  const children = readdirSync(`/proc/${parent}/task`).flatMap((task) =>
    readFileSync(`/proc/${parent}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  const [engine] = children;
  if (engine === undefined) throw new Error(`process ${parent} has no engine`);
  return Number(engine);
}

/** Of all threads of a process; one that ends meanwhile is left out. */
function processorNs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((total, task) => {
    try {
      return total + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      return total;
    }
  }, 0);
}
