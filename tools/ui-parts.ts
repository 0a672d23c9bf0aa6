// What a part of the budget is: a name that asks for it alone, and the rows it makes on a server that it shares with others.

import type { Browser } from '@playwright/test';

import type { ServedApp } from '../e2e/harness/serve-app.ts';
import type { Place } from './ui-measures.ts';
import { rowsOf } from './ui-rows.ts';
import type { Row } from './ui-rows.ts';

/** One measurement. */
export interface Part {
  readonly title: string;
  /** Fails when it could not be measured. */
  readonly rows: (place: Place) => Promise<readonly Row[]>;
}

/** Measurements on one server, in their order; it is started when one of them is asked for. */
export interface PartGroup {
  /** Whoever asks for it closes it. */
  readonly serve: () => Promise<ServedApp>;
  readonly parts: Readonly<Record<string, Part>>;
}

/** Rows of the parts that `isWanted` takes by name; what fails is a row that says so. */
export async function measureGroup(
  browser: Browser,
  { serve, parts }: PartGroup,
  isWanted: (name: string) => boolean,
): Promise<readonly Row[]> {
  const wanted = Object.entries(parts).filter(([name]) => isWanted(name));
  if (wanted.length === 0) return [];
  await using app = await serve();
  const rows: Row[] = [];
  for (const [, part] of wanted) {
    rows.push(...(await rowsOf(part.title, () => part.rows({ browser, app }))));
    // One that failed left its page open, which would take its share of the next one's time.
    for (const context of browser.contexts()) await context.close();
  }
  return rows;
}
