// Writes docs/screenshots: every screen, every tab of a model, the import wizard and the welcome page, from the samples
// under live traffic. Both themes, at the default size and at the smallest; the list of models on a wide screen too.
// Names after the command take only those parts: first-run, models, wide, tools, import, components (of
// docs/design.md); the other pictures stay.

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Locator, Page } from '@playwright/test';
import { pngQuantize } from '@napi-rs/image';

import { launchBrowser } from '../e2e/harness/app-test.ts';
import { dropFiles } from '../e2e/harness/drop-files.ts';
import { classifierOnnx, TempRepository } from '../e2e/harness/fixture-models.ts';
import { serveApp } from '../e2e/harness/serve-app.ts';
import { AppPage } from '../e2e/pages/app-page.ts';
import { PerfPage } from '../e2e/pages/perf-page.ts';
import { sampleTraffic, TRAFFIC_MODELS } from './sample-traffic.ts';

const folder = path.resolve(import.meta.dirname, '../docs/screenshots');
const LOOKS = [
  { theme: 'light', width: 1360, height: 860 },
  { theme: 'dark', width: 1360, height: 860 },
  { theme: 'light', width: 960, height: 640 },
  { theme: 'dark', width: 960, height: 640 },
] as const;
/** Screens load on demand and charts draw after that. */
const SETTLE_MS = 1200;
/** A screen that takes longer is at fault. */
const COMING_MS = 30_000;
/** Name of the grey lines that stand where something is on its way. */
const LOADING = 'Loading';
const SHOWN_MODEL = 'batch_mlp';
/** Not loaded at the start, and with an error in its configuration. */
const BROKEN_MODEL = 'broken_dims';
const ENSEMBLE = 'pipeline';
const PICTURE_MODEL = 'image_tiny';
/** Charts show something after that many seconds of traffic. */
const HISTORY_MS = 10_000;

const PARTS = ['first-run', 'models', 'wide', 'tools', 'import', 'components'] as const;
/** Names of the pictures that this run has written. */
const taken = new Set<string>();

