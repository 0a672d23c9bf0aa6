// How the garbage collector of the engine's process is set.

import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 two things it does not know of a server. Electron fixes its flags at start, so there it stays with its guesses.
 *
 * The first: new objects are young. V8 watches how long the objects live that a line of code makes, and from then on makes
 * those of a line whose objects lived long in the old space at once. It learns that while models load, and is wrong for
 * requests: their objects die in the old space and keep what they refer to until the next full collection. A fifth of
 * the processor time of an ensemble went into that.
 *
 * The second: memory outside of the heap, where tensors lie, counts against the limit of the whole process, not against
 * that of the heap. Without it a request with a tensor of 16 MiB caused a full collection, half of its processor time.
 * Only V8 13 has this setting, and a version that does not know one complains on the console.
 */
export function setCollector(): void {
  if (process.versions['electron'] !== undefined) return;
  setFlagsFromString('--no-allocation-site-pretenuring');
  if (/^13\.[6-9]\./.test(process.versions.v8)) {
    setFlagsFromString('--external-memory-accounted-in-global-limit');
  }
}
