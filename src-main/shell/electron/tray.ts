// The icon in the tray: says whether Conch serves and where, starts and stops it, and brings the window back. Some
// desktops have no tray; then nothing is shown, and starting the app again brings the window back.

import { Menu, nativeImage, Tray } from 'electron';

import type { ServerView } from '../../../src-shared/contract/observe-views.ts';
import { getLogger } from '../../base/log.ts';
import type { TrayActions } from './tray-menu.ts';
import { servingText, trayTemplate } from './tray-menu.ts';

const log = getLogger('shell');
const SIZE = 22;

/** Shows and hides the icon, and follows the server. */
export class ServingTray {
  readonly #iconFile: string;
  readonly #actions: TrayActions;
  #tray: Tray | undefined;
  #view: ServerView | undefined;
  #shown = '';

  constructor(iconFile: string, actions: TrayActions) {
    this.#iconFile = iconFile;
    this.#actions = actions;
  }

  /** Idempotent. Where the desktop has no tray nothing happens. */
  setVisible(isVisible: boolean): void {
    if (!isVisible) this.destroy();
    else if (this.#tray === undefined) this.#create();
  }

  /** `undefined`: no engine tells. */
  setServer(view: ServerView | undefined): void {
    this.#view = view;
    this.#draw();
  }

  /** Takes the icon out; `setVisible` brings it back. */
  destroy(): void {
    this.#tray?.destroy();
    this.#tray = undefined;
    this.#shown = '';
  }

  #create(): void {
    try {
      const image = nativeImage.createFromPath(this.#iconFile).resize({ width: SIZE, height: SIZE });
      this.#tray = new Tray(image);
    } catch (thrown) {
      log.warn(`no tray icon: ${String(thrown)}`);
      return;
    }
    this.#tray.on('click', this.#actions.open);
    this.#draw();
  }

  /** Only what changed: on some desktops each new menu closes the one that is open. */
  #draw(): void {
    const text = `${servingText(this.#view)} ${this.#view?.state ?? ''}`;
    if (this.#tray === undefined || text === this.#shown) return;
    this.#shown = text;
    this.#tray.setToolTip(`Conch - ${servingText(this.#view)}`);
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(this.#view, this.#actions)));
  }
}
