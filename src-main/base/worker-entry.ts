// Where the code of each worker thread lies: straight from the sources (Node runs TypeScript), or as its own file of
// the build. A new worker is one line here; the build reads the same table.

/** Worker name -> source file, relative to src-main. */
export const WORKER_ENTRIES: Readonly<Record<string, string>> = {};

/** Address to give to `new Worker(...)`. Throws for a name that is not in the table. */
export function workerEntryUrl(name: string): URL {
  const source = WORKER_ENTRIES[name];
  if (source === undefined) throw new Error(`unknown worker entry '${name}'`);
  if (import.meta.url.endsWith('.ts')) return new URL(`../${source}`, import.meta.url);
  // In a build this file is part of out/main/<entry>.js, out/main/workers/<entry>.js or out/main/chunks/<chunk>.js.
  const here = new URL('.', import.meta.url);
  const isBelow = /\/(?:chunks|workers)\/$/.test(here.pathname);
  return new URL(`${isBelow ? '../' : ''}workers/${name}.js`, here);
}
