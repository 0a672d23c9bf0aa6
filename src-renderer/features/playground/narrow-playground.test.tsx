// A window too narrow for two columns: the answer stands below the request, and what was saved takes their place.

import { afterEach, expect, test, vi } from 'vitest';

import { NARROW } from '../../lib/use-media.ts';
import { playgroundEngine, showPlayground } from '../../testing/playground-page.tsx';
import type { Rendered } from '../../testing/render.tsx';
import { click, until } from '../../testing/render.tsx';
import { clearPlaygrounds } from './playground-store.ts';

let page: Rendered | undefined;
afterEach(async () => {
  await page?.close();
  vi.unstubAllGlobals();
  clearPlaygrounds();
});

function stubWidth(isNarrow: boolean): void {
  const list = { addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', (query: string) => ({ ...list, matches: isNarrow && query === NARROW }));
}

const edge = (): string | null | undefined =>
  page?.get('playground').querySelector('[role=separator]')?.getAttribute('aria-orientation');

test('request and answer stand below each other where they would be squeezed, beside each other elsewhere', async () => {
  stubWidth(false);
  page = await showPlayground(playgroundEngine());
  expect(edge()).toBe('vertical');
  await page.close();
  stubWidth(true);
  page = await showPlayground(playgroundEngine());
  expect(edge()).toBe('horizontal');
  const { get, query } = page;
  await click(get('pg-saved-toggle'));
  await until(() => get('pg-captured'));
  expect(query('pg-send')).toBeNull();
  await click(get('pg-saved-toggle'));
  await until(() => get('pg-send'));
});
