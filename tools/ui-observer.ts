// What one page that watches costs, so that a busy machine can tell it too. Requests come at a fixed rate, far below what
// the server can do, so that what they cost is nearly the same in each round; the page is connected in one and not in the
// next, without being loaded anew, and what the engine's process takes more with it is the page's doing. At full load the
// same milliseconds are missing for requests, so their share of a second is the share of throughput.

import type { Page } from '@playwright/test';

import { mlpTarget, sendAtRate } from '../e2e/harness/outside-client.ts';
import { AppPage } from '../e2e/pages/app-page.ts';
import { StatisticsPage } from '../e2e/pages/statistics-page.ts';
import { median, pairedDifference } from './paired-differences.ts';
import type { PairedDifference } from './paired-differences.ts';
import { browserTime, engineOf, engineTime } from './processor-time.ts';
import type { BrowserTime, EngineTime } from './processor-time.ts';
import { PATIENCE_MS, untilFetchedAhead, VIEWPORT } from './ui-measures.ts';
import type { Place } from './ui-measures.ts';

const ROUND_MS = 2500;
/** The page reads everything anew once it is connected. */
const SETTLE_MS = 1500;
const MODEL = 'batch_mlp';
/** Requests a second while it is measured. */
export const OBSERVED_RATE = 50;

/** What the page shows while it watches: the server's models, or one model with its numbers or its charts. */
export const OBSERVED_SCREENS = ['list', 'overview', 'statistics'] as const;
/** One of them. */
export type ObservedScreen = (typeof OBSERVED_SCREENS)[number];

/** Milliseconds of processor time in a second. */
export interface ObserverEffect {
  readonly pairs: number;
  /** What the engine takes more with a page. */
  readonly engine: PairedDifference;
  /** Of that, what its event loop takes. */
  readonly loop: PairedDifference;
  /** What the engine takes without a page, and what all of the browser takes with one. */
  readonly engineAloneMs: number;
  readonly pagesMs: number;
  readonly browserRestMs: number;
}

interface Round {
  readonly engine: EngineTime;
  readonly browser: BrowserTime;
}

/** How many pairs of rounds there are. */
export interface PairLimits {
  /** At least six, for an interval. */
  readonly fewest: number;
  readonly most: number;
  /** Asked after the fewest and after each pair that follows: true = what the engine takes is not known well enough. */
  readonly isUneven: (engine: PairedDifference) => boolean;
}

/** Pairs of rounds, in turns; a Linux system, see processor-time.ts. */
export async function measureObserver(
  { browser, app }: Place,
  screen: ObservedScreen,
  { fewest, most, isUneven }: PairLimits,
): Promise<ObserverEffect> {
  const engine = engineOf(app.pid);
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(SWITCH);
  await page.goto(app.addresses.window);
  await watch(page, screen);
  await untilFetchedAhead(page);
  const ending = new AbortController();
  const sent = (async () => {
    const target = mlpTarget(app.addresses.http);
    while (!ending.signal.aborted) await sendAtRate(target, { perSecond: OBSERVED_RATE, durationMs: 1000 });
  })();
  const round = async (isConnected: boolean): Promise<Round> => {
    await connect(page, isConnected);
    await page.waitForTimeout(SETTLE_MS);
    const [startMs, before, drawn] = [performance.now(), engineTime(engine), await browserTime(browser)];
    await page.waitForTimeout(ROUND_MS);
    const [after, then] = [engineTime(engine), await browserTime(browser)];
    const seconds = (performance.now() - startMs) / 1000;
    return {
      engine: {
        allMs: (after.allMs - before.allMs) / seconds,
        loopMs: (after.loopMs - before.loopMs) / seconds,
      },
      browser: {
        pagesMs: (then.pagesMs - drawn.pagesMs) / seconds,
        restMs: (then.restMs - drawn.restMs) / seconds,
      },
    };
  };
  const open: Round[] = [];
  const closed: Round[] = [];
  const more = (of: (one: EngineTime) => number): PairedDifference =>
    pairedDifference(open.map((one, at) => of(one.engine) - of(closed[at]?.engine ?? one.engine)));
  const engineMore = (): PairedDifference => more(({ allMs }) => allMs);
  try {
    for (let pair = 0; pair < most && (pair < fewest || isUneven(engineMore())); pair += 1) {
      for (const isOpen of pair % 2 === 0 ? [false, true] : [true, false]) {
        (isOpen ? open : closed).push(await round(isOpen));
      }
    }
  } finally {
    ending.abort();
    await sent;
    await page.close();
  }
  return {
    pairs: open.length,
    engine: engineMore(),
    loop: more(({ loopMs }) => loopMs),
    engineAloneMs: median(closed.map((one) => one.engine.allMs)),
    pagesMs: median(open.map((one) => one.browser.pagesMs)),
    browserRestMs: median(open.map((one) => one.browser.restMs)),
  };
}

async function watch(page: Page, screen: ObservedScreen): Promise<void> {
  const frame = new AppPage(page);
  await frame.openScreen('models');
  await frame.expectState(MODEL, 'ready');
  if (screen === 'overview') await frame.openModel(MODEL);
  if (screen === 'statistics') await new StatisticsPage(page).open(MODEL);
}

/**
 * For the page, before its own scripts: a switch for its sockets. While it is off they end, and one that the page asks
 * for stays silent until the switch is on again; then it ends, and the page asks for the next.
 */
const SWITCH = `(() => {
  const Real = WebSocket;
  const watch = { isOn: true, real: undefined, silent: undefined };
  globalThis.observerSwitch = watch;
  class Silent extends EventTarget {
    readyState = 0;
    bufferedAmount = 0;
    send() {}
    close() {
      if (this.readyState === 3) return;
      this.readyState = 3;
      this.dispatchEvent(new Event('close'));
    }
  }
  globalThis.WebSocket = class extends Real {
    constructor(...address) {
      if (!watch.isOn) return (watch.silent = new Silent());
      super(...address);
      watch.real = this;
    }
  };
})()`;

async function connect(page: Page, isConnected: boolean): Promise<void> {
  await page.evaluate(`(() => {
    const watch = globalThis.observerSwitch;
    watch.isOn = ${isConnected};
    if (watch.isOn) watch.silent?.close();
    else watch.real?.close();
  })()`);
  const isThere = async (): Promise<boolean> =>
    (await page.evaluate('globalThis.observerSwitch.real?.readyState === 1')) === isConnected;
  const untilMs = performance.now() + PATIENCE_MS;
  while (!(await isThere())) {
    if (performance.now() > untilMs) throw new Error('the page did not follow its switch');
    await page.waitForTimeout(50);
  }
}
