// What axe finds on what is shown. The light theme is asked every rule; the others only those whose outcome depends on
// colours, since the page is the same otherwise. A frame takes axe in once, and only what is serious leaves it: reading
// the program in for each scan, and telling all that is right about every element, took twice as long as the scans.

import type { Frame, Page } from '@playwright/test';
import axe from 'axe-core';

/** In the page: until what fades from one colour to another has its own. What turns for ever is no transition. */
const SETTLED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
  Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
  ).then(() => undefined),
)`;
/** Of these, moderate ones count too: headings are how a screen reader's user finds the way on a page. */
const STRUCTURE_RULES = ['heading-order', 'page-has-heading-one', 'empty-heading'];
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Puts axe into a frame that has none since it was last loaded. */
async function takeIn(frame: Frame): Promise<void> {
  if (await frame.evaluate<boolean>("typeof globalThis.axe === 'object'")) return;
  await frame.evaluate(axe.source);
  await frame.evaluate("axe.configure({ allowedOrigins: ['<same_origin>'] })");
}

/** Serious and critical findings, each with its first place; below `within` if told. */
export async function seriousFindings(
  page: Page,
  { theme, where, within }: { readonly theme: string; readonly where: string; readonly within?: string },
): Promise<readonly string[]> {
  for (const frame of page.frames()) {
    await takeIn(frame);
    await frame.evaluate(SETTLED);
  }
  const rules = theme === 'light' ? undefined : COLOUR_RULES;
  const findings = await page.evaluate(serious, { within, rules, always: STRUCTURE_RULES });
  return findings.map((finding) => `${theme}, ${where}: ${finding}`);
}

interface Scan {
  readonly within: string | undefined;
  /** Undefined: all. */
  readonly rules: readonly string[] | undefined;
  /** Rules whose findings count however little axe makes of them. */
  readonly always: readonly string[];
}

/** In the page. */
async function serious({ within, rules, always }: Scan): Promise<readonly string[]> {
  const inPage = (globalThis as unknown as { readonly axe: typeof axe }).axe;
  const runOnly = rules === undefined ? {} : { runOnly: { type: 'rule' as const, values: [...rules] } };
  // The other results are not asked for; of each of their rules axe works out one place instead of all.
  const { violations } = await inPage.run(within ?? 'html', {
    ...runOnly,
    resultTypes: ['violations'],
  });
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || always.includes(id))
    .map(({ id, nodes }) => `${id} ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
