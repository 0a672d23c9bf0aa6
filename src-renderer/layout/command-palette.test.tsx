// What the palette lists behind its prefixes, and that an entry opens what it names.

import { flushSync } from 'react-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { PerfRunSummary } from '../../src-shared/contract/perf-views.ts';
import { features } from '../features/registry.ts';
import { modelAddress } from '../lib/address.ts';
import { registerCommand } from '../lib/command-registry.ts';
import { activeTab, INITIAL_WORKSPACE, open, workspace } from '../lib/workspace-store.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../testing/fake-models.ts';
import type { Rendered } from '../testing/render.tsx';
import { click, renderView, type, until } from '../testing/render.tsx';
import { CommandPalette } from './command-palette.tsx';
import { closePalette, openPalette, palette } from './palette-store.ts';

let page: Rendered | undefined;

beforeEach(() => {
  closePalette();
  workspace.setState(INITIAL_WORKSPACE);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await page?.close();
});

const run = (id: string, name: string): PerfRunSummary => ({
  id,
  name,
  model: 'batch_mlp',
  state: 'done',
  error: '',
  startedAtMs: Date.UTC(2026, 10, 22, 12),
  endedAtMs: Date.UTC(2026, 10, 22, 12, 1),
  configHash: 'a',
  isOverride: false,
  note: '',
  isStarred: false,
  unstableCount: 0,
  levelCount: 3,
  bestInferPerSecond: 412,
  sweep: undefined,
  fingerprint: {} as PerfRunSummary['fingerprint'],
});

async function start(text: string, runs: readonly PerfRunSummary[] = []): Promise<Rendered> {
  const fake = new FakeEngine();
  fake.overrides['perf/runs'] = () => runs;
  page = await renderView(<CommandPalette features={features} />, fake);
  openPalette('goto');
  const palette = await until(() => page?.get('palette'));
  await type(palette?.querySelector('input') as HTMLElement, text);
  return page;
}

test('what is typed before the palette is there is in its field, and does nothing else', async () => {
  vi.stubGlobal('requestIdleCallback', () => 0);
  page = await renderView(<CommandPalette features={features} />, new FakeEngine());
  const heard: string[] = [];
  const listen = (event: KeyboardEvent): void => void heard.push(event.key);
  window.addEventListener('keydown', listen);
  flushSync(() => openPalette('commands'));
  expect(page.query('palette')).toBe(null);
  for (const key of ['l', 'o', 'x', 'Backspace', 'Enter', 'g', 'Shift']) {
    window.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }
  window.removeEventListener('keydown', listen);
  const field = await until(() => page?.get('palette').querySelector('input') as HTMLInputElement);
  expect(field.value).toBe('log');
  expect(heard).toEqual([]);
  await type(field, 'Settings');
  expect(field.value).toBe('Settings');
});

test('Escape before the palette is there closes it', async () => {
  vi.stubGlobal('requestIdleCallback', () => 0);
  page = await renderView(<CommandPalette features={features} />, new FakeEngine());
  flushSync(() => openPalette('commands'));
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  expect(palette.getState().isOpen).toBe(false);
});

test('# lists performance runs and opens the one that is chosen', async () => {
  const { get } = await start('#', [run('r1', 'two instances'), run('r2', 'baseline')]);
  const item = await until(() => get('palette-item-run r2'));
  expect(item.textContent).toContain('batch_mlp');
  expect(item.textContent).toContain('412 inf/s');
  expect(document.querySelectorAll('[data-testid^="palette-item-"]')).toHaveLength(2);
  await click(item);
  expect(activeTab()?.address).toMatchObject({ area: 'perf', query: { run: 'r2' } });
});

test('# without a run says how one comes about', async () => {
  const { get } = await start('#');
  await until(() => expect(get('palette').textContent).toContain('No performance run is kept yet'));
});

test('a link that was copied can be opened again', async () => {
  const { get } = await start('wb://models/simple/config?line=3');
  await click(await until(() => get('palette-item-link')));
  expect(activeTab()?.address).toMatchObject({ model: 'simple', tab: 'config', query: { line: '3' } });
});

test('the tabs of the Server screen are found by name', async () => {
  const { get } = await start('shared mem');
  await click(await until(() => get('palette-item-screen server/memory')));
  expect(activeTab()?.address).toMatchObject({ area: 'server', tab: 'memory' });
});

test('files are found by the name of their model', async () => {
  const { get } = await start('simple/conf');
  await click(await until(() => get('palette-item-file simple')));
  expect(activeTab()?.address).toMatchObject({ model: 'simple', tab: 'config' });
});

test('the field tells readers which entry Enter would take', async () => {
  const { get } = await start('Settings');
  const field = await until(() => get('palette').querySelector('input') as HTMLElement);
  await until(() => {
    const chosen = get('palette').querySelector('[role="option"][aria-selected="true"]');
    expect(chosen?.textContent).toContain('Settings');
    expect(field.getAttribute('aria-activedescendant')).toBe(chosen?.id);
  });
});

test.each(['simple', 'batch_mlp'])(
  'on the page of %s a command for a model means that one first',
  async (model) => {
    const handler = { run: () => undefined, disabledReason: () => undefined };
    using registered = new DisposableStack();
    registered.defer(registerCommand('model.convert', handler));
    open(modelAddress(model));
    const fake = new FakeEngine();
    fake.overrides['repository/snapshot'] = () => fakeSnapshot([fakeModel('batch_mlp'), fakeModel('simple')]);
    page = await renderView(<CommandPalette features={features} />, fake);
    openPalette('commands');
    const palette = await until(() => page?.get('palette') as HTMLElement);
    await type(palette.querySelector('input') as HTMLElement, 'Convert to ONNX');
    await until(() => {
      const first = palette.querySelector('[role="option"]');
      expect(first?.textContent).toContain(model);
    });
  },
);
