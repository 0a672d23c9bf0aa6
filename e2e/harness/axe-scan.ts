// What axe finds on what is shown. The light theme is asked every rule; the others only those whose outcome depends on
// colours, since the page is the same otherwise.

import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Serious and critical findings, each with its first place; below `within` if told. */
export async function seriousFindings(
  page: Page,
  { theme, where, within }: { readonly theme: string; readonly where: string; readonly within?: string },
): Promise<readonly string[]> {
  const whole = new AxeBuilder({ page }).setLegacyMode();
  const axe = within === undefined ? whole : whole.include(within);
  const { violations } = await (theme === 'light' ? axe : axe.withRules(COLOUR_RULES)).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${theme}, ${where}: ${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
