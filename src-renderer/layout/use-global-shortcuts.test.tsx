// Keys of the window: carried out where no control uses them, never while somebody types.

import { afterEach, beforeEach, expect, test } from 'vitest';

import { registerCommand } from '../lib/command-registry.ts';
import { keymap } from '../lib/keymap.ts';
import type { Rendered } from '../testing/render.tsx';
import { press, renderView } from '../testing/render.tsx';
import { useGlobalShortcuts } from './use-global-shortcuts.ts';

let page: Rendered;
let runs: string[];
let offs: (() => void)[];

function Keys() {
  useGlobalShortcuts();
  return (
    <>
      <input data-testid="field" />
      <div className="monaco-editor">
        <button data-testid="editor">text</button>
      </div>
      <button data-testid="uses" onKeyDown={(event) => event.preventDefault()}>
        uses its keys
      </button>
    </>
  );
}

beforeEach(async () => {
  runs = [];
  keymap.setState({
    overrides: { 'view.toggleTheme': 'g', 'view.toggleBottomPanel': 'Mod+K', 'model.load': 'F7' },
  });
  offs = [['view.toggleTheme'], ['view.toggleBottomPanel'], ['model.load', 'Nothing is chosen']].map(
    ([id = '', reason]) => registerCommand(id, { run: () => runs.push(id), disabledReason: () => reason }),
  );
  page = await renderView(<Keys />);
});
afterEach(async () => {
  offs.forEach((off) => off());
  keymap.setState({ overrides: {} });
  await page.close();
});

test('a letter is a command, but not in a field', async () => {
  await press(page.get('editor'), 'g');
  await press(page.get('field'), 'g');
  expect(runs).toEqual(['view.toggleTheme']);
});

test('Mod+K works in fields, and is left to the editor', async () => {
  await press(page.get('field'), 'k', { ctrlKey: true });
  await press(page.get('editor'), 'k', { ctrlKey: true });
  expect(runs).toEqual(['view.toggleBottomPanel']);
});

test('a key that a control has used is used up', async () => {
  await press(page.get('uses'), 'g');
  expect(runs).toEqual([]);
});

test('a command that cannot run now does not leave its key to the browser', () => {
  const event = new KeyboardEvent('keydown', { key: 'F7', bubbles: true, cancelable: true });
  page.get('editor').dispatchEvent(event);
  expect([runs, event.defaultPrevented]).toEqual([[], true]);
});
