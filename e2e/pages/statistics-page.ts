// The Statistics tab of a model as the tests use it. Charts are read as tables.

import type { Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';

import { AppPage } from './app-page.ts';

/** One row of a chart's table. */
export interface ChartRow {
  /** Start of the bucket, or the place on the axis. */
  readonly x: number;
  readonly values: Readonly<Record<string, number>>;
}

/** Numbers come as the texts that are shown, units included. */
export class StatisticsPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Ends when the tab is there; its numbers may come later. */
  async open(model: string): Promise<void> {
    await new AppPage(this.page).openModel(model);
    await this.page.getByTestId('model-tab-statistics').click();
    await expect(this.page.getByTestId('model-statistics')).toBeVisible();
  }

  /** The doctor's verdict. */
  get sentence(): Locator {
    return this.page.getByTestId('doctor-sentence');
  }

  /** A number of the line above the charts. */
  now(figure: 'rate' | 'p99' | 'inFlight' | 'waiting' | 'failures'): Locator {
    return this.page.getByTestId(`statistics-now-${figure}`);
  }

  /** `id`: of one of the charts of the tab, such as 'throughput'. */
  chart(id: string): Locator {
    return this.page.getByTestId(`chart-${id}`);
  }

  /** To be called once per chart: a second press brings the drawing back. */
  async showTable(id: string): Promise<void> {
    await this.page.getByTestId(`chart-${id}-table`).click();
    await expect(this.chart(id).getByRole('table')).toBeVisible();
  }

  /** Oldest first; the chart is shown as a table already. */
  async rows(id: string): Promise<readonly ChartRow[]> {
    const rows = await this.chart(id)
      .locator('tr[data-x]')
      .evaluateAll((elements) =>
        elements.map((row) => ({
          x: Number(row.getAttribute('data-x')),
          values: Object.fromEntries(
            [...row.querySelectorAll('td[data-value]')].map((cell) => [
              cell.getAttribute('data-key') ?? '',
              Number(cell.getAttribute('data-value')),
            ]),
          ),
        })),
      );
    return rows.reverse();
  }

  /** A row of the counters card. */
  counter(label: string): Locator {
    return this.page
      .getByTestId('statistics-counters')
      .getByText(label, { exact: true })
      .locator('xpath=../dd');
  }
}
