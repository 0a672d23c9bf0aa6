// The files that a load failed with, and which of them are others now. Those of an ensemble's steps count too: what failed
// in a step is mended there.

import type { CatalogEntry } from './catalog-entry.ts';
import { usersOf } from './catalog-entry.ts';

type Entries = ReadonlyMap<string, CatalogEntry>;

/** What a load of this one builds, as far as it is there: itself, and the steps of an ensemble, those of its steps too. */
export function builtEntries(entry: CatalogEntry, entries: Entries): readonly CatalogEntry[] {
  return builtNames(entry, entries).flatMap((name) => entries.get(name) ?? []);
}

function builtNames({ location: { name } }: CatalogEntry, entries: Entries): readonly string[] {
  return reached(name, (at) =>
    (entries.get(at)?.diskConfig.ensembleScheduling?.step ?? []).map(({ modelName }) => modelName),
  );
}

/** The model, and the ensembles whose load builds it. */
export function builtWith(name: string, entries: Entries): readonly string[] {
  return reached(name, (at) => usersOf(at, entries));
}

/** All that can be come to from `start`, itself first, each once. */
function reached(start: string, next: (name: string) => readonly string[]): readonly string[] {
  const found = new Set([start]);
  for (const name of found) for (const other of next(name)) found.add(other);
  return [...found];
}

/** Why the last load failed, and of which models files came, went or were written since. */
export function lastFailure(
  { loadError, failedFiles = new Map<string, string>() }: CatalogEntry,
  entries: Entries,
): { readonly loadError: string | undefined; readonly changedSinceFailure: readonly string[] } {
  const changed = [...failedFiles].filter(([name, text]) => text !== filesText(entries.get(name)));
  return { loadError, changedSinceFailure: changed.map(([name]) => name) };
}

/**
 * The files are, as they were read last, those that a load has just failed with: what is mended later is not among them.
 * Whatever was written since the load ended, in milliseconds since the Unix epoch, is none of them.
 */
export function keepFailedFiles(entry: CatalogEntry, entries: Entries, endedAtMs: number): void {
  const names = builtNames(entry, entries);
  entry.failedFiles = new Map(names.map((name) => [name, filesText(entries.get(name), endedAtMs)]));
}

/**
 * Equal for a folder in which nothing was written. What Python keeps of code that it has read does not count. A file that
 * is newer than `untilMs` is left out, so that the text equals none that has it.
 */
function filesText(entry: CatalogEntry | undefined, untilMs = Number.POSITIVE_INFINITY): string {
  return (entry?.facts.files ?? [])
    .filter(({ path, modifiedAtMs }) => !path.includes('__pycache__/') && modifiedAtMs < untilMs)
    .map(({ path, byteSize, modifiedAtMs }) => `${path} ${byteSize} ${modifiedAtMs}`)
    .join('\n');
}
