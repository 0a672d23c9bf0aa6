// Writes docs/screenshots: every place on the rail and one model, in both themes and two sizes, from the samples.

import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';

import { launchBrowser } from '../e2e/harness/app-test.ts';
import { serveApp } from '../e2e/harness/serve-app.ts';

const folder = path.resolve(import.meta.dirname, '../docs/screenshots');
const SIZES = [
  { width: 1360, height: 860 },
  { width: 960, height: 640 },
] as const;
const THEMES = ['light', 'dark'] as const;
/** Screens load on demand and charts draw after that. */
const SETTLE_MS = 900;
const SHOWN_MODEL = 'batch_mlp';

/** Areas on the rail, from their test ids: `rail-models` is `models`. */
async function railAreas(page: Page): Promise<string[]> {
  const ids = await page
    .locator('[data-testid^="rail-"]')
    .evaluateAll((items) => items.map((item) => item.getAttribute('data-testid') ?? ''));
  return ids.map((id) => id.replace('rail-', '')).filter((area) => /^[a-z]+$/.test(area));
}

async function takeAll(page: Page, suffix: string): Promise<void> {
  const shoot = async (name: string): Promise<void> => {
    await page.screenshot({ path: path.join(folder, `${name}-${suffix}.png`) });
  };
  for (const area of await railAreas(page)) {
    await page.getByTestId(`rail-${area}`).click();
    await page.waitForTimeout(SETTLE_MS);
    await shoot(area);
  }
  await page.getByTestId('rail-models').click();
  await page.getByTestId(`model-row-${SHOWN_MODEL}`).dblclick();
  await page.waitForTimeout(SETTLE_MS);
  await shoot('model');
}

await mkdir(folder, { recursive: true });
await using app = await serveApp();
const browser = await launchBrowser();
try {
  for (const colorScheme of THEMES) {
    for (const viewport of SIZES) {
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
      await page.goto(app.addresses.window);
      await page.getByTestId('rail-models').click();
      await page.locator('[data-testid="model-state-simple"][data-state="ready"]').waitFor();
      await takeAll(page, `${colorScheme}-${viewport.width}x${viewport.height}`);
      await page.close();
    }
  }
} finally {
  await browser.close();
}
