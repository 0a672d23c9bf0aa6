// The table by keyboard and by pointer: one row in the tab order, what selects and what opens, and that controls inside
// rows keep their clicks and keys.

import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';

import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, press, renderView, settled } from '../testing/render.tsx';
import { DataTable } from './data-table.tsx';
import type { Column } from './table-model.ts';

interface Fruit {
  readonly name: string;
  readonly weight: number;
}

const FRUITS: readonly Fruit[] = [
  { name: 'apple', weight: 3 },
  { name: 'banana', weight: 1 },
  { name: 'cherry', weight: 2 },
];

const opened: string[] = [];
const pressed: string[] = [];
let chosen: ReadonlySet<string> = new Set();
let page: Rendered | undefined;

afterEach(async () => {
  await page?.close();
  opened.length = 0;
  pressed.length = 0;
  chosen = new Set();
});

const COLUMNS: readonly Column<Fruit>[] = [
  { id: 'name', title: 'Name', width: 100, cell: ({ name }) => name, sortValue: ({ name }) => name },
  {
    id: 'weight',
    title: 'Weight',
    width: 100,
    cell: ({ weight }) => weight,
    sortValue: ({ weight }) => weight,
  },
  {
    id: 'act',
    title: 'Act',
    width: 100,
    cell: ({ name }) => <button onClick={() => pressed.push(name)}>{`Eat ${name}`}</button>,
  },
];

function Basket({
  rows = FRUITS,
  viewKey = '',
}: {
  readonly rows?: readonly Fruit[];
  readonly viewKey?: string;
}) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  return (
    <DataTable<Fruit>
      label="Fruits"
      rows={rows}
      viewKey={viewKey}
      columns={COLUMNS}
      keyOf={({ name }) => name}
      selected={selected}
      onSelected={(next) => {
        chosen = next;
        setSelected(next);
      }}
      onOpen={({ name }) => opened.push(name)}
      onRowKey={({ key }: KeyboardEvent, { name }) => key === 'x' && pressed.push(`x ${name}`) > 0}
      testIdOf={({ name }) => `row-${name}`}
      testId="fruits"
      empty={<p>No fruit is left</p>}
    />
  );
}

const focused = (): string | undefined => document.activeElement?.getAttribute('data-testid') ?? undefined;
const order = (): readonly (string | null)[] =>
  [...document.querySelectorAll<HTMLElement>('[data-index]')]
    .toSorted((a, b) => Number(a.dataset['index']) - Number(b.dataset['index']))
    .map((row) => row.getAttribute('data-testid'));

test('one row is in the tab order, and arrow keys, Home and End move it and the focus', async () => {
  page = await renderView(<Basket />);
  const { get } = page;
  expect([...document.querySelectorAll('[role="row"][tabindex="0"]')]).toEqual([get('row-apple')]);
  get('row-apple').focus();
  await press(get('row-apple'), 'ArrowDown');
  expect(focused()).toBe('row-banana');
  expect(get('row-banana').tabIndex).toBe(0);
  expect(get('row-apple').tabIndex).toBe(-1);
  await press(get('row-banana'), 'End');
  expect(focused()).toBe('row-cherry');
  await press(get('row-cherry'), 'ArrowDown');
  expect(focused()).toBe('row-cherry');
  await press(get('row-cherry'), 'Home');
  expect(focused()).toBe('row-apple');
  expect(await accessibilityFaults()).toEqual([]);
});

test('a double click opens the row, and selects no word of it', async () => {
  page = await renderView(<Basket />);
  const { get } = page;
  const pressed = (detail: number): MouseEvent =>
    new MouseEvent('mousedown', { bubbles: true, cancelable: true, detail });
  const [first, second] = [pressed(1), pressed(2)];
  get('row-cherry').dispatchEvent(first);
  get('row-cherry').dispatchEvent(second);
  // What is pressed once may still be dragged over, to copy it.
  expect([first.defaultPrevented, second.defaultPrevented]).toEqual([false, true]);
});

test('Enter and a double click open the row, other keys go to whoever draws the table', async () => {
  page = await renderView(<Basket />);
  const { get } = page;
  await press(get('row-banana'), 'Enter');
  get('row-cherry').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
  expect(opened).toEqual(['banana', 'cherry']);
  await press(get('row-banana'), 'x');
  expect(pressed).toEqual(['x banana']);
});

test('Shift and an arrow begin the range at the row that has the focus, though nothing was selected', async () => {
  page = await renderView(<Basket />);
  const { get } = page;
  get('row-apple').focus();
  await press(get('row-apple'), 'ArrowDown', { shiftKey: true });
  expect([...chosen]).toEqual(['apple', 'banana']);
  await press(get('row-banana'), 'ArrowDown', { shiftKey: true });
  expect([...chosen]).toEqual(['apple', 'banana', 'cherry']);
  await press(get('row-cherry'), 'ArrowUp', { shiftKey: true });
  expect([...chosen]).toEqual(['apple', 'banana']);
});

