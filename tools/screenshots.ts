// Writes docs/screenshots: the main places of the window in both themes and two sizes, from the sample repository.

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

/** Place -> how to get there from anywhere. */
const PLACES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  models: (page) => page.getByTestId('rail-models').click(),
  server: (page) => page.getByTestId('rail-server').click(),
  settings: (page) => page.getByTestId('rail-settings').click(),
};

await mkdir(folder, { recursive: true });
await using app = await serveApp();
const browser = await launchBrowser();
try {
  for (const colorScheme of THEMES) {
    for (const viewport of SIZES) {
      const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
      await page.goto(app.addresses.window);
      await page.locator('[data-testid="model-state-simple"][data-state="ready"]').waitFor();
      for (const [place, open] of Object.entries(PLACES)) {
        await open(page);
        const name = `${place}-${colorScheme}-${viewport.width}x${viewport.height}.png`;
        await page.screenshot({ path: path.join(folder, name) });
      }
      await page.close();
    }
  }
} finally {
  await browser.close();
}
