// The application menu of the system, which follows what it shows.

import { app, Menu } from 'electron';

import type { MenuActions, MenuState } from './menu-template.ts';
import { menuTemplate } from './menu-template.ts';

/** Builds the menu anew whenever what it shows has changed. */
export class AppMenu {
  readonly #actions: MenuActions;
  #state: MenuState = {
    isMac: process.platform === 'darwin',
    keys: {},
    recent: [],
    server: 'unknown',
  };

  constructor(actions: Omit<MenuActions, 'showAbout'>) {
    this.#actions = { ...actions, showAbout: () => app.showAboutPanel() };
    this.#show();
  }

  /** What is the same as before draws nothing anew, so that an open menu stays. */
  update(change: Partial<MenuState>): void {
    const next = { ...this.#state, ...change };
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return;
    this.#state = next;
    this.#show();
  }

  #show(): void {
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(this.#actions, this.#state)));
  }
}
