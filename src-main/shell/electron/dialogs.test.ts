// What a box of the system asks, and what counts when nobody presses a button, with a stand-in for Electron.

import { dialog } from 'electron';
import type { MessageBoxOptions } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';

import { askToEndWork, choose } from './dialogs.ts';

vi.mock('electron', () => ({ dialog: { showMessageBox: vi.fn() } }));

const shown = vi.mocked(dialog.showMessageBox as (options: MessageBoxOptions) => Promise<unknown>);

/** The user presses the button of this number; undefined: closes the box, for which the system gives `cancelId`. */
function answer(button: number | undefined): void {
  shown.mockImplementation(({ cancelId = 0 }) => Promise.resolve({ response: button ?? cancelId }));
}

beforeEach(() => void shown.mockReset());

test('a box that is only closed loses nothing: that is the first button, as with Enter', async () => {
  answer(undefined);
  const buttons = ['Keep the window open', 'Discard the changes'];
  expect(await choose(undefined, { message: 'm', detail: 'd', buttons })).toBe('Keep the window open');
  expect(shown.mock.calls[0]?.[0]).toMatchObject({ buttons, defaultId: 0 });
  expect(await askToEndWork(undefined, ['Sweep of batch_mlp'])).toBe(false);
});

test('the button that was pressed counts', async () => {
  answer(1);
  expect(await askToEndWork(undefined, ['Sweep', 'Search'])).toBe(true);
  expect(shown.mock.calls[0]?.[0]).toMatchObject({ message: '2 pieces of work are still under way.' });
});
