// The main window: made, remembered in size and place, brought back, closed. One window; everything in it is the page's.

import { BrowserWindow, ipcMain, nativeTheme, screen } from 'electron';
import type { IpcMainEvent, IpcMainInvokeEvent, Rectangle, WebContents } from 'electron';

import type { ShellRequest } from '../../../src-shared/contract/shell-calls.ts';
import { SHELL_CHANNELS } from '../../../src-shared/contract/shell-channels.ts';
import { getLogger } from '../../base/log.ts';
import { showContextMenus } from './context-menu.ts';
import { choose } from './dialogs.ts';
import { PageRequests } from './page-requests.ts';
import { isFromPage } from './page-rights.ts';
import { watchHealth } from './window-health.ts';
import type { WindowState } from './window-state.ts';
import { fittingSize, leastSize, visibleBounds } from './window-state.ts';

const log = getLogger('shell');

interface WindowOptions {
  readonly address: string;
  readonly developmentUrl: string | undefined;
  readonly preloadFile: string;
  readonly iconFile: string;
  readonly state: WindowState;
}

const DEFAULT_SIZE = { width: 1360, height: 860 };
/** Below it columns are hidden. A screen may be smaller, also one that shows everything twice as large. */
const LEAST_SIZE = { width: 960, height: 640 };
/** Colours of the page's ground before it has drawn anything. */
const GROUND = { light: '#f2f4f7', dark: '#0e1115' };

/** Of the main screen first. */
function workAreas(): readonly Rectangle[] {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main, ...others].map(({ workArea }) => workArea);
}

/**
 * Requests to a page that does not listen yet are kept for it. A window whose page has unsaved text closes only
 * once the user agreed.
 */
export class Windows {
  readonly #options: WindowOptions;
  #window: BrowserWindow | undefined;
  readonly #requests = new PageRequests();
  /** Unsaved text may be lost: the user said so, or the session ends. */
  #mayLeave = false;
  #stay: () => void = () => undefined;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  /** `undefined` while there is no window. */
  get current(): BrowserWindow | undefined {
    return this.#window;
  }

  /** True for messages of our own page in our own window, not of a frame in it. */
  readonly isOurs = (event: IpcMainEvent | IpcMainInvokeEvent): boolean =>
    this.#window !== undefined && isFromPage(event, this.#window.webContents, this.#options.developmentUrl);

  /** Starts answering pages that want to hear requests. */
  listen(): void {
    ipcMain.on(SHELL_CHANNELS.wantRequests, (event) => {
      if (!this.isOurs(event)) return;
      const { sender } = event;
      this.#requests.listens((request) => sender.send(SHELL_CHANNELS.request, request));
    });
  }

  /** The user keeps text that is not saved, so the window stays, and with it the app. */
  onStay(listener: () => void): void {
    this.#stay = listener;
  }

  /** Tells the page, as soon as there is one that listens. */
  request(request: ShellRequest): void {
    this.#requests.tell(request);
  }

  /** Shows the window, making it when there is none. */
  show(): void {
    const window = this.#window;
    if (window === undefined) {
      this.#create();
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** What must not be lost when the system ends the session without asking. */
  remember(): void {
    const window = this.#window;
    if (window === undefined || window.isDestroyed()) return;
    this.#options.state.remember({ ...window.getNormalBounds(), isMaximized: window.isMaximized() });
  }

  /** Closes without asking about unsaved text. */
  leave(): void {
    this.#mayLeave = true;
    this.#window?.close();
  }

  #create(): void {
    const { address, preloadFile, iconFile, state } = this.#options;
    const { place } = state;
    const screens = workAreas();
    const least = leastSize(LEAST_SIZE, screens);
    const window = new BrowserWindow({
      ...(place === undefined ? fittingSize(DEFAULT_SIZE, screens) : visibleBounds(place, screens)),
      minWidth: least.width,
      minHeight: least.height,
      show: false,
      title: 'Conch',
      icon: iconFile,
      backgroundColor: nativeTheme.shouldUseDarkColors ? GROUND.dark : GROUND.light,
      webPreferences: {
        preload: preloadFile,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        spellcheck: false,
      },
    });
    this.#window = window;
    this.#mayLeave = false;
    this.#requests.gone();
    window.once('ready-to-show', () => {
      if (place?.isMaximized === true) window.maximize();
      window.show();
    });
    window.on('close', () => this.remember());
    window.once('closed', () => {
      this.#window = undefined;
      this.#requests.gone();
    });
    watchHealth(window, () => this.#mayLeave);
    showContextMenus(window);
    this.#followPage(window, window.webContents);
    // Also fails when the window goes before its page has come: nobody is left to tell, and an unanswered failure would
    // end the app with exit code 1.
    window.loadURL(address).catch((thrown: unknown) => {
      if (!window.isDestroyed()) log.warn(`the window could not load its page: ${String(thrown)}`);
    });
  }

  #followPage(window: BrowserWindow, contents: WebContents): void {
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) this.#requests.gone();
    });
    contents.on('render-process-gone', () => this.#requests.gone());
    // Such a page would stay in silence: nobody else asks on its behalf.
    contents.on('will-prevent-unload', (event) => {
      if (this.#mayLeave) event.preventDefault();
      else void this.#askToLeave(window);
    });
  }

  async #askToLeave(window: BrowserWindow): Promise<void> {
    const answer = await choose(window, {
      type: 'question',
      message: 'There are changes that are not saved.',
      detail: 'A configuration was edited and not saved. Its changes are lost when the window closes.',
      buttons: ['Keep the window open', 'Discard the changes'],
    });
    // The end of the session closed it meanwhile.
    if (window.isDestroyed()) return;
    if (answer === 'Discard the changes') this.leave();
    else this.#stay();
  }
}
