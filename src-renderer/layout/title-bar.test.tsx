// The top row and the panel at the bottom: the repositories, the server's switch, what is shown and hidden.

import { lazy } from 'react';
import { FileText } from 'lucide-react';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { internal } from '../../src-shared/errors.ts';
import type { PanelDefinition } from '../lib/feature.ts';
import { INITIAL_WORKSPACE, workspace } from '../lib/workspace-store.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { fakeModel } from '../testing/fake-models.ts';
import { fakeSample } from '../testing/fake-views.ts';
import type { Rendered } from '../testing/render.tsx';
import { accessibilityFaults, click, press, renderWithHosts, until } from '../testing/render.tsx';
import { BottomPanel } from './bottom-panel.tsx';
import { TitleBar } from './title-bar.tsx';

let page: Rendered;
let fake: FakeEngine;

beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  fake = new FakeEngine();
});
afterEach(() => page.close());

const labelled = (label: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[aria-label="${label}"]`);
  if (found === null) throw new Error(`nothing is called '${label}'`);
  return found;
};

async function showTitle(): Promise<HTMLElement> {
  page = await renderWithHosts(<TitleBar />, fake);
  await until(() => expect(page.get('server-switch').getAttribute('aria-disabled')).not.toBe('true'));
  return page.get('server-switch');
}

test('the switch says what the server does, stops it and starts it again', async () => {
  fake.overrides['observe/sample'] = () => fakeSample(Date.now(), { inFlight: 0, waiting: 0 });
  const toggle = await showTitle();
  await until(() => expect(toggle.getAttribute('aria-checked')).toBe('true'));
  expect(await accessibilityFaults()).toEqual([]);
  await click(toggle);
  await until(() => expect(fake.argsOf('server/stop')).toHaveLength(1));
  await until(() => expect(toggle.getAttribute('aria-checked')).toBe('false'));
  await click(toggle);
  await until(() => expect(fake.argsOf('server/start')).toHaveLength(1));
});

test('with requests under way it asks first, and who thinks better of it keeps the server', async () => {
  const toggle = await showTitle();
  await until(() => expect(toggle.getAttribute('aria-checked')).toBe('true'));
  await click(toggle);
  await click(await until(() => page.get('confirm-cancel')));
  expect(fake.argsOf('server/stop')).toEqual([]);
  expect(toggle.getAttribute('aria-checked')).toBe('true');
});

test('a server that cannot be started is told, and the switch stays off', async () => {
  fake.server = { ...fake.server, state: 'stopped' };
  fake.overrides['server/start'] = () => {
    throw internal('the port 8000 is in use');
  };
  const toggle = await showTitle();
  await click(toggle);
  await until(() => expect(document.body.textContent).toContain('the port 8000 is in use'));
  expect(toggle.getAttribute('aria-checked')).toBe('false');
});

test('without a server there is nothing to switch', async () => {
  const toggle = await showTitle();
  fake.isDown = true;
  fake.disconnect();
  await until(() => expect(toggle.hasAttribute('data-disabled')).toBe(true));
});

test('panels are shown and hidden, and their buttons say which', async () => {
  await showTitle();
  const bottom = document.querySelectorAll<HTMLElement>('header [aria-pressed]')[0]!;
  const before = bottom.getAttribute('aria-pressed');
  await click(bottom);
  expect(bottom.getAttribute('aria-pressed')).not.toBe(before);
  expect(workspace.getState().isBottomOpen).toBe(before === 'false');
});

test('commands of the menu that cannot be given now say why', async () => {
  await showTitle();
  await click(page.get('app-menu'));
  const items = await until(() => {
    const found = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    expect(found.length).toBeGreaterThan(5);
    return found;
  });
  // Nothing of the window that would carry them out is there.
  expect(items.every((item) => item.getAttribute('aria-disabled') === 'true')).toBe(true);
});

const panel = (id: string, title: PanelDefinition['title'], text: string): PanelDefinition => ({
  id,
  title,
  icon: FileText,
  View: lazy(() => Promise.resolve({ default: () => <p data-testid={`content-${id}`}>{text}</p> })),
});
const PANELS = [panel('logs', 'bottom.logs', 'lines'), panel('problems', 'bottom.problems', 'findings')];

test('the panel in front is the one that is there, by click and by arrow keys', async () => {
  page = await renderWithHosts(<BottomPanel panels={PANELS} />, fake);
  await until(() => page.get('content-logs'));
  await click(page.get('bottom-problems'));
  await until(() => page.get('content-problems'));
  expect([workspace.getState().bottomTab, page.query('content-logs')]).toEqual(['problems', null]);
  page.get('bottom-problems').focus();
  await press(page.get('bottom-problems'), 'ArrowLeft');
  await until(() => page.get('content-logs'));
  expect(await accessibilityFaults()).toEqual([]);
});

test('problems are counted beside their title', async () => {
  fake.snapshot = { ...fake.snapshot, models: [fakeModel('broken', { state: 'failed' })] };
  page = await renderWithHosts(<BottomPanel panels={PANELS} />, fake);
  await until(() => expect(page.get('bottom-problems').textContent).toBe('Problems1'));
  fake.change('broken', { state: 'ready' });
  await until(() => expect(page.get('bottom-problems').textContent).toBe('Problems'));
});

test('a panel that is not known any more gives way to the first', async () => {
  workspace.setState({ bottomTab: 'gone' });
  page = await renderWithHosts(<BottomPanel panels={PANELS} />, fake);
  await until(() => page.get('content-logs'));
});

test('it closes by its own button', async () => {
  workspace.setState({ isBottomOpen: true });
  page = await renderWithHosts(<BottomPanel panels={PANELS} />, fake);
  await click(labelled('Close panel'));
  expect(workspace.getState().isBottomOpen).toBe(false);
});
