// What the system would have to start at log-in to start this app.

import { app } from 'electron';

import type { Starter } from './login-start.ts';

/** The program and the arguments that start this app on this platform. */
export function currentStarter(): Starter {
  // An AppImage runs from a place that is gone when it ends.
  const program = process.env['APPIMAGE'] ?? process.execPath;
  return {
    platform: process.platform,
    command: app.isPackaged ? [program] : [program, app.getAppPath()],
    configFolder: app.getPath('appData'),
    setLoginItem: (settings) => app.setLoginItemSettings(settings),
  };
}
