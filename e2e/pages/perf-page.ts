// The Perf lab. Tests choose a model and a load, start, and wait for the run; numbers are read from tables.

import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';

import type { AppUnderTest } from '../harness/launch-app.ts';

/** One run at a time; waiting for a run has the patience of a whole measurement. */
export class PerfPage {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Ends when the form has a plan for `model`, which must be ready. */
  async open(model: string): Promise<void> {
    await this.#page.getByTestId('rail-perf').click();
    await this.#page.getByTestId('perf-model').click();
    await this.#page.getByRole('option', { name: model, exact: true }).click();
    await expect(this.#page.getByTestId('perf-command')).toHaveValue(new RegExp(`-m ${model}\\b`));
  }

  /** Windows of that length at these loads. */
  async plan(loads: string, windowMs: number): Promise<void> {
    await this.#page.getByTestId('perf-levels').getByText('List').click();
    await this.#page.getByTestId('perf-list').fill(loads);
    await this.#page.getByTestId('perf-interval').fill(String(windowMs));
    await this.#page.getByTestId('perf-stabilityPercent').fill('10');
    await this.#page.getByTestId('perf-maxWindows').fill('3');
    await this.#page.getByTestId('perf-fixedRequestCount').fill('0');
    await this.#page.keyboard.press('Tab');
  }

  /** So many requests at these loads: a short window of a busy machine may have no answer in it, which fails a run. */
  async planRequests(loads: string, count: number): Promise<void> {
    await this.plan(loads, 1000);
    await this.#page.getByTestId('perf-fixedRequestCount').fill(String(count));
    await this.#page.keyboard.press('Tab');
  }

  /** Levels at these loads that never count as stable: they go on until somebody ends them. */
  async planWithoutEnd(loads: string): Promise<void> {
    await this.plan(loads, 2000);
    await this.#page.getByTestId('perf-stabilityPercent').fill('0');
    await this.#page.getByTestId('perf-maxWindows').fill('10000');
    await this.#page.keyboard.press('Tab');
  }

  /** Starts a run, which is then shown. */
  async start(name: string): Promise<void> {
    await this.#page.getByTestId('perf-name').fill(name);
    await this.#page.getByTestId('perf-start').click();
    await expect(this.#page.getByRole('heading', { name })).toBeVisible();
  }

  /** Starts and waits until the run of that name is done. */
  async run(name: string): Promise<void> {
    await this.start(name);
    await expect(this.shownRun).toHaveAttribute('data-state', 'done', { timeout: 60_000 });
  }

  /** Of the run that is looked at, whether it goes on or not. */
  get shownRun(): Locator {
    return this.#page.getByTestId('perf-run');
  }

  /** Rows of the table of results, one per level that ended. */
  get levels(): Locator {
    return this.#page.locator('[data-testid="perf-results-table"] tbody tr');
  }

  /** Saves a run as a file and gives its text. */
  async export(app: AppUnderTest, entry: string): Promise<string> {
    return (await this.exportBytes(app, entry)).toString('utf8');
  }

  /** `entry`: what the menu calls it. The contents of the file that was saved. */
  async exportBytes(app: AppUnderTest, entry: string): Promise<Buffer> {
    const { file } = await app.savedFile(async () => {
      await this.#page.getByTestId('perf-export').click();
      await this.#page.getByRole('menuitem', { name: entry }).click();
    });
    return readFile(file);
  }
}
