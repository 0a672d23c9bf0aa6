// The recent repositories where the platform itself shows such a list: the dock's menu on macOS, the jump list on
// Windows. Linux desktops have no such place; the app's own menu has the list everywhere.

import { app, Menu } from 'electron';
import path from 'node:path';

import { jumpList } from './jump-list.ts';

/** Fills the dock's menu or the jump list; does nothing on Linux, which has neither. */
export function showRecentPlaces(paths: readonly string[], open: (repository: string) => void): void {
  if (process.platform === 'darwin') {
    const items = paths.map((repository) => ({
      label: path.basename(repository),
      click: () => open(repository),
    }));
    app.dock?.setMenu(Menu.buildFromTemplate(items));
  }
  if (process.platform === 'win32') {
    const before = app.isPackaged ? [] : [app.getAppPath()];
    app.setJumpList(jumpList(process.execPath, before, paths));
  }
}
