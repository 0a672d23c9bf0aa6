// Apart from the calls of the shell, whose schemas are more than the page has to load before it shows something.

/** Commands of the native menu that the page carries out; names are those of the command palette. */
export const SHELL_COMMANDS = [
  'repository.add',
  'repository.importOnnx',
  'palette.open',
  'goto.open',
  'settings.open',
  'help.shortcuts',
  'help.firstRun',
  'view.toggleTheme',
  'view.toggleBottomPanel',
  'view.resetLayout',
  'server.start',
  'server.stop',
  'logs.reveal',
] as const;
/** A command that the menu of the app can give to the page. */
export type ShellCommand = (typeof SHELL_COMMANDS)[number];
