// Lists that get long by themselves, filled with what a server really wrote: its log, and the traces of requests.

import type { Page } from '@playwright/test';

import type { FrameReport } from '../e2e/harness/frame-watch.ts';
import { FrameWatch } from '../e2e/harness/frame-watch.ts';
import { keepInFlight, mlpTarget, sendAtRate } from '../e2e/harness/outside-client.ts';
import { AppPage } from '../e2e/pages/app-page.ts';
import type { Place } from './ui-measures.ts';
import { openPage } from './ui-measures.ts';

/** Of a line of the log, in CSS px. */
const LINE_PX = 20;
/** Each writes ten lines or so: together what the engine hands on at most, 2000 lines a second. */
const FILLING_REQUESTS_PER_SECOND = 200;
/** While frames are counted: some 200 lines a second. */
const WATCHED_REQUESTS_PER_SECOND = 20;
const LOOK_MS = 500;
/** Filling takes as long as it takes; a list that stands still for so long does not fill. */
const STANDSTILL_MS = 30_000;

/** Frames while so many rows were in the list. */
export interface LongListFrames extends FrameReport {
  readonly rowCount: number;
}

/** The log at its fullest, while some 200 lines a second are written. */
export interface LongLog {
  /** The newest lines come into view as they are written. */
  readonly followed: LongListFrames;
  /** The wheel turns, and lines are written below. */
  readonly scrolled: LongListFrames;
  /** A word is typed that few lines have. */
  readonly filtered: LongListFrames;
}

/** Waits until a count that grows has reached `wanted`; fails when it no longer grows. */
async function untilCount(read: () => Promise<number>, wanted: number, what: string): Promise<void> {
  let best = 0;
  let grownMs = performance.now();
  for (;;) {
    const count = await read();
    if (count >= wanted) return;
    if (count > best) {
      best = count;
      grownMs = performance.now();
    }
    if (performance.now() - grownMs > STANDSTILL_MS) throw new Error(`${what}: ${best} of ${wanted} came`);
    await new Promise((resolve) => {
      setTimeout(resolve, LOOK_MS);
    });
  }
}

async function framesOf(page: Page, rowCount: number, act: () => Promise<void>): Promise<LongListFrames> {
  const session = await page.context().newCDPSession(page);
  const watch = await FrameWatch.start(page, session);
  await act();
  const report = await watch.stop();
  await session.detach();
  return { ...report, rowCount };
}

async function turnWheel(page: Page, up: number): Promise<void> {
  for (let step = 0; step < 100; step += 1) {
    await page.mouse.wheel(0, step < 50 ? up : -up);
    await page.waitForTimeout(50);
  }
}

/**
 * The log of the panel at the bottom, filled up to `lineCount` by requests: the server has to log each of them
 * (`--log-verbose=1`). Takes as long as the engine needs to hand so many on.
 */
export async function measureLongLog(place: Place, lineCount: number): Promise<LongLog> {
  const page = await openPage(place);
  await new AppPage(page).expectState('batch_mlp', 'ready');
  if (!(await page.getByTestId('bottom-panel').isVisible())) await page.keyboard.press('ControlOrMeta+j');
  await page.getByTestId('bottom-logs').click();
  const list = page.getByTestId('log-list');
  await list.waitFor();
  const count = async (): Promise<number> =>
    Math.floor((await list.evaluate(({ scrollHeight }) => scrollHeight)) / LINE_PX);
  const sending = new AbortController();
  let perSecond = FILLING_REQUESTS_PER_SECOND;
  const target = mlpTarget(place.app.addresses.http);
  const sent = (async () => {
    while (!sending.signal.aborted) await sendAtRate(target, { perSecond, durationMs: 1000 });
  })();
  try {
    await untilCount(count, lineCount, 'lines of the log');
    perSecond = WATCHED_REQUESTS_PER_SECOND;
    // What the engine holds back by then comes at its own pace.
    await page.waitForTimeout(12_000);
    const followed = await framesOf(page, await count(), () => page.waitForTimeout(5000));
    await list.hover();
    const scrolled = await framesOf(page, await count(), () => turnWheel(page, -400));
    const filter = page.getByTestId('log-filter');
    await filter.click();
    const filtered = await framesOf(page, await count(), () =>
      page.keyboard.type('loaded batch', { delay: 150 }),
    );
    return { followed, scrolled, filtered };
  } finally {
    sending.abort();
    await sent;
    await page.close();
  }
}

/** Traces at their fullest. */
export interface ManyTraces {
  readonly scrolled: LongListFrames;
  /** The wheel over the timeline: from all of it into its middle, and back. */
  readonly zoomed: LongListFrames;
  /** Rows going on one after the other, each shown in full beside the list. */
  readonly chosen: LongListFrames;
}

/** So many requests, traced by the window's own button: 50,000 at most, which is what the engine keeps. */
export async function measureManyTraces(place: Place, rowCount: number): Promise<ManyTraces> {
  const page = await openPage(place);
  await new AppPage(page).expectState('batch_mlp', 'ready');
  await new AppPage(page).openScreen('traces');
  await page.getByTestId('trace-amount').fill(String(rowCount));
  await page.getByTestId('trace-amount').press('Tab');
  await page.getByTestId('trace-start').click();
  await page.getByTestId('trace-stop').waitFor();
  await keepInFlight(mlpTarget(place.app.addresses.http), { concurrency: 8, count: rowCount });
  const list = page.getByTestId('trace-list');
  // The row of titles counts.
  const rows = async (): Promise<number> => Number(await list.getAttribute('aria-rowcount')) - 1;
  await untilCount(rows, rowCount, 'rows of traces');
  await page.locator('[data-testid^="trace-row-"][role="row"]').nth(3).hover();
  await page.waitForTimeout(3000);
  const scrolled = await framesOf(page, await rows(), () => turnWheel(page, 400));
  await page.getByTestId('trace-timeline').hover();
  const zoomed = await framesOf(page, await rows(), () => turnWheel(page, -120));
  await page.locator('[data-testid^="trace-row-"][role="row"]').nth(3).click();
  const chosen = await framesOf(page, await rows(), async () => {
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('ArrowDown');
      await page.waitForTimeout(100);
    }
  });
  await page.close();
  return { scrolled, zoomed, chosen };
}
