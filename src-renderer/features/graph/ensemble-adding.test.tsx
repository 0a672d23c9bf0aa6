// Adding and removing steps and renaming tensors in an ensemble's drawing, by mouse and by keys.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { ENSEMBLE_TEXT } from '../../testing/ensemble-text.ts';
import { EnsemblePage } from '../../testing/ensemble-page.tsx';
import { accessibilityFaults, choose, click, press, type, until } from '../../testing/render.tsx';
import { changeView, viewOf } from './graph-views.ts';

vi.mock('./layout-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).FakeLayoutWorker,
}));

vi.mock('../../config/language/config-worker.ts?worker', async () => ({
  default: (await import('../../testing/fake-workers.ts')).SilentWorker,
}));

let page: EnsemblePage;

beforeEach(() => {
  page = new EnsemblePage();
});
afterEach(() => page.close());

const begins =
  (label: string) =>
  (text: string): boolean =>
    text.startsWith(label);

test('a step is added with what was chosen, selected, and taken back in one step', async () => {
  const { get, query } = await page.drawn();
  await click(get('graph-add-step'));
  const act = await until(() => get('graph-add-step-do'));
  expect(act.getAttribute('aria-disabled')).toBe('true');
  await type(get('graph-add-step-model'), 'first');
  await until(() => expect(get('graph-add-step-input-IN').textContent).toContain('(not connected)'));
  expect((get('graph-add-step-output-OUT') as HTMLInputElement).value).toBe('first_OUT');
  expect(await accessibilityFaults()).toEqual([]);
  await choose(get('graph-add-step-input-IN'), begins('CLASS'));
  await choose(get('graph-add-step-version'), begins('1'));
  await type(get('graph-add-step-output-EXTRA'), '');
  await click(get('graph-add-step-do'));
  await until(() => expect(query('graph-add-step-dialog')).toBeNull());
  await until(() => expect(page.text).toMatch(/model_name: "first"\s+model_version: 1\b/));
  expect(page.text).toMatch(/key: "IN"\s+value: "CLASS"/);
  expect(page.text).toMatch(/key: "OUT"\s+value: "first_OUT"/);
  expect(page.text).not.toContain('first_EXTRA');
  expect(viewOf('pair').selected).toBe('step:2');
  await press(get('graph-tab'), 'z', { ctrlKey: true });
  expect(page.text).toBe(ENSEMBLE_TEXT);
});

test('what two outputs would write, the ensemble itself, and an unknown model are said before anything is written', async () => {
  const { get } = await page.drawn();
  await click(get('graph-add-step'));
  await type(await until(() => get('graph-add-step-model')), 'nowhere');
  await until(() => expect(get('graph-add-step-dialog').textContent).toContain('No repository that is open'));
  await type(get('graph-add-step-model'), 'second');
  await type(await until(() => get('graph-add-step-output-OUT')), 'mid');
  await until(() => expect(get('graph-add-step-do').getAttribute('aria-disabled')).toBe('true'));
  await type(get('graph-add-step-model'), 'pair');
  await until(() => expect(get('graph-add-step-do').getAttribute('aria-disabled')).toBe('true'));
  expect(page.text).toBe(ENSEMBLE_TEXT);
});

test('a step is removed by its button and by Delete; undo brings it back', async () => {
  const { get } = await page.drawn();
  changeView('pair', { selected: 'step:1' });
  await click(await until(() => get('graph-remove-step')));
  await until(() => expect(page.text).not.toContain('"second"'));
  expect(viewOf('pair').selected).toBeUndefined();
  await click(get('graph-undo'));
  await until(() => expect(page.text).toBe(ENSEMBLE_TEXT));
  changeView('pair', { selected: 'step:0' });
  await until(() => get('graph-remove-step'));
  await press(await until(() => get('graph-canvas')), 'Delete');
  await until(() => expect(page.text).not.toContain('"first"'));
});

test('a tensor is renamed by F2, by the button of its line, and by that of an output', async () => {
  const { get, query } = await page.drawn();
  changeView('pair', { selected: 'in:RAW' });
  await until(() => get('graph-rename-RAW'));
  await press(get('graph-canvas'), 'F2');
  const dialog = await until(() => get('graph-rename-dialog'));
  expect(dialog.textContent).toContain('Clients have to use the new name');
  await type(get('graph-rename-name'), 'mid');
  await until(() => expect(get('graph-rename-do').getAttribute('aria-disabled')).toBe('true'));
  await type(get('graph-rename-name'), 'PIXELS');
  await click(get('graph-rename-do'));
  await until(() => expect(page.text).toBe(ENSEMBLE_TEXT.replaceAll('"RAW"', '"PIXELS"')));
  expect(query('graph-rename-dialog')).toBeNull();
  changeView('pair', { selected: 'step:0' });
  await click(await until(() => get('graph-rename-mid')));
  await until(() => expect(get('graph-rename-dialog').textContent).toContain('Clients do not see this name'));
  await type(get('graph-rename-name'), 'middle');
  await click(get('graph-rename-do'));
  await until(() => expect(page.text).toContain('value: "middle"'));
  expect(page.text).not.toContain('"mid"');
});

test('a text that cannot be changed offers no new step, and says why a name stays', async () => {
  page.file = { ...page.file, readOnlyReason: 'the repository is read-only' };
  const { get, query } = await page.drawn();
  expect(get('graph-add-step').getAttribute('aria-disabled')).toBe('true');
  changeView('pair', { selected: 'step:0' });
  await click(await until(() => get('graph-rename-mid')));
  await until(() => expect(document.body.textContent).toContain('the repository is read-only'));
  expect(query('graph-rename-dialog')).toBeNull();
  await click(get('graph-remove-step'));
  expect(page.text).toBe(ENSEMBLE_TEXT);
});
