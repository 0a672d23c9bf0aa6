// The main window: made, remembered in size and place, brought back. One window; everything in it is the page's.

import { BrowserWindow, screen } from 'electron';
import type { WebContents } from 'electron';

import { isOurPage } from './page-address.ts';
import type { WindowBounds, WindowState } from './window-state.ts';

export interface WindowOptions {
  readonly address: string;
  readonly developmentUrl: string;
  readonly preloadFile: string;
  readonly iconFile: string;
  readonly state: WindowState;
}

const DEFAULT_SIZE = { width: 1360, height: 860 };

export class Windows {
  readonly #options: WindowOptions;
  #window: BrowserWindow | undefined;

  constructor(options: WindowOptions) {
    this.#options = options;
  }

  get current(): BrowserWindow | undefined {
    return this.#window;
  }

  /** True for messages of our own page in our own window. */
  isOurs(contents: WebContents): boolean {
    return (
      this.#window !== undefined &&
      contents === this.#window.webContents &&
      isOurPage(contents.getURL(), this.#options.developmentUrl)
    );
  }

  /** Shows the window, making it when there is none. */
  show(): void {
    if (this.#window !== undefined) {
      if (this.#window.isMinimized()) this.#window.restore();
      this.#window.focus();
      return;
    }
    const { address, preloadFile, iconFile, state } = this.#options;
    const window = new BrowserWindow({
      ...DEFAULT_SIZE,
      ...visibleBounds(state.bounds),
      minWidth: 960,
      minHeight: 640,
      show: false,
      title: 'Conch',
      icon: iconFile,
      webPreferences: { preload: preloadFile, sandbox: true, contextIsolation: true, nodeIntegration: false },
    });
    this.#window = window;
    window.once('ready-to-show', () => window.show());
    window.on('close', () => state.remember(window.getNormalBounds()));
    window.once('closed', () => {
      this.#window = undefined;
    });
    void window.loadURL(address);
  }
}

/** Stored bounds, unless the screen they were on is gone. */
function visibleBounds(bounds: WindowBounds | undefined): Partial<WindowBounds> {
  if (bounds === undefined) return {};
  const isVisible = screen.getAllDisplays().some(({ workArea }) => {
    const right = Math.min(bounds.x + bounds.width, workArea.x + workArea.width);
    const bottom = Math.min(bounds.y + bounds.height, workArea.y + workArea.height);
    return right - Math.max(bounds.x, workArea.x) > 100 && bottom - Math.max(bounds.y, workArea.y) > 100;
  });
  return isVisible ? bounds : { width: bounds.width, height: bounds.height };
}
