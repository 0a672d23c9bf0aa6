// How the garbage collector of the engine's process is set.

import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 not to guess from early objects where later ones of the same place in the code should lie. Its guess, made
 * while models load, puts objects of requests among the long-lived ones; dead there, they keep whatever they refer to
 * until the next full collection: a fifth of the processor time of an ensemble went into that. Electron fixes its
 * flags at start, so the guess stays there.
 */
export function setCollector(): void {
  if (process.versions['electron'] === undefined) setFlagsFromString('--no-allocation-site-pretenuring');
}
