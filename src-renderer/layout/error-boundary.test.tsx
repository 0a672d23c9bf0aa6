// What a region shows that failed, and which way out it offers.

import { afterEach, expect, test, vi } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { press, render, until } from '../testing/render.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

let page: Rendered | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await page?.close();
});

async function fail(error: Error): Promise<Rendered> {
  // React prints what a boundary caught.
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const Part = (): never => {
    throw error;
  };
  page = await render(() => (
    <ErrorBoundary>
      <Part />
    </ErrorBoundary>
  ));
  return page;
}

test.each([
  'Failed to fetch dynamically imported module: http://127.0.0.1:1/assets/warmup-a.js',
  'error loading dynamically imported module: http://127.0.0.1:1/assets/warmup-a.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/warmup-a.css',
])('a part that does not come is had by trying again, or by loading the page again: %s', async (message) => {
  const { get } = await fail(new TypeError(message));
  const failed = await until(() => get('region-failed'));
  expect([...failed.querySelectorAll('button')].map((button) => button.textContent)).toContain(
    'Load the page again',
  );
  expect(failed.textContent).toContain('Retry');
});

test('a part that failed otherwise is tried again', async () => {
  const { get, query } = await fail(new Error('broken'));
  const failed = await until(() => get('region-failed'));
  expect(failed.textContent).toContain('Error: broken');
  expect(failed.textContent).not.toContain('Load the page again');
  await press(failed, 'Retry');
  expect(query('region-failed')).not.toBeNull();
});