async function keep(name: string, picture: Uint8Array): Promise<void> {
  await writeFile(path.join(folder, name), picture);
  taken.add(name);
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !PARTS.some((part) => part === name));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}; there are ${PARTS.join(', ')}`);

function isWanted(part: (typeof PARTS)[number]): boolean {
  return asked.length === 0 || asked.includes(part);
}

interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

const WIDE: Look = { theme: 'light', width: 1920, height: 1080 };

type Shoot = (name: string) => Promise<void>;

/** What is seen has grey lines; charts further down come when one scrolls there. */
async function isComing(page: Page): Promise<boolean> {
  const height = page.viewportSize()?.height ?? 0;
  const grey = await page.getByRole('status', { name: LOADING, exact: true }).all();
  const boxes = await Promise.all(grey.map((one) => one.boundingBox().catch(() => null)));
  return boxes.some((box) => box !== null && box.y < height && box.y + box.height > 0);
}

function shooter(page: Page, { theme, width, height }: Look): Shoot {
  return async (name) => {
    await page.waitForTimeout(SETTLE_MS);
    // On a busy machine a screen takes longer to come, and charts begin to draw when it is there.
    for (const end = Date.now() + COMING_MS; await isComing(page);) {
      if (Date.now() > end) throw new Error(`${name} is still on its way`);
      await page.waitForTimeout(SETTLE_MS);
    }
    const picture = await pngQuantize(await page.screenshot(), { maxQuality: 95, minQuality: 0, speed: 1 });
    await keep(`${name}-${theme}-${width}x${height}.png`, picture);
  };
}

async function withPage(
  browser: Browser,
  look: Look,
  address: string,
  work: (page: Page, shoot: Shoot) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: look.width, height: look.height },
    colorScheme: look.theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(address);
  await work(page, shooter(page, look));
  await context.close();
}

/** What a tab shows once somebody has used it. */
async function use(page: Page, tab: string): Promise<void> {
  if (tab === 'config') await page.locator('.view-line [class*="mtk"]:not(.mtk1)').first().waitFor();
  if (tab === 'playground') {
    await page.getByTestId('pg-send').click();
    await page.locator('[data-testid="pg-response"][data-state="ok"]').waitFor();
  }
  if (tab === 'warmup') {
    await page.getByTestId('warmup-run-batch_8').click();
    await page.getByTestId('warmup-sentence').waitFor();
  }
}

async function shootModels(page: Page, shoot: Shoot): Promise<void> {
  const frame = new AppPage(page);
  // The window opens where the one before it was closed.
  await page.getByTestId('rail-models').click();
  await page.locator('[data-testid="model-state-simple"][data-state="ready"]').waitFor();
  await shoot('models');
  await frame.openModel(ENSEMBLE);
  if ((await frame.modelTabs()).includes('graph')) {
    await page.getByTestId('model-tab-graph').click();
    await shoot('model-graph-ensemble');
  }
  await frame.openModel(SHOWN_MODEL);
  for (const tab of await frame.modelTabs()) {
    await page.getByTestId(`model-tab-${tab}`).click();
    await use(page, tab);
    await shoot(`model-${tab}`);
  }
}

/** The run that is shown beside one of the same model with two instances. */
async function shootComparison(page: Page, shoot: Shoot): Promise<void> {
  await page.getByTestId('perf-compare-add').click();
  await page.getByTestId('perf-override').click();
  const config = page.getByTestId('perf-override-text');
  await config.fill((await config.inputValue()).replace(/count: \d+/, 'count: 2'));
  await new PerfPage(page).run('Two instances');
  await page.getByTestId('perf-compare-add').click();
  await page.getByTestId('perf-tab-compare').click();
  await shoot('perf-compare');
  await page.getByTestId('perf-override').click();
  await page.getByTestId('perf-tab-run').click();
}

async function shootTools(page: Page, shoot: Shoot, runName: string): Promise<void> {
  const frame = new AppPage(page);
  for (const area of await frame.railAreas()) {
    if (area === 'models') continue;
    if (area === 'perf') {
      const perf = new PerfPage(page);
      await perf.open(SHOWN_MODEL);
      await perf.plan('1, 2, 4, 8', 1000);
      await perf.run(runName);
      await page.getByTestId('perf-model').scrollIntoViewIfNeeded();
      await shoot(area);
      await shootComparison(page, shoot);
    } else {
      await page.getByTestId(`rail-${area}`).click();
      await shoot(area);
    }
  }
  await page.getByTestId('rail-models').click();
  await page.keyboard.press('ControlOrMeta+j');
  await page.getByTestId('bottom-logs').click();
  await shoot('logs');
  await page.keyboard.press('ControlOrMeta+j');
}

async function shootWizard(page: Page, shoot: Shoot): Promise<void> {
  await using dropped = await TempRepository.create({ 'classifier.onnx': classifierOnnx() });
  const app = { page, devTools: () => page.context().newCDPSession(page) };
  await dropFiles(app, page.getByTestId('drop-zone-copy'), [dropped.at('classifier.onnx')]);
  await page.getByTestId('wizard-probe-result').waitFor();
  await shoot('import');
}

async function shootFirstRun(browser: Browser): Promise<void> {
  await using fresh = await serveApp({ args: ['--no-repository'] });
  for (const look of LOOKS) {
    await withPage(browser, look, fresh.addresses.window, async (page, shoot) => {
      await page.getByTestId('first-run').waitFor();
      await shoot('first-run');
    });
  }
}

/** Once all of the samples serve, so that no client is refused in the pictures. */
async function underTraffic(http: string, work: () => Promise<void>): Promise<void> {
  await allServe(http);
  await using _traffic = sampleTraffic(http);
  await work();
}

async function allServe(http: string): Promise<void> {
  for (const model of TRAFFIC_MODELS) {
    while (!(await fetch(`${http}/v2/models/${model}/ready`)).ok) await setTimeout(200);
  }
}

/** What is higher shows only more of the same. */
const MOST_HIGH = 340;

/** Parts of screens for docs/design.md, each in both themes. */
async function shootComponents(page: Page, theme: string): Promise<void> {
  const frame = new AppPage(page);
  const shoot = async (name: string, part: Locator): Promise<void> => {
    await part.scrollIntoViewIfNeeded();
    await page.waitForTimeout(SETTLE_MS);
    const box = await part.boundingBox();
    const clip = box === null ? undefined : { ...box, height: Math.min(box.height, MOST_HIGH) };
    const shot = await page.screenshot(clip === undefined ? {} : { clip });
    const picture = await pngQuantize(shot, { maxQuality: 95, minQuality: 0, speed: 1 });
    await keep(`component-${name}-${theme}.png`, picture);
  };
  await page.getByTestId('rail-models').click();
  await page.locator('[data-testid="model-state-simple"][data-state="ready"]').waitFor();
  await shoot('rows', page.getByTestId('models-table'));
  await frame.openModel(PICTURE_MODEL);
  await page.getByTestId('model-tab-playground').click();
  await page.getByTestId('pg-send').click();
  await page.locator('[data-testid="pg-response"][data-state="ok"]').waitFor();
  await shoot('answer', page.getByTestId('pg-outputs'));
  await page.getByTestId('model-tab-overview').click();
  await shoot('header', page.getByTestId('model-header'));
  await shoot('card', page.getByTestId('model-card'));
  await frame.openModel(BROKEN_MODEL);
  await shoot('banner', page.getByTestId('banner-problems'));
  await frame.openModel(SHOWN_MODEL);
  await page.getByTestId('model-tab-statistics').click();
  await shoot('chart', page.getByTestId('chart-throughput'));
}

/** Pictures of an earlier run that this one, which took all of them, did not take. */
async function removeOld(): Promise<void> {
  const old = (await readdir(folder)).filter((name) => name.endsWith('.png') && !taken.has(name));
  await Promise.all(old.map((name) => rm(path.join(folder, name))));
}

await mkdir(folder, { recursive: true });
await using app = await serveApp();
const browser = await launchBrowser();
try {
  if (isWanted('first-run')) await shootFirstRun(browser);
  for (const look of isWanted('components') ? LOOKS.filter(({ width }) => width === 1360) : []) {
    await withPage(browser, look, app.addresses.window, async (page) => {
      await underTraffic(app.addresses.http, async () => {
        await page.waitForTimeout(HISTORY_MS);
        await shootComponents(page, look.theme);
      });
    });
  }
  if (isWanted('wide')) {
    await withPage(browser, WIDE, app.addresses.window, async (page, shoot) => {
      await page.getByTestId('rail-models').click();
      await underTraffic(app.addresses.http, async () => {
        await page.locator('[data-testid="model-state-simple"][data-state="ready"]').waitFor();
        await page.waitForTimeout(HISTORY_MS);
        await shoot('models');
      });
    });
  }
  for (const [at, look] of LOOKS.entries()) {
    await withPage(browser, look, app.addresses.window, async (page, shoot) => {
      await page.getByTestId('rail-models').click();
      if (isWanted('models')) {
        await underTraffic(app.addresses.http, async () => {
          await page.waitForTimeout(HISTORY_MS);
          await shootModels(page, shoot);
        });
      }
      if (isWanted('tools')) await shootTools(page, shoot, `Sweep ${at + 1}`);
      if (isWanted('import')) await shootWizard(page, shoot);
    });
  }
  if (asked.length === 0) await removeOld();
} finally {
  await browser.close();
}
