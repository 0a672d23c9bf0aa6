// The application menu as data, in the order of each platform. Items that concern the page are sent to it as commands of
// its palette; their keys are those that work in the page now.

import type { MenuItemConstructorOptions } from 'electron';
import path from 'node:path';

import type { ShellCommand } from '../../../src-shared/contract/shell-commands.ts';
import { acceleratorOf } from './accelerators.ts';

type Item = MenuItemConstructorOptions;

/** What the items of the menu do. */
export interface MenuActions {
  /** To the page of the window, which is made when there is none. */
  readonly send: (command: ShellCommand) => void;
  /** An absolute path of the list. */
  readonly openRecent: (repository: string) => void;
  /** Empties the list; what is open stays open. */
  readonly clearRecent: () => void;
  /** Shows the panel that names the app and its version. */
  readonly showAbout: () => void;
}

/** What the menu shows at the moment. */
export interface MenuState {
  readonly isMac: boolean;
  /** Command to shortcut, as the page has it; a command that is missing keeps its default. */
  readonly keys: Readonly<Record<string, string>>;
  readonly recent: readonly string[];
  readonly server: 'running' | 'stopped' | 'unknown';
}

/** Until the page has said which keys it uses. */
const DEFAULT_KEYS: Readonly<Partial<Record<ShellCommand, string>>> = {
  'repository.add': 'Mod+O',
  'repository.importOnnx': 'Mod+Shift+O',
  'settings.open': 'Mod+,',
  'goto.open': 'Mod+P',
  'palette.open': 'Mod+Shift+P',
  'view.toggleBottomPanel': 'Mod+J',
  'help.shortcuts': '?',
};

const SEPARATOR: Item = { type: 'separator' };

/** Without the key that the page closes a tab with. */
const CLOSE_WINDOW: Item = { role: 'close', label: 'Close window', accelerator: 'CmdOrCtrl+Shift+W' };

const EDIT_MENU: Item = {
  label: '&Edit',
  submenu: [
    { role: 'undo', label: 'Undo' },
    { role: 'redo', label: 'Redo' },
    SEPARATOR,
    { role: 'cut', label: 'Cut' },
    { role: 'copy', label: 'Copy' },
    { role: 'paste', label: 'Paste' },
    { role: 'delete', label: 'Delete' },
    SEPARATOR,
    { role: 'selectAll', label: 'Select all' },
  ],
};

/** Electron's own also offers macOS's zoom, which does nothing elsewhere. */
const WINDOW_MENU: Item = {
  label: '&Window',
  submenu: [{ role: 'minimize', label: 'Minimize' }, CLOSE_WINDOW],
};

/** "models - /home/ada/work" */
function recentLabel(repository: string): string {
  return `${path.basename(repository)} - ${path.dirname(repository)}`.replaceAll('&', '&&');
}

class MenuBuilder {
  readonly #actions: MenuActions;
  readonly #state: MenuState;

  constructor(actions: MenuActions, state: MenuState) {
    this.#actions = actions;
    this.#state = state;
  }

  build(): Item[] {
    const { isMac } = this.#state;
    return [
      ...(isMac ? [this.#appMenu()] : []),
      this.#fileMenu(),
      // macOS adds what is its own.
      isMac ? { role: 'editMenu' } : EDIT_MENU,
      this.#viewMenu(),
      this.#serverMenu(),
      isMac ? { role: 'windowMenu' } : WINDOW_MENU,
      this.#helpMenu(),
    ];
  }

  #command(label: string, command: ShellCommand, more: Item = {}): Item {
    const accelerator = acceleratorOf(this.#state.keys[command] ?? DEFAULT_KEYS[command] ?? '');
    // The page handles its own keys, so elsewhere the menu shows them only. macOS knows no such keys: there the menu
    // takes a key that the page has not handled.
    const keys = accelerator === undefined ? {} : { accelerator, registerAccelerator: this.#state.isMac };
    return { label, click: () => this.#actions.send(command), ...keys, ...more };
  }

  #appMenu(): Item {
    return {
      role: 'appMenu',
      submenu: [
        { role: 'about' },
        SEPARATOR,
        this.#command('Settings...', 'settings.open'),
        SEPARATOR,
        { role: 'services' },
        SEPARATOR,
        { role: 'hide' },
        { role: 'hideOthers' },
        { role: 'unhide' },
        SEPARATOR,
        { role: 'quit' },
      ],
    };
  }

  #fileMenu(): Item {
    const { isMac } = this.#state;
    return {
      label: '&File',
      submenu: [
        this.#command('Add repository...', 'repository.add'),
        this.#recentMenu(),
        this.#command('Import ONNX file...', 'repository.importOnnx'),
        SEPARATOR,
        ...(isMac ? [] : [this.#command('Settings', 'settings.open'), SEPARATOR]),
        isMac ? CLOSE_WINDOW : { role: 'quit' },
      ],
    };
  }

  #recentMenu(): Item {
    const { recent } = this.#state;
    const items = recent.map((repository): Item => ({
      label: recentLabel(repository),
      click: () => this.#actions.openRecent(repository),
    }));
    const none: Item = { label: 'No recent repositories', enabled: false };
    const clear: Item = { label: 'Clear list', click: () => this.#actions.clearRecent() };
    return {
      id: 'recent',
      label: 'Open recent',
      submenu: items.length === 0 ? [none] : [...items, SEPARATOR, clear],
    };
  }

  #viewMenu(): Item {
    return {
      label: '&View',
      submenu: [
        this.#command('Go to...', 'goto.open'),
        this.#command('Commands...', 'palette.open'),
        SEPARATOR,
        this.#command('Toggle bottom panel', 'view.toggleBottomPanel'),
        this.#command('Toggle theme', 'view.toggleTheme'),
        this.#command('Reset layout', 'view.resetLayout'),
        SEPARATOR,
        { role: 'resetZoom', label: 'Actual size' },
        { role: 'zoomIn', label: 'Zoom in' },
        // The key that most keyboards have plus on.
        { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false, acceleratorWorksWhenHidden: true },
        { role: 'zoomOut', label: 'Zoom out' },
        { role: 'togglefullscreen', label: 'Toggle full screen' },
        { role: 'toggleDevTools', label: 'Toggle developer tools' },
      ],
    };
  }

  #serverMenu(): Item {
    const { server } = this.#state;
    return {
      label: '&Server',
      submenu: [
        this.#command('Start', 'server.start', { enabled: server === 'stopped' }),
        this.#command('Stop', 'server.stop', { enabled: server === 'running' }),
        SEPARATOR,
        this.#command('Show log file', 'logs.reveal'),
      ],
    };
  }

  #helpMenu(): Item {
    return {
      role: 'help',
      submenu: [
        this.#command('Welcome page and samples', 'help.firstRun'),
        this.#command('Keyboard shortcuts', 'help.shortcuts'),
        ...(this.#state.isMac
          ? []
          : [SEPARATOR, { label: 'About Conch', click: () => this.#actions.showAbout() }]),
      ],
    };
  }
}

/** The menu as data. */
export function menuTemplate(actions: MenuActions, state: MenuState): Item[] {
  return new MenuBuilder(actions, state).build();
}