test('a click selects one, Control adds, Shift takes the range, Mod+A all', async () => {
  page = await renderView(<Basket />);
  const { get } = page;
  const clickWith = async (name: string, held: MouseEventInit): Promise<void> => {
    get(`row-${name}`).dispatchEvent(new MouseEvent('click', { bubbles: true, ...held }));
    await settled();
  };
  await click(get('row-apple'));
  expect([...chosen]).toEqual(['apple']);
  await clickWith('cherry', { ctrlKey: true });
  expect([...chosen].sort()).toEqual(['apple', 'cherry']);
  await clickWith('cherry', { ctrlKey: true });
  expect([...chosen]).toEqual(['apple']);
  await click(get('row-apple'));
  await clickWith('cherry', { shiftKey: true });
  expect([...chosen].sort()).toEqual(['apple', 'banana', 'cherry']);
  await click(get('row-banana'));
  await press(get('row-banana'), 'a', { ctrlKey: true });
  expect(chosen.size).toBe(3);
  expect(get('row-cherry').getAttribute('aria-selected')).toBe('true');
});

test('a control in a row keeps its click and its keys', async () => {
  page = await renderView(<Basket />);
  const button = page.get('row-banana').querySelector('button') as HTMLElement;
  await click(button);
  await press(button, 'Enter');
  await press(button, 'ArrowDown');
  expect(pressed).toEqual(['banana']);
  expect(opened).toEqual([]);
  expect(chosen.size).toBe(0);
});

test('sorting by a heading is told, and the row with the focus keeps it', async () => {
  page = await renderView(<Basket />);
  const { get } = page;
  await press(get('row-apple'), 'ArrowDown');
  const heading = [...document.querySelectorAll<HTMLElement>('[role="columnheader"]')].find(
    ({ textContent }) => textContent.startsWith('Weight'),
  );
  await click(heading?.querySelector('button') as HTMLElement);
  expect(heading?.getAttribute('aria-sort')).toBe('ascending');
  expect(order()).toEqual(['row-banana', 'row-cherry', 'row-apple']);
  await click(heading?.querySelector('button') as HTMLElement);
  expect(heading?.getAttribute('aria-sort')).toBe('descending');
  expect(order()).toEqual(['row-apple', 'row-cherry', 'row-banana']);
  expect(get('row-banana').tabIndex).toBe(0);
});

test('headings are one stop for Tab; arrow keys go along them and down to the row that had the focus', async () => {
  page = await renderView(<Basket />);
  const { get } = page;
  await press(get('row-apple'), 'ArrowDown');
  const buttons = [...document.querySelectorAll<HTMLElement>('[role="columnheader"] button')];
  const stops = (): readonly number[] => buttons.map(({ tabIndex }) => tabIndex);
  const heading = (): HTMLElement => document.activeElement as HTMLElement;
  expect(stops()).toEqual([0, -1]);
  buttons[0]?.focus();
  await press(heading(), 'ArrowRight');
  expect(heading()).toBe(buttons[1]);
  expect(stops()).toEqual([-1, 0]);
  await press(heading(), 'ArrowRight');
  expect(heading()).toBe(buttons[1]);
  await press(heading(), 'Home');
  expect(heading()).toBe(buttons[0]);
  await press(heading(), 'ArrowDown');
  expect(heading()).toBe(get('row-banana'));
});

test('other rows are shown from the first one, and so is another order', async () => {
  const Filtered = () => {
    const [filter, setFilter] = useState('');
    return (
      <>
        <button data-testid="filter" onClick={() => setFilter('an')} />
        <Basket rows={FRUITS.filter(({ name }) => name.includes(filter))} viewKey={filter} />
      </>
    );
  };
  page = await renderView(<Filtered />);
  const { get } = page;
  get('fruits').scrollTop = 40;
  await press(get('row-apple'), 'ArrowDown');
  expect(get('fruits').scrollTop).toBe(40);
  await click(get('filter'));
  expect(get('fruits').scrollTop).toBe(0);
  get('fruits').scrollTop = 40;
  await click(get('fruits').querySelector('[role="columnheader"] button') as HTMLElement);
  expect(get('fruits').scrollTop).toBe(0);
});

function Shrinking() {
  const [rows, setRows] = useState(FRUITS);
  return (
    <>
      <button data-testid="eat" onClick={() => setRows(([, ...others]) => others)} />
      <button data-testid="eat-last" onClick={() => setRows((all) => all.slice(0, -1))} />
      <Basket rows={rows} />
    </>
  );
}

test('when the row that has the focus goes away, the one that took its place has it', async () => {
  page = await renderView(<Shrinking />);
  const { get } = page;
  get('row-apple').focus();
  await press(get('row-apple'), 'Home');
  get('eat').click();
  await settled();
  expect(focused()).toBe('row-banana');
  await press(get('row-banana'), 'End');
  expect(focused()).toBe('row-cherry');
  get('eat-last').click();
  await settled();
  expect(focused()).toBe('row-banana');

  // Whoever is elsewhere stays there.
  get('eat-last').focus();
  get('eat-last').click();
  await settled();
  expect(focused()).toBe('eat-last');
});

test('without rows it says so, and counts its heading alone', async () => {
  page = await renderView(<Basket rows={[]} />);
  expect(page.get('fruits').textContent).toContain('No fruit is left');
  expect(page.get('fruits').getAttribute('aria-rowcount')).toBe('1');
});
