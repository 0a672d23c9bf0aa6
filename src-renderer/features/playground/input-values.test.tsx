// Values, shapes and the batch size of a request, typed by hand.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { ModelInterface } from '../../../src-shared/contract/inference-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeInterface } from '../../testing/fake-playground.ts';
import { playgroundEngine, showPlayground } from '../../testing/playground-page.tsx';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, press, type, until } from '../../testing/render.tsx';
import { clearPlaygrounds, playgroundOf } from './playground-store.ts';

let fake: FakeEngine;
let page: Rendered | undefined;

beforeEach(() => {
  clearPlaygrounds();
  vi.stubGlobal('CSS', { escape: String });
  fake = playgroundEngine();
});

afterEach(async () => {
  await page?.close();
  page = undefined;
  vi.unstubAllGlobals();
});

async function show(...of: readonly [io?: ModelInterface, model?: Partial<ModelView>]): Promise<Rendered> {
  page = await showPlayground(fake, ...of);
  return page;
}

const draft = () => playgroundOf('m').getState().draft;
const inputOf = (name: string) => draft()?.inputs.find((input) => input.name === name);
const sentText = () => fake.argsOf('playground/send').at(-1);

test('values are typed cell by cell, pasted from a cell on, and walked by keys', async () => {
  const matrix = fakeInterface({ inputs: [{ ...fakeInterface().inputs[0]!, shape: [2, 2] }] });
  const { get } = await show(matrix);
  await type(get('pg-value-X-1'), '7.5');
  const paste = new Event('paste', { bubbles: true, cancelable: true });
  Object.defineProperty(paste, 'clipboardData', { value: { getData: () => '8\t9\n10', files: [] } });
  get('pg-value-X-2').dispatchEvent(paste);
  await until(() => expect(inputOf('X')?.values).toEqual(['0', '7.5', '8', '9']));
  get('pg-value-X-1').focus();
  await press(get('pg-value-X-1'), 'ArrowDown');
  expect(document.activeElement).toBe(get('pg-value-X-3'));
  await press(get('pg-value-X-3'), 'ArrowUp');
  expect(document.activeElement).toBe(get('pg-value-X-1'));
  await type(get('pg-value-X-0'), 'x');
  await until(() => expect(get('pg-issue-X').textContent).toContain('Element 0'));
  expect(get('pg-value-X-0').getAttribute('aria-invalid')).toBe('true');
  await click(get('pg-send'));
  await until(() => expect(get('pg-error-text').textContent).toContain('Element 0'));
  expect(fake.argsOf('playground/send')).toEqual([]);
});

test('the grid is one stop of Tab, and keys go through it as through a spreadsheet', async () => {
  const { get } = await show(fakeInterface({ inputs: [{ ...fakeInterface().inputs[0]!, shape: [3, 4] }] }));
  const cell = (at: number): HTMLInputElement => get(`pg-value-X-${at}`) as HTMLInputElement;
  const stops = (): (string | undefined)[] =>
    [...get('pg-grid-X').querySelectorAll<HTMLElement>('[tabindex="0"]')].map(({ dataset }) => dataset['at']);
  expect(get('pg-grid-X').getAttribute('role')).toBe('grid');
  expect(get('pg-grid-X').getAttribute('aria-rowcount')).toBe('3');
  expect(cell(6).closest('[role="row"]')?.getAttribute('aria-rowindex')).toBe('2');
  expect(cell(6).closest('[role="gridcell"]')?.getAttribute('aria-colindex')).toBe('3');
  expect(stops()).toEqual(['0']);
  cell(0).focus();
  for (const [key, held, to] of [
    ['ArrowRight', {}, 1],
    ['End', {}, 3],
    ['Home', {}, 0],
    ['End', { ctrlKey: true }, 11],
    ['Home', { ctrlKey: true }, 0],
    ['PageDown', {}, 8],
    ['PageUp', {}, 0],
  ] as const) {
    await press(document.activeElement as HTMLElement, key, held);
    await until(() => expect(document.activeElement).toBe(cell(to)));
  }
  await press(cell(0), 'ArrowRight');
  await until(() => expect(stops()).toEqual(['1']));
  expect(await accessibilityFaults()).toEqual([]);
});

test('Enter or F2 edits a value, where arrows move in the text; Escape brings the old value back', async () => {
  const { get } = await show();
  const cell = (at: number): HTMLInputElement => get(`pg-value-X-${at}`) as HTMLInputElement;
  const before = inputOf('X')?.values[1];
  cell(1).focus();
  await press(cell(1), 'F2');
  await until(() => expect(cell(1).dataset['state']).toBe('editing'));
  await press(cell(1), 'ArrowLeft');
  expect(document.activeElement).toBe(cell(1));
  await type(cell(1), '12');
  await until(() => expect(inputOf('X')?.values[1]).toBe('12'));
  await press(cell(1), 'Escape');
  await until(() => expect(inputOf('X')?.values[1]).toBe(before));
  await until(() => expect(cell(1).dataset['state']).toBe('moving'));
  await press(cell(1), 'Enter');
  await type(cell(1), '5');
  await press(cell(1), 'Enter');
  await until(() => expect(cell(1).dataset['state']).toBe('moving'));
  expect(inputOf('X')?.values[1]).toBe('5');
  await press(cell(1), 'ArrowLeft');
  await until(() => expect(document.activeElement).toBe(cell(0)));
  await click(cell(2));
  await until(() => expect(cell(2).dataset['state']).toBe('editing'));
});

