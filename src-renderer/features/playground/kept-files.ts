// What this window has sent for inputs, by the blob that it was sent as: a server process that was started again can be
// given it again.

/** A file of the disk takes no memory here. */
const kept = new Map<string, Blob>();
const MAX_KEPT = 30;

/** Remembers what was sent as this blob. */
export function keepFile(blob: string, data: Blob): void {
  kept.set(blob, data);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

/** What was sent as this blob; undefined for saved, captured and long forgotten ones. */
export function keptFile(blob: string): Blob | undefined {
  return kept.get(blob);
}
