// The window as a user sees it: frame, list of models, one model. Tests speak of places, not of selectors.

import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** The entries of the rail. */
export type RailItem = 'models' | 'perf' | 'analyzer' | 'traces' | 'server' | 'settings';

/** Locators wait by themselves; methods end when what they open is there. */
export class AppPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The server's part of the status bar. */
  get statusServer(): Locator {
    return this.#page.getByTestId('status-server');
  }

  /** Every message at the bottom right. */
  get toasts(): Locator {
    return this.#page.locator('[data-testid^="toast-"]');
  }

  /** The button of a screen. */
  rail(item: RailItem): Locator {
    return this.#page.getByTestId(`rail-${item}`);
  }

  /** Of the list of models; it may be out of view, and then is not in the page. */
  modelRow(name: string): Locator {
    return this.#page.getByTestId(`model-row-${name}`);
  }

  /** The state in that row. */
  modelState(name: string): Locator {
    return this.#page.getByTestId(`model-state-${name}`);
  }

  /** In the list, or in the header of the model's tab. */
  async expectState(name: string, state: string): Promise<void> {
    const shown = this.modelState(name).or(this.#page.getByTestId(`model-header-state-${name}`));
    await expect(shown.first()).toHaveAttribute('data-state', state);
  }

  /** Presses the button in the rail. */
  async openScreen(item: RailItem): Promise<void> {
    await this.rail(item).click();
  }

  /** Opens the tab of a model from the list. */
  async openModel(name: string): Promise<void> {
    await this.openScreen('models');
    await this.modelRow(name).dblclick();
    await expect(this.#page.getByTestId(`model-view-${name}`)).toBeVisible();
  }

  /** Areas on the rail, as their test ids name them. */
  async railAreas(): Promise<readonly string[]> {
    return this.#idsAfter('rail-');
  }

  /** Sub-tabs of the model that is shown. */
  async modelTabs(): Promise<readonly string[]> {
    return this.#idsAfter('model-tab-');
  }

  async #idsAfter(prefix: string): Promise<readonly string[]> {
    const items = this.#page.locator(`[data-testid^="${prefix}"]`);
    await items.first().waitFor();
    const ids = await items.evaluateAll((all) => all.map((item) => item.getAttribute('data-testid') ?? ''));
    return ids.map((id) => id.slice(prefix.length)).filter((id) => /^[a-z]+$/.test(id));
  }

  /** With the key for it; the palette is the answer. */
  async openPalette(): Promise<Locator> {
    await this.#page.keyboard.press('F1');
    return this.#page.getByTestId('palette');
  }

  /** Runs a command of the palette by its words. */
  async command(text: string): Promise<void> {
    const palette = await this.openPalette();
    await expect(palette).toBeVisible();
    await this.#page.keyboard.type(text);
    await expect(palette.getByRole('option').first()).toContainText(text.split(' ')[0] ?? text);
    await this.#page.keyboard.press('Enter');
    await expect(palette).toBeHidden();
  }
}
