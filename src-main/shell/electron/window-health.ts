// A page that crashed or hangs is said, with a way back: otherwise a blank or frozen window stays, while the server goes
// on serving behind it.

import type { BrowserWindow, RenderProcessGoneDetails } from 'electron';

import { getLogger } from '../../base/log.ts';
import { choose } from './dialogs.ts';
import { exitCodeText } from '../../base/exit-text.ts';

const log = getLogger('shell');

const GOES_ON = 'The server goes on, and nothing that was saved is lost.';
const REASONS: Readonly<Record<string, string>> = {
  crashed: 'it crashed',
  oom: 'it ran out of memory',
  killed: 'it was ended by the system',
  'memory-eviction': 'the system took its memory back',
  'launch-failed': 'it could not be started',
  'integrity-failure': 'the system refused to run it',
};

function goneText({ reason, exitCode }: RenderProcessGoneDetails): string {
  return `Why: ${REASONS[reason] ?? reason} (${exitCodeText(exitCode)}). ${GOES_ON}`;
}

/** Watches the page of a window. `isLeaving` = its end is wanted. */
export function watchHealth(window: BrowserWindow, isLeaving: () => boolean): void {
  const contents = window.webContents;
  let isAsking = false;
  let isEndedByUs = false;
  const ask = async (
    message: string,
    detail: string,
    reload: () => void,
    buttons: readonly string[],
  ): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    log.error(`${message} ${detail}`);
    const chosen = await choose(window, { message, detail, buttons });
    isAsking = false;
    if (window.isDestroyed()) return;
    if (chosen === 'Reload') reload();
    else if (chosen === 'Close window') window.destroy();
  };
  contents.on('render-process-gone', (_event, details) => {
    if (isLeaving() || isEndedByUs || details.reason === 'clean-exit') return;
    const reload = (): void => contents.reload();
    void ask('The window stopped working.', goneText(details), reload, ['Reload', 'Close window']);
  });
  window.on('unresponsive', () => {
    if (isLeaving()) return;
    const reload = (): void => {
      // A page that runs for ever cannot be asked to unload.
      isEndedByUs = true;
      contents.once('did-finish-load', () => (isEndedByUs = false));
      contents.forcefullyCrashRenderer();
      contents.reload();
    };
    void ask('The window does not answer.', GOES_ON, reload, ['Wait', 'Reload']);
  });
}