test('many values are one text, which keeps what is typed as it is', async () => {
  const { get } = await show(fakeInterface({ inputs: [{ ...fakeInterface().inputs[0]!, shape: [200] }] }));
  playgroundOf('m').setState((state) => ({
    draft: {
      ...state.draft!,
      inputs: state.draft!.inputs.map((input) => ({ ...input, mode: 'values' as const })),
    },
  }));
  await until(() => get('pg-values-X'));
  await type(get('pg-values-X'), '');
  await until(() => expect(inputOf('X')?.values).toEqual([]));
  await type(get('pg-values-X'), '1,  2\n3');
  await until(() => expect(inputOf('X')?.values).toEqual(['1', '2', '3']));
  expect((get('pg-values-X') as HTMLTextAreaElement).value).toBe('1,  2\n3');
  await until(() => expect(get('pg-issue-X').textContent).toContain('200'));
});

test('a shape can be written freely, and put back to what the model takes', async () => {
  const { get, query } = await show();
  await click(get('pg-shape-edit-X'));
  await type(get('pg-shape-X'), '2, y');
  await until(() => expect(get('pg-shape-X').getAttribute('aria-invalid')).toBe('true'));
  expect(inputOf('X')?.shape).toEqual([4]);
  await type(get('pg-shape-X'), '2, 3');
  await until(() => expect(inputOf('X')?.shape).toEqual([2, 3]));
  await click(get('pg-send'));
  await until(() => expect(sentText()?.inputs[0]?.shape).toEqual([2, 3]));
  await click(get('pg-shape-reset-X'));
  await until(() => expect(inputOf('X')?.shape).toEqual([4]));
  expect(query('pg-shape-X')).toBeNull();
});

test('the batch size goes into every input, and free sizes beside it are fields', async () => {
  const io = fakeInterface({
    inputs: [{ name: 'X', datatype: 'FP32', shape: [-1, -1], optional: false, imageLayout: '' }],
    maxBatchSize: 8,
  });
  const { get, query } = await show(io);
  await type(get('pg-batch-size'), '3');
  await until(() => expect(inputOf('X')?.shape).toEqual([3, 1]));
  expect(query('pg-dim-X-0')).toBeNull();
  await type(get('pg-dim-X-1'), '2');
  await until(() => expect(inputOf('X')).toMatchObject({ shape: [3, 2], values: { length: 6 } }));
  const isWide = (): boolean => get('pg-dim-X-1').parentElement?.className.includes('w-32') ?? false;
  expect(isWide()).toBe(false);
  // A field of the usual width would show two of its digits less.
  await type(get('pg-dim-X-1'), '24000');
  await until(() => expect(isWide()).toBe(true));
});

const texts = (shape: readonly number[]): ModelInterface =>
  fakeInterface({
    inputs: [{ ...fakeInterface().inputs[0]!, datatype: 'BYTES', shape: [...shape] }],
    maxBatchSize: 0,
  });

test('a single text keeps its line breaks', async () => {
  const { get } = await show(texts([1]));
  await type(get('pg-lines-X'), 'one\ntwo');
  expect(inputOf('X')).toMatchObject({ shape: [1], values: ['one\ntwo'] });
  await click(get('pg-send'));
  await until(() => expect(sentText()).toMatchObject({ inputs: [{ source: { values: ['one\ntwo'] } }] }));
  expect(await accessibilityFaults()).toEqual([]);
});

test('of several texts each line is one, or each has a field that line breaks go into', async () => {
  const { get, query } = await show(texts([-1]));
  await type(get('pg-lines-X'), 'a\nb');
  expect(inputOf('X')).toMatchObject({ shape: [2], values: ['a', 'b'] });
  await click(get('pg-texts-fields-X'));
  await type(get('pg-text-X-1'), 'b\nc');
  expect(inputOf('X')).toMatchObject({ shape: [2], values: ['a', 'b\nc'] });
  expect(query('pg-lines-X')).toBeNull();
  expect(get('pg-texts-lines-X').getAttribute('aria-disabled')).toBe('true');
  await type(get('pg-text-X-1'), 'b');
  await click(get('pg-texts-lines-X'));
  expect((get('pg-lines-X') as HTMLTextAreaElement).value).toBe('a\nb');
  expect(await accessibilityFaults()).toEqual([]);
});

test('a text that is no shape is not sent as the shape before', async () => {
  const { get, query } = await show();
  await click(get('pg-shape-edit-X'));
  await type(get('pg-shape-X'), 'abc');
  await until(() => expect(get('pg-issue-X').textContent).toContain('“abc” is no shape'));
  expect(get('pg-shape-X').getAttribute('aria-invalid')).toBe('true');
  await click(get('pg-send'));
  await until(() => expect(get('pg-error-text').textContent).toContain('“abc” is no shape'));
  expect(fake.argsOf('playground/send')).toEqual([]);
  await click(get('pg-shape-reset-X'));
  await until(() => expect(query('pg-issue-X')).toBeNull());
  expect(query('pg-shape-X')).toBeNull();
});

test('an input without elements says so', async () => {
  const matrix = fakeInterface({
    inputs: [{ ...fakeInterface().inputs[0]!, shape: [-1, 2] }],
    maxBatchSize: 0,
  });
  const { get } = await show(matrix);
  await type(get('pg-dim-X-0'), '0');
  await until(() => expect(get('pg-nothing-X').textContent).toContain('No values'));
});
