// Drop zones, the picker of pages without native dialogs, the import dialogs.

import type { Locator } from '@playwright/test';
import { expect } from '@playwright/test';
import path from 'node:path';

import { answerOpenDialog } from '../harness/electron-app.ts';
import type { AppUnderTest } from '../harness/launch-app.ts';

/** In the desktop app the dialogs of the system are answered for the test. */
export class ImportPage {
  readonly #app: AppUnderTest;

  constructor(app: AppUnderTest) {
    this.#app = app;
  }

  /** The dialog that asks about an ONNX file. */
  get wizard(): Locator {
    return this.#app.page.getByTestId('wizard-dialog');
  }

  /** The dialog that asks about a dropped folder of models. */
  get repositoryDialog(): Locator {
    return this.#app.page.getByTestId('repository-dialog');
  }

  /** Only there while something is dragged over the window. */
  zone(intent: 'copy' | 'link' | 'inspect'): Locator {
    return this.#app.page.getByTestId(`drop-zone-${intent}`);
  }

  /**
   * Opens the picker by `ask`, walks from its root to an entry, and takes it. In the desktop app the system's dialog is
   * answered with that path.
   */
  async pick(ask: Locator, root: string, names: readonly string[]): Promise<void> {
    const { electron } = this.#app;
    if (electron !== undefined) {
      await answerOpenDialog(electron, [path.join(root, ...names)]);
      await ask.click();
      return;
    }
    await ask.click();
    await this.walk(root, names);
  }

  /** In the picker of a page without native dialogs. */
  async walk(root: string, names: readonly string[]): Promise<void> {
    const { page } = this.#app;
    const shown = page.getByTestId('picker-path');
    let folder = root;
    for (const [at, name] of names.entries()) {
      await expect(shown).toHaveText(folder);
      const entry = page.getByTestId(`picker-entry-${name}`);
      if (at === names.length - 1) await entry.click();
      else await entry.dblclick();
      folder = `${folder}/${name}`;
    }
    await page.getByTestId('picker-choose').click();
  }
}
