// How long a page takes from its address to being painted and used, without anything of it in the browser's cache; and
// the same of the plainest page that the server sends, since much of it is the browser's own.

import { PATIENCE_MS, VIEWPORT } from './ui-measures.ts';
import type { Place } from './ui-measures.ts';
import type { Page } from '@playwright/test';

/** Milliseconds from the navigation. */
export interface PageTimes {
  /** Something is painted. */
  readonly paintedMs: number;
  /** Texts are. */
  readonly contentMs: number;
  /** Two clicks were taken: the second on what the first shows. */
  readonly interactiveMs: number;
}

/** Times of the window beside those of other pages, so that the machine can be told apart. */
export interface PageStart {
  readonly rounds: number;
  /** Medians. */
  readonly window: PageTimes;
  /** Of a page of one line, which has no style and no script. */
  readonly floor: PageTimes;
  /** The first page that the server ever sent. */
  readonly first: PageTimes;
}

async function timesOf(
  { browser }: Place,
  address: string,
  use: (page: Page) => Promise<void>,
): Promise<PageTimes> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const startMs = performance.now();
  await page.goto(address);
  await use(page);
  const interactiveMs = performance.now() - startMs;
  const paint = async (name: string): Promise<number> =>
    Number(await page.evaluate(`performance.getEntriesByName('${name}')[0]?.startTime ?? Number.NaN`));
  const paintedMs = await paint('first-paint');
  const contentMs = await paint('first-contentful-paint');
  await context.close();
  return { paintedMs, contentMs, interactiveMs };
}

async function useWindow(page: Page): Promise<void> {
  await page.getByTestId('rail-models').click();
  await page.getByTestId('model-row-simple').click();
}

async function usePlainText(page: Page): Promise<void> {
  await page.locator('pre').click();
  await page.locator('pre').click();
}

function medians(all: readonly PageTimes[]): PageTimes {
  const median = (read: (times: PageTimes) => number): number =>
    all.map(read).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
  return {
    paintedMs: median(({ paintedMs }) => paintedMs),
    contentMs: median(({ contentMs }) => contentMs),
    interactiveMs: median(({ interactiveMs }) => interactiveMs),
  };
}

/** Pages in turns, each in a fresh browser context. */
export async function measurePageStart(place: Place, rounds: number): Promise<PageStart> {
  const address = place.app.addresses.window;
  const nothing = new URL('/nothing', address).href;
  const first = await timesOf(place, address, useWindow);
  const pages: PageTimes[] = [];
  const floors: PageTimes[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floors.push(await timesOf(place, nothing, usePlainText));
    pages.push(await timesOf(place, address, useWindow));
  }
  return { rounds, window: medians(pages), floor: medians(floors), first };
}
