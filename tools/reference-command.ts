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

/** The same for a tool that can do nothing without one: it says so and there is nothing to compare. */
export function neededPeerCommand(): readonly string[] | undefined {
  const command = peerCommand();
  if (command === undefined)
    console.log('no reference server: set CONCH_PEER to a command that takes the options of tritonserver');
  return command;
}
