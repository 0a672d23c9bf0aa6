// Where the shared test fixtures (Triton's quick-start repository, light ONNX graphs, golden configurations) are.
// They are not part of this repository; tests that need them skip when they are absent.

import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(process.env['CONCH_FIXTURES'] ?? path.join(import.meta.dirname, '../../../shared'));

/** Absolute path of a fixture, or undefined when it is not there. */
export function fixture(relative: string): string | undefined {
  const found = path.join(root, relative);
  return existsSync(found) ? found : undefined;
}

/** Name for a suite that is skipped without its fixtures. */
export function needsFixture(relative: string, title: string): string {
  return fixture(relative) === undefined ? `${title} (skipped: no fixtures at ${root})` : title;
}
