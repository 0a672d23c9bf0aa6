// How the garbage collector of the engine's process is set.

import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 two things it does not know of a server. Electron fixes its flags at start, so there it stays with its guesses.
 *
 * Not to guess from early objects where later ones of the same place in the code should lie. Its guess, made while
 * models load, puts objects of requests among the long-lived ones; dead there, they keep whatever they refer to
 * until the next full collection: a fifth of the processor time of an ensemble went into that.
 *
 * To count memory outside of its heap, which is where tensors lie, against the limit of the whole process instead of that
 * of the heap: a request with a tensor of 16 MiB cost a full collection else, half of its processor time. Only V8 13 has
 * this setting, and a version that does not know one complains on the console.
 */
export function setCollector(): void {
  if (process.versions['electron'] !== undefined) return;
  setFlagsFromString('--no-allocation-site-pretenuring');
  if (/^13\.[6-9]\./.test(process.versions.v8)) {
    setFlagsFromString('--external-memory-accounted-in-global-limit');
  }
}
