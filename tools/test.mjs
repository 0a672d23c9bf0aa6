// `npm test`: everything a change must pass, on a machine where nothing is installed yet. Runs all suites even when one
// fails, and ends with one line `N passed, N failed, N skipped` over all of them. `npm test -- unit types` runs those
// only, `npm test -- --long` the long ones, `npm test -- --list` names them all.

import { childEnvironment, ensureInstalled, pinnedNode, run, say } from './bootstrap.mjs';

try {
  await ensureInstalled();
  const args = ['tools/run-suites.ts', ...process.argv.slice(2)];
  process.exitCode = await run(pinnedNode(), args, { env: childEnvironment() });
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.stdout.write('0 passed, 1 failed, 0 skipped\n');
  process.exitCode = 1;
}
