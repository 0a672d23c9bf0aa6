// How long a page takes from its address to being painted and used, without anything of it in the browser's cache.

import { PATIENCE_MS, VIEWPORT } from './ui-measures.ts';
import type { Place } from './ui-measures.ts';

export interface PageStart {
  /** The frame without texts. */
  readonly paintedMs: number;
  /** The first texts. */
  readonly contentMs: number;
  readonly interactiveMs: number;
}

/** A page in a fresh browser context: until something is painted, and until a model's row can be used. */
export async function measurePageStart({ browser, app }: Place): Promise<PageStart> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const startMs = performance.now();
  await page.goto(app.addresses.window);
  await page.getByTestId('rail-models').click();
  const row = page.getByTestId('model-row-simple');
  await row.waitFor();
  await row.click();
  const interactiveMs = performance.now() - startMs;
  const paint = async (name: string): Promise<number> =>
    Number(await page.evaluate(`performance.getEntriesByName('${name}')[0]?.startTime ?? Number.NaN`));
  const paintedMs = await paint('first-paint');
  const contentMs = await paint('first-contentful-paint');
  await context.close();
  return { paintedMs, contentMs, interactiveMs };
}
