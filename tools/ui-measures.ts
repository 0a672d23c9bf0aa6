// Measurements of the window against its performance budget, each in a page of its own against a built server with
// real traffic. Every number comes from the browser or the system; nothing is estimated.

import type { Browser, CDPSession, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';

import type { ServedApp } from '../e2e/harness/serve-app.ts';
import type { FrameReport } from '../e2e/harness/frame-watch.ts';
import { FrameWatch } from '../e2e/harness/frame-watch.ts';
import { mlpTarget, sendAtRate } from '../e2e/harness/outside-client.ts';
import { AppPage } from '../e2e/pages/app-page.ts';
import { StatisticsPage } from '../e2e/pages/statistics-page.ts';

/** The browser that measures and the app that it looks at; whoever made them closes them. */
export interface Place {
  readonly browser: Browser;
  readonly app: ServedApp;
}

/** A machine that does other things as well takes its time. */
export const PATIENCE_MS = 120_000;
/** In CSS px. */
export const VIEWPORT = { width: 1360, height: 860 };
/** Six charts of the Statistics tab are in view at this height. */
const TALL = { width: 1360, height: 1240 };

/** The list of models, in a page of its own; the caller closes it. */
export async function openPage({ browser, app }: Place, viewport = VIEWPORT): Promise<Page> {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(app.addresses.window);
  const frame = new AppPage(page);
  await frame.openScreen('models');
  return page;
}

async function openStatistics(place: Place, viewport = VIEWPORT): Promise<Page> {
  const page = await openPage(place, viewport);
  await new AppPage(page).expectState('batch_mlp', 'ready');
  await new StatisticsPage(page).open('batch_mlp');
  return page;
}

const traffic = (app: ServedApp, perSecond: number, durationMs: number) =>
  sendAtRate(mlpTarget(app.addresses.http), { perSecond, durationMs });

/** How smoothly charts were drawn. */
export interface ChartFrames extends FrameReport {
  readonly chartCount: number;
  /** Frames a second over the worst five seconds, as the machine gave them. */
  readonly framesPerSecond: number;
}

/** Six live charts at 200 requests a second while the wheel turns. */
export async function measureChartFrames(place: Place): Promise<ChartFrames> {
  const page = await openStatistics(place, TALL);
  const sending = traffic(place.app, 200, 22_000);
  await page.locator('[data-plot] [data-series]').first().waitFor();
  // The first drawings load and compile code.
  await page.waitForTimeout(5000);
  const chartCount = await page.locator('figure svg:is([data-plot], .recharts-surface):visible').count();
  const session = await page.context().newCDPSession(page);
  const watch = await FrameWatch.start(page, session);
  await page.mouse.move(600, 700);
  for (let step = 0; step < 60; step += 1) {
    await page.mouse.wheel(0, step % 20 < 10 ? 60 : -60);
    await page.waitForTimeout(200);
  }
  const report = await watch.stop();
  await sending;
  await page.close();
  return { ...report, chartCount, framesPerSecond: (report.frameCount / report.durationMs) * 1000 };
}

interface ProcessInfo {
  readonly type: string;
  readonly id: number;
  readonly cpuTime: number;
}

async function renderersOf(browser: Browser): Promise<readonly ProcessInfo[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as {
    processInfo: readonly ProcessInfo[];
  };
  await session.detach();
  return processInfo.filter(({ type }) => type === 'renderer');
}

/** The renderer with the most processor time: that of the page, since the others are spare ones. */
async function rendererOf(browser: Browser): Promise<ProcessInfo> {
  const [busiest] = [...(await renderersOf(browser))].sort((a, b) => b.cpuTime - a.cpuTime);
  if (busiest === undefined) throw new Error('the browser has no renderer process');
  return busiest;
}

/**
 * Share of one core that the page's process used: the one that worked most meanwhile. Beside it there are spare ones,
 * and the one in which the page began before its headers asked for another.
 */
async function rendererShare(browser: Browser, page: Page, durationMs: number): Promise<number> {
  const before = new Map((await renderersOf(browser)).map(({ id, cpuTime }) => [id, cpuTime]));
  const startMs = performance.now();
  await page.waitForTimeout(durationMs);
  const after = await renderersOf(browser);
  const seconds = (performance.now() - startMs) / 1000;
  const used = after.map(({ id, cpuTime }) => cpuTime - (before.get(id) ?? Number.NaN));
  return Math.max(...used.filter((value) => !Number.isNaN(value))) / seconds;
}

/** Until the page has fetched ahead what will be opened next, the editor last: that is no idle screen yet. */
export async function untilFetchedAhead(page: Page): Promise<void> {
  const untilMs = performance.now() + PATIENCE_MS;
  const names = `performance.getEntriesByType('resource').map(({ name }) => name).join()`;
  while (!String(await page.evaluate(names)).includes('/code-editor-')) {
    if (performance.now() > untilMs) throw new Error('the page did not fetch the editor ahead');
    await page.waitForTimeout(200);
  }
  await page.waitForTimeout(3000);
}

/** Percent of one core, with the window in front and hidden. */
export interface RendererCpu {
  readonly idle: number;
  readonly hidden: number;
}

/**
 * How long a page that came to rest is left alone before it is measured. V8 then gives back what the start left behind: a
 * few collections in its own threads, some 1 to 2 % of a core for 10 to 20 seconds, which belong to the start.
 */
const SETTLING_MS = 30_000;

/** The Models screen while the server takes 100 requests a second; then the same page told that it is hidden. */
export async function measureRendererCpu(place: Place): Promise<RendererCpu> {
  const page = await openPage(place);
  await new AppPage(page).expectState('batch_mlp', 'ready');
  await untilFetchedAhead(page);
  const sending = traffic(place.app, 100, 2 * SETTLING_MS + 22_000);
  await page.waitForTimeout(SETTLING_MS);
  const idle = await rendererShare(place.browser, page, 10_000);
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: true });
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));`);
  await page.waitForTimeout(SETTLING_MS);
  const hidden = await rendererShare(place.browser, page, 10_000);
  await sending;
  await page.close();
  return { idle, hidden };
}

/** What the page got of the engine while it showed statistics under traffic; `largest` is the begin of that message. */
export interface MessageReport {
  readonly perSecond: number;
  readonly bytesPerSecond: number;
  readonly largestBytes: number;
  readonly largest: string;
}

interface Frame {
  readonly atMs: number;
  readonly bytes: number;
  readonly head: string;
}

async function watchFrames(page: Page): Promise<{ frames: Frame[]; session: CDPSession }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const frames: Frame[] = [];
  session.on('Network.webSocketFrameReceived', ({ response }) => {
    const { payloadData } = response;
    frames.push({
      atMs: performance.now(),
      bytes: Buffer.byteLength(payloadData),
      head: payloadData.slice(0, 80),
    });
  });
  return { frames, session };
}

/** The Statistics tab with traffic: steady messages, then the largest of every time range. */
export async function measureMessages(place: Place): Promise<MessageReport> {
  const { browser, app } = place;
  const page = await browser.newPage({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  const { frames, session } = await watchFrames(page);
  await page.goto(app.addresses.window);
  await new AppPage(page).openScreen('models');
  await new StatisticsPage(page).open('batch_mlp');
  const sending = traffic(app, 100, 16_000);
  await page.waitForTimeout(3000);
  const fromMs = performance.now();
  await page.waitForTimeout(10_000);
  const seconds = (performance.now() - fromMs) / 1000;
  const steady = frames.filter(({ atMs }) => atMs >= fromMs);
  for (const name of ['1 min', '15 min', '1 h', 'Since load', '5 min']) {
    await page.getByTestId('statistics-window').click();
    await page.getByRole('option', { name, exact: true }).click();
    await page.waitForTimeout(500);
  }
  await sending;
  await session.detach();
  await page.close();
  const [largest] = [...frames].sort((a, b) => b.bytes - a.bytes);
  return {
    perSecond: steady.length / seconds,
    bytesPerSecond: steady.reduce((sum, { bytes }) => sum + bytes, 0) / seconds,
    largestBytes: largest?.bytes ?? 0,
    largest: largest?.head ?? '',
  };
}

/** Memory of the page with some tabs open. */
export interface RendererMemory {
  readonly tabCount: number;
  /** Pages of the process that it shares with nobody, and its part of those it shares. */
  readonly processBytes: number;
  readonly heapBytes: number;
}

/** Models in tabs, each on another sub-tab, among them editors and charts. */
export async function measureMemory(place: Place, models: readonly string[]): Promise<RendererMemory> {
  const page = await openPage(place);
  const subTabs = ['config', 'statistics', 'playground', 'overview', 'logs'];
  let tabCount = 0;
  for (const [index, model] of models.entries()) {
    await new AppPage(page).openModel(model);
    await page.getByTestId(`model-tab-${subTabs[index % subTabs.length]}`).click();
    await page.waitForTimeout(700);
    tabCount += 1;
  }
  const { id } = await rendererOf(place.browser);
  const rollup = await readFile(`/proc/${id}/smaps_rollup`, 'utf8');
  const processBytes = Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? Number.NaN) * 1024;
  const heapBytes = Number(await page.evaluate('performance.memory.usedJSHeapSize'));
  await page.close();
  return { tabCount, processBytes, heapBytes };
}

/** Frames while a list of models is scrolled from end to end. */
export interface ListScroll extends FrameReport {
  readonly framesPerSecond: number;
}

/** The Models screen of a repository with many models, scrolled from end to end. */
export async function measureModelList(place: Place): Promise<ListScroll> {
  const page = await openPage(place);
  const row = page.locator('[data-testid^="model-row-"]').first();
  await row.waitFor();
  await row.hover();
  await page.waitForTimeout(2000);
  const session = await page.context().newCDPSession(page);
  const watch = await FrameWatch.start(page, session);
  for (let step = 0; step < 100; step += 1) {
    await page.mouse.wheel(0, step < 50 ? 400 : -400);
    await page.waitForTimeout(50);
  }
  const report = await watch.stop();
  await page.close();
  return { ...report, framesPerSecond: (report.frameCount / report.durationMs) * 1000 };
}

/** How fast the editor answers. */
export interface EditorTimes {
  /** 95th percentile from a key to the next paint. */
  readonly keyToPaintMs: number;
  /** From the last key to the new mark in the text. */
  readonly diagnosticsMs: number;
}

const WATCH_EDITOR = `(() => {
  // Which marks there are, and where: a new one may take the place of another.
  const seen = () => [...document.querySelectorAll('[class*=squiggly]')]
    .map(({ className, style }) => className + ' ' + style.cssText).join();
  const watch = { keys: [], lastKeyMs: 0, markMs: 0, marks: seen() };
  globalThis.editorWatch = watch;
  addEventListener('keydown', () => {
    const from = performance.now();
    watch.lastKeyMs = from;
    requestAnimationFrame(() => setTimeout(() => watch.keys.push(performance.now() - from)));
  }, true);
  const look = () => {
    const marks = seen();
    if (marks !== watch.marks) { watch.marks = marks; watch.markMs = performance.now(); }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
})()`;

/** Two lines first: with the last one alone, the second worst of 26 keys was the 95th percentile. */
const TYPED = '\n# a line that is typed while it is timed\n# and another one\nno_such_field_at_all: 1}';

/** Typing comments and an unknown field at the end of a long configuration, then a bracket that nothing opened. */
export async function measureEditor(place: Place, model: string): Promise<EditorTimes> {
  const page = await openPage(place);
  await new AppPage(page).openModel(model);
  await page.getByTestId('model-tab-config').click();
  const editor = page.getByTestId('config-editor');
  await editor.waitFor();
  await editor.locator('.view-line').first().click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.waitForTimeout(2000);
  await page.evaluate(WATCH_EDITOR);
  for (const key of TYPED) {
    await page.keyboard.type(key);
    await page.waitForTimeout(90);
  }
  const read = async () =>
    (await page.evaluate('globalThis.editorWatch')) as { keys: number[]; lastKeyMs: number; markMs: number };
  const untilMs = performance.now() + PATIENCE_MS;
  // The page's policy forbids what waitForFunction does.
  while ((await read()).markMs <= (await read()).lastKeyMs) {
    if (performance.now() > untilMs) throw new Error('the editor did not mark the last key');
    await page.waitForTimeout(100);
  }
  const { keys, lastKeyMs, markMs } = await read();
  await page.close();
  const sorted = [...keys].sort((a, b) => a - b);
  return {
    keyToPaintMs: sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN,
    diagnosticsMs: markMs - lastKeyMs,
  };
}
