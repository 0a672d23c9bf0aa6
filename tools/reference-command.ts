// How a running reference is found: a command line that takes tritonserver's options behind it.

import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** `CONCH_PEER`, or the script among the fixtures that makes one. Undefined when there is neither. */
export function peerCommand(): readonly string[] | undefined {
  const named = process.env['CONCH_PEER'];
  if (named !== undefined && named !== '') return named.split(' ');
  const fixtures = process.env['CONCH_FIXTURES'] ?? path.resolve(root, '../shared');
  const script = path.join(fixtures, 'peer/run.sh');
  return existsSync(script) ? ['bash', script, root] : undefined;
}
