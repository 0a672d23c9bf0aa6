// A section of the wire checklist as a table: each row is one case by its name, tried over real sockets. Rows that
// other suites treat at length are here too, with a short assertion, so that the list is complete in one place.

import { describe, test } from 'vitest';

export type ChecklistRows = Readonly<Record<string, () => Promise<void> | void>>;

/** One test per row; with `missing`, why none of them can run here. */
export function checklist(section: string, rows: ChecklistRows, missing?: string): void {
  describe.skipIf(missing !== undefined)(missing === undefined ? section : `${section} (${missing})`, () => {
    for (const [name, run] of Object.entries(rows)) test(name, run);
  });
}
