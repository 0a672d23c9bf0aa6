// The palette by keys: what Enter takes, what it refuses, and what an empty field lists.

import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

import { features } from '../features/registry.ts';
import { registerCommand } from '../lib/command-registry.ts';
import { activeTab, INITIAL_WORKSPACE, workspace } from '../lib/workspace-store.ts';
import { allByRole, byRole } from '../testing/by-role.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../testing/fake-models.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, press, renderView, type, until } from '../testing/render.tsx';
import { t } from '../texts/translate.ts';
import { PaletteContent } from './palette-content.tsx';
import { MAX_PALETTE_ITEMS } from './palette-items.ts';
import { openPalette, palette } from './palette-store.ts';

let page: Rendered | undefined;

beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE);
  palette.setState({ text: '', recent: [], hasLedElsewhere: false });
});
afterEach(() => page?.close());

async function open(mode: 'commands' | 'goto', fake = new FakeEngine()): Promise<HTMLElement> {
  openPalette(mode);
  page = await renderView(<PaletteContent features={features} />, fake);
  return byRole('combobox');
}

const entries = (): readonly HTMLElement[] => allByRole('option');
const chosen = (): HTMLElement => {
  const [found] = entries().filter((entry) => entry.getAttribute('aria-selected') === 'true');
  if (found === undefined) throw new Error('no entry is chosen');
  return found;
};

test('arrow keys walk through the entries, around the end as well, and the field keeps the focus', async () => {
  const field = await open('goto');
  field.focus();
  await until(() => expect(chosen()).toBe(entries()[0]));
  await press(field, 'ArrowDown');
  await until(() => expect(chosen()).toBe(entries()[1]));
  await press(field, 'ArrowUp');
  await press(field, 'ArrowUp');
  await until(() => expect(chosen()).toBe(entries().at(-1)));
  expect(document.activeElement).toBe(field);
  expect(await accessibilityFaults()).toEqual([]);
});

test('commands are listed with the screens that are typed, and that nothing matches is said', async () => {
  const field = await open('commands');
  await type(field, 'perf lab');
  await until(() => expect(chosen().textContent).toContain('Perf lab'));
  await type(field, 'zzzz');
  await until(() => expect(byRole('status').textContent).toBe('Nothing matches.'));
  expect(entries()).toEqual([]);
});

test('Enter opens the chosen place, closes the palette and hands the focus on', async () => {
  const field = await open('goto');
  await type(field, 'simple');
  await until(() => expect(chosen().textContent).toContain('simple'));
  await press(field, 'Enter');
  expect(activeTab()?.address.model).toBe('simple');
  expect(palette.getState()).toMatchObject({ isOpen: false, hasLedElsewhere: true });
});

test('what was used last stands on top the next time, in a group of its own', async () => {
  const field = await open('goto');
  await type(field, 'Settings');
  await until(() => expect(chosen().textContent).toContain('Settings'));
  const title = chosen().textContent;
  await press(field, 'Enter');
  await page?.close();
  await open('goto');
  const groups = await until(() => {
    const found = allByRole('group');
    expect(found.length).toBeGreaterThan(1);
    return found;
  });
  expect(groups[0]?.getAttribute('aria-labelledby')).not.toBeNull();
  expect(
    allByRole('option', undefined, groups[0] as HTMLElement).map(({ textContent }) => textContent),
  ).toEqual([title]);
});

test('an entry that cannot be used now says why, and Enter leaves the palette open', async () => {
  const leave = registerCommand('settings.open', {
    run: () => undefined,
    disabledReason: () => undefined,
  });
  onTestFinished(leave);
  const fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([]);
  const field = await open('commands', fake);
  await type(field, t('command.unload'));
  const refused = await until(() => {
    const found = entries().find(({ textContent }) => textContent.includes(t('command.needsModel')));
    if (found === undefined)
      throw new Error(
        entries()
          .map(({ textContent }) => textContent)
          .join(', '),
      );
    return found;
  });
  for (let left = entries().indexOf(refused); left > 0; left -= 1) await press(field, 'ArrowDown');
  await until(() => expect(chosen()).toBe(refused));
  await press(field, 'Enter');
  expect(palette.getState().isOpen).toBe(true);
});

test('before anything is typed, commands for each model leave room for those of the window', async () => {
  const fake = new FakeEngine();
  const models = Array.from({ length: MAX_PALETTE_ITEMS + 20 }, (_, at) => fakeModel(`model_${at}`));
  fake.snapshot = fakeSnapshot(models);
  const handler = { run: () => undefined, disabledReason: () => undefined };
  for (const id of ['repository.add', 'model.open', 'server.stop'])
    onTestFinished(registerCommand(id, handler));
  await open('commands', fake);
  await until(() => expect(entries().length).toBeGreaterThan(10));
  const ids = entries().map(({ dataset }) => dataset['testid']);
  expect(ids[0]).toBe('palette-item-repository.add');
  expect(ids).toContain('palette-item-server.stop');
  expect(ids).toContain('palette-item-model.open model_0');
});

test('? lists the prefixes, and Enter on one writes it into the field', async () => {
  const field = await open('commands');
  await type(field, '?');
  await until(() => expect(entries().length).toBeGreaterThan(3));
  const prefix = chosen().querySelector('span')?.textContent ?? '';
  await press(field, 'Enter');
  await until(() => expect((field as HTMLInputElement).value).toBe(prefix));
  expect(palette.getState().isOpen).toBe(true);
});

test('no more than fifty entries are drawn, and how many more there are is said', async () => {
  const fake = new FakeEngine();
  const models = Array.from({ length: MAX_PALETTE_ITEMS + 20 }, (_, at) => fakeModel(`model_${at}`));
  fake.snapshot = fakeSnapshot(models);
  const field = await open('commands', fake);
  await type(field, '@model_');
  await until(() => expect(entries()).toHaveLength(MAX_PALETTE_ITEMS));
  expect(document.body.textContent).toContain(t('palette.more', { count: 20 }));
});

test('what nothing matches is said', async () => {
  const field = await open('goto');
  await type(field, 'zzzz');
  await until(() => expect(entries()).toEqual([]));
  expect(document.body.textContent).toContain(t('palette.empty'));
});
