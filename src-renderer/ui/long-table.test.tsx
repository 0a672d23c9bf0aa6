// A table of many rows in a page that scrolls around it: what is drawn of it, and what it says of the rest.

import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { renderView, until } from '../testing/render.tsx';
import { LongTable } from './long-table.tsx';

/** As high as a row is taken to be. */
const ROW_PX = 41;
const BOX_PX = 500;
const ROWS = Array.from({ length: 400 }, (_, index) => `line ${index}`);

let page: Rendered | undefined;

beforeEach(() => {
  // The document of the tests lays nothing out.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function height(
    this: HTMLElement,
  ) {
    return this.tagName === 'TR' ? ROW_PX : BOX_PX;
  });
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function place(
    this: HTMLElement,
  ) {
    const above = this.tagName === 'TBODY' ? (this.closest('[data-testid="box"]')?.scrollTop ?? 0) : 0;
    return new DOMRect(0, -above, 100, BOX_PX);
  });
});
afterEach(async () => {
  await page?.close();
  vi.restoreAllMocks();
});

function Lines({ rows }: { readonly rows: readonly string[] }) {
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  return (
    <div ref={setScroller} data-testid="box">
      <LongTable
        label="Lines"
        testId="lines"
        rows={rows}
        keyOf={(row) => row}
        scroller={scroller}
        columns={[{ id: 'text', title: 'Text', cell: (row) => row }]}
      />
    </div>
  );
}

const drawn = (table: HTMLElement): readonly string[] =>
  [...table.querySelectorAll('tbody tr[aria-rowindex]')].map((row) => row.textContent ?? '');

test('only rows in view are drawn, and each says which one it is', async () => {
  page = await renderView(<Lines rows={ROWS} />);
  const table = page.get('lines');
  await until(() => expect(drawn(table)[0]).toBe('line 0'));
  expect(drawn(table).length).toBeLessThan(40);
  expect(table.getAttribute('aria-rowcount')).toBe('401');
  const box = page.get('box');
  box.scrollTop = 200 * ROW_PX;
  box.dispatchEvent(new Event('scroll'));
  await until(() => expect(drawn(table)).toContain('line 210'));
  expect(drawn(table)).not.toContain('line 0');
  const row = [...table.querySelectorAll('tr')].find(({ textContent }) => textContent === 'line 210');
  expect(row?.getAttribute('aria-rowindex')).toBe('212');
});

test('a table of few rows has all of them and nothing beside', async () => {
  page = await renderView(<Lines rows={ROWS.slice(0, 3)} />);
  const table = page.get('lines');
  await until(() => expect(drawn(table)).toEqual(['line 0', 'line 1', 'line 2']));
  expect(table.querySelectorAll('[aria-hidden="true"]')).toHaveLength(0);
});
