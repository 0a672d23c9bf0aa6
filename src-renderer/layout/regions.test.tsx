// Moving through the regions of the window by F6, and what stands against leaving it with unsaved text.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { address } from '../lib/address.ts';
import { HOME_ID, INITIAL_WORKSPACE, open, setDirty, workspace } from '../lib/workspace-store.ts';
import type { Rendered } from '../testing/render.tsx';
import { click, renderWithHosts, until } from '../testing/render.tsx';
import { closeTab, closeTabs } from './close-tab.ts';
import { cycleRegion } from './regions.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

let page: Rendered | undefined;

beforeEach(() => {
  workspace.setState(INITIAL_WORKSPACE, true);
  // jsdom lays nothing out: here everything is shown that is not marked as hidden.
  vi.spyOn(Element.prototype, 'getClientRects').mockImplementation(function (this: Element) {
    return (this.closest('.hidden') === null ? [{}] : []) as unknown as DOMRectList;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await page?.close();
  page = undefined;
});

const WINDOW = (
  <>
    <nav data-region="rail">
      <button id="rail">Models</button>
    </nav>
    <main data-region="main" tabIndex={-1}>
      <button id="skipped" tabIndex={-1}>
        no stop
      </button>
      <input id="first" />
      <input id="second" />
    </main>
    <aside data-region="inspector" className="hidden">
      <button>hidden</button>
    </aside>
    <footer data-region="status" id="status" tabIndex={-1} />
  </>
);
const focused = (): string | undefined => document.activeElement?.id;

test('F6 goes around, to the first thing that takes the focus, past what is hidden', async () => {
  page = await renderWithHosts(WINDOW);
  const visited = Array.from({ length: 4 }, () => {
    cycleRegion(1);
    return focused();
  });
  expect(visited).toEqual(['rail', 'first', 'status', 'rail']);
});

test('and back, from anywhere in a region', async () => {
  page = await renderWithHosts(WINDOW);
  document.querySelector<HTMLElement>('#second')?.focus();
  cycleRegion(-1);
  expect(focused()).toBe('rail');
  cycleRegion(-1);
  expect(focused()).toBe('status');
});

test('without a region nothing moves', async () => {
  page = await renderWithHosts(<button id="alone">alone</button>);
  document.querySelector<HTMLElement>('#alone')?.focus();
  cycleRegion(1);
  expect(focused()).toBe('alone');
});

function Guarded() {
  useUnsavedGuard();
  return null;
}

/** True when the window would ask before it goes. */
function asks(): boolean {
  return !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}

test('the window asks before it goes only while there is text that is not saved', async () => {
  page = await renderWithHosts(<Guarded />);
  expect(asks()).toBe(false);
  open(address('models', { model: 'simple' }));
  const id = workspace.getState().activeId;
  setDirty(id, true);
  await until(() => expect(asks()).toBe(true));
  setDirty(id, false);
  await until(() => expect(asks()).toBe(false));
});

async function answerWith(choice: 'discard' | undefined): Promise<void> {
  const dialog = await until(() => page!.get('confirm'));
  if (choice === undefined) {
    const [cancel] = [...dialog.querySelectorAll<HTMLElement>('button')].filter(
      ({ textContent }) => textContent === 'Cancel',
    );
    await click(cancel!);
  } else await click(page!.get(`confirm-${choice}`));
}

test('a tab with unsaved text closes only when the user gives the text up', async () => {
  page = await renderWithHosts(null);
  open(address('models', { model: 'simple' }));
  const id = workspace.getState().activeId;
  setDirty(id, true);
  const kept = closeTab(id, 'simple');
  await answerWith(undefined);
  expect(await kept).toBe(false);
  expect(workspace.getState().tabs.some((tab) => tab.id === id)).toBe(true);
  const closed = closeTab(id, 'simple');
  await answerWith('discard');
  expect(await closed).toBe(true);
  expect(workspace.getState().tabs.some((tab) => tab.id === id)).toBe(false);
});

test('many tabs close one by one, each unsaved one with its question; the list of models stays', async () => {
  page = await renderWithHosts(null);
  for (const model of ['a', 'b']) open(address('models', { model }));
  const ids = workspace.getState().tabs.map(({ id }) => ({ id, name: id }));
  const [, first, second] = ids;
  setDirty(second!.id, true);
  const done = closeTabs(ids);
  await answerWith(undefined);
  await done;
  const left = workspace.getState().tabs.map(({ id }) => id);
  expect(left).toEqual([HOME_ID, second!.id]);
  expect(left).not.toContain(first!.id);
});
