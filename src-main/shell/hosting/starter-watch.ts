// Notices that whoever started this process for its own sake has gone, so that the server does not stay behind it: npm
// passes SIGTERM to a shell that passes it to nobody, and SIGKILL reaches nobody else anyway.

import type { Clock, Timer } from '../../base/clock.ts';
import type { Environment } from '../../options/serve-draft.ts';
import { hasParent, readProcess, starterChain } from './starter-chain.ts';

const LOOK_EVERY_MS = 1000;

/** What is said before the server stops for this reason. */
export const STARTER_GONE_TEXT = 'conch: the program that started this server has ended; stopping';

/** Calls `onGone` once when one of the starters has ended. Without starters nothing runs. */
export function watchStarter(clock: Clock, environment: Environment, onGone: () => void): Timer {
  const starters = starterChain(environment, process.pid, readProcess);
  if (starters.length === 0) return { cancel: () => undefined };
  const timer = clock.every(LOOK_EVERY_MS, () => {
    if (starters.every((starter, at) => hasParent(starters[at - 1] ?? process.pid, starter))) return;
    timer.cancel();
    onGone();
  });
  return timer;
}
