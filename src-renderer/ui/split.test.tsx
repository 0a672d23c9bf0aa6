// Panels that are moved by keys: what is told, what is kept, and what is named.

import { afterEach, expect, test } from 'vitest';

import { allByRole, byRole } from '../testing/by-role.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, press, renderView, until } from '../testing/render.tsx';
import type { SplitSizes } from './split.tsx';
import { Split } from './split.tsx';

let page: Rendered | undefined;

afterEach(() => page?.close());

const PANELS = [
  { id: 'list', content: <p>the list</p>, minSize: '10%' },
  { id: 'details', content: <p>the details</p>, minSize: '10%' },
  { id: 'log', content: <p>the log</p>, minSize: '10%' },
];

async function draw(
  count: 2 | 3,
  options: { readonly sizes?: SplitSizes; readonly orientation?: 'horizontal' | 'vertical' } = {},
): Promise<SplitSizes[]> {
  const told: SplitSizes[] = [];
  page = await renderView(
    <Split
      id={`split-${count}`}
      label="Resize the list"
      panels={PANELS.slice(0, count)}
      onSizes={(sizes) => told.push(sizes)}
      {...options}
    />,
  );
  return told;
}

const share = (separator: HTMLElement): number => Number(separator.getAttribute('aria-valuenow'));

test('shows its panels in order, with a named edge between each two', async () => {
  await draw(3);
  expect(document.body.textContent).toBe('the listthe detailsthe log');
  expect(allByRole('separator', 'Resize the list')).toHaveLength(2);
  expect(await accessibilityFaults()).toEqual([]);
});

test('a panel alone has no edge', async () => {
  page = await renderView(<Split id="alone" label="Resize" panels={PANELS.slice(0, 1)} />);
  expect(allByRole('separator')).toEqual([]);
});

test('begins with the sizes that were kept, and tells nothing before somebody moves an edge', async () => {
  const told = await draw(2, { sizes: { list: 30, details: 70 } });
  await until(() => expect(share(byRole('separator'))).toBe(30));
  expect(told).toEqual([]);
});

test('sizes that were kept of other panels are left alone', async () => {
  await draw(2, { sizes: { list: 30, other: 70 } });
  await until(() => expect(share(byRole('separator'))).toBe(50));
});

test.each([
  ['horizontal', 'ArrowRight', 'ArrowLeft'],
  ['vertical', 'ArrowDown', 'ArrowUp'],
] as const)(
  'arrow keys move the edge of a %s split, and the new sizes are told',
  async (orientation, on, back) => {
    const told = await draw(2, { sizes: { list: 40, details: 60 }, orientation });
    const edge = byRole('separator');
    edge.focus();
    expect(document.activeElement).toBe(edge);
    await press(edge, on);
    const after = await until(() => {
      const [last] = told.slice(-1);
      if (last === undefined) throw new Error('nothing was told');
      return last;
    });
    expect(after['list']).toBeGreaterThan(40);
    expect((after['list'] ?? 0) + (after['details'] ?? 0)).toBeCloseTo(100);
    await press(edge, back);
    await until(() => expect(told.at(-1)?.['list']).toBeCloseTo(40));
  },
);

test('an edge stops where the panel beside it would become too small', async () => {
  const told = await draw(2, { sizes: { list: 40, details: 60 } });
  await press(byRole('separator'), 'Home');
  await until(() => expect(told.at(-1)).toEqual({ list: 10, details: 90 }));
  await press(byRole('separator'), 'End');
  await until(() => expect(told.at(-1)).toEqual({ list: 90, details: 10 }));
});
