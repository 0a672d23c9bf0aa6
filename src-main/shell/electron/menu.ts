// The application menu. Items that concern the page are sent to it as commands of its palette.

import type { MenuItemConstructorOptions } from 'electron';
import { Menu } from 'electron';

import type { ShellCommand } from '../../../src-shared/contract/shell-calls.ts';

export type SendCommand = (command: ShellCommand) => void;

/** The menu as data. `isMac` puts the app menu in front, as the platform wants it. */
export function menuTemplate(send: SendCommand, isMac: boolean): MenuItemConstructorOptions[] {
  const item = (label: string, command: ShellCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => send(command),
    // The page handles its own keys (they can be remapped); the menu shows them only.
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
  });
  return [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    {
      label: '&File',
      submenu: [
        item('Add repository...', 'repository.add', 'CmdOrCtrl+O'),
        item('Import ONNX file...', 'repository.importOnnx', 'CmdOrCtrl+Shift+O'),
        { type: 'separator' },
        item('Settings', 'settings.open', 'CmdOrCtrl+,'),
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        item('Go to...', 'goto.open', 'CmdOrCtrl+P'),
        item('Commands...', 'palette.open', 'CmdOrCtrl+Shift+P'),
        { type: 'separator' },
        item('Toggle bottom panel', 'view.toggleBottomPanel', 'CmdOrCtrl+J'),
        item('Toggle theme', 'view.toggleTheme'),
        item('Reset layout', 'view.resetLayout'),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        { role: 'toggleDevTools' },
      ],
    },
    {
      label: '&Server',
      submenu: [item('Start', 'server.start'), item('Stop', 'server.stop')],
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [item('Keyboard shortcuts', 'help.shortcuts', '?')] },
  ];
}

export function setupMenu(send: SendCommand): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(send, process.platform === 'darwin')));
}
