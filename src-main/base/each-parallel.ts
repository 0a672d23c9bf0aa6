// Work on many things of which only some may be done at the same time.

/** Calls `work` once for each item, in their order, `limit` at a time. Rejects with the first fault; the others begin nothing new. */
export async function eachParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length && !hasFailed; at = next++) await work(items[at] as T, at);
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  await Promise.all(workers).finally(() => (hasFailed = true));
}
