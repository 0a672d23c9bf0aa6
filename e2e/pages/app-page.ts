// The frame of the window: rail, status bar, palette. Tests speak of places, not of selectors.

import type { Locator, Page } from '@playwright/test';

export type RailItem = 'models' | 'perf' | 'analyzer' | 'traces' | 'server' | 'settings';

export class AppPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get statusServer(): Locator {
    return this.#page.getByTestId('status-server');
  }

  rail(item: RailItem): Locator {
    return this.#page.getByTestId(`rail-${item}`);
  }

  modelRow(name: string): Locator {
    return this.#page.getByTestId(`model-row-${name}`);
  }

  modelState(name: string): Locator {
    return this.#page.getByTestId(`model-state-${name}`);
  }

  async openPalette(): Promise<Locator> {
    await this.#page.keyboard.press('F1');
    return this.#page.getByTestId('palette');
  }
}
