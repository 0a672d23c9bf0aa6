// Going to dialogs by keys alone: whatever opens one has the focus, and gets it back.

import type { Locator, Page } from '@playwright/test';

import { expect, test } from './app-test.ts';
import type { AppUnderTest } from './app-test.ts';
import type { DialogFacts } from './dialog-check.ts';
import { expectDialog, expectEscape } from './dialog-check.ts';
import { AppPage } from '../pages/app-page.ts';

/** The window of an app for somebody without a mouse. */
export class Keys {
  /** What the keys go to. */
  readonly page: Page;
  readonly frame: AppPage;

  constructor({ page }: AppUnderTest) {
    this.page = page;
    this.frame = new AppPage(page);
  }

  /** What has that test id. */
  get(id: string): Locator {
    return this.page.getByTestId(id);
  }

  /** Goes there by key, whatever had the focus. */
  async press(target: Locator, key = 'Enter'): Promise<void> {
    await target.focus();
    await this.page.keyboard.press(key);
  }

  /** Opens a model from the list, and one of its tabs. */
  async model(name: string, tab?: string): Promise<void> {
    await this.press(this.get('rail-models'));
    await this.press(this.frame.modelRow(name));
    await expect(this.get(`model-view-${name}`)).toBeVisible();
    if (tab !== undefined) await this.press(this.get(`model-tab-${tab}`));
  }

  /** All of one dialog; it is closed afterwards. `open` is pressed by Enter, and has the focus in the end. */
  async walk(testId: string, open: Locator, facts: Omit<DialogFacts, 'testId' | 'opener'>): Promise<void> {
    await this.press(open);
    await this.walkOpen({ testId, opener: open, ...facts });
  }

  /** Of one that is open or opening; it is closed afterwards. */
  async walkOpen(facts: DialogFacts): Promise<void> {
    await test.step(facts.testId, async () => {
      await expectDialog(this.page, facts);
      await expectEscape(this.page, facts);
    });
  }

  /** Takes a file in the picker of the page by its path. */
  async bringIn(path: string): Promise<Locator> {
    await this.press(this.get('rail-models'));
    const opener = this.get('models-add');
    await this.press(opener, 'ControlOrMeta+Shift+O');
    return this.takeFile(path, opener);
  }

  /** In a picker that is open or opening; gives `opener`, which the focus goes back to in the end. */
  async takeFile(path: string, opener: Locator): Promise<Locator> {
    await this.press(this.get('picker-type'));
    await expect(this.get('picker-text')).toBeFocused();
    await this.page.keyboard.type(path);
    await this.page.keyboard.press('Enter');
    await expect(this.get('picker-choose')).not.toHaveAttribute('aria-disabled', 'true');
    await this.press(this.get('picker-choose'));
    return opener;
  }

  /** The first button of that name in a dialog. */
  inDialog(testId: string, name: string): Locator {
    return this.get(testId).getByRole('button', { name, exact: true }).first();
  }
}
