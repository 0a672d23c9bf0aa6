// What the server does now, told as what is new of it: of hundreds of models most do the same as a second ago. Pure.

import type { ModelSample, ServerSample } from './observe-views.ts';

/** A sample whose `models` are those that differ from the message before, when `removed` is there; else all of them. */
export interface SampleNews extends ServerSample {
  /** Keys of versions that are in service no more. */
  readonly removed?: readonly string[];
}

/** Tells the versions of all models apart. */
function sampleKey({ model, version }: Pick<ModelSample, 'model' | 'version'>): string {
  return `${version} ${model}`;
}

/** What `after` tells those who know `before`. */
export function sampleNews(before: ServerSample | undefined, after: ServerSample): SampleNews {
  if (before === undefined) return after;
  const known = new Map(before.models.map((row) => [sampleKey(row), row]));
  const models = after.models.filter((row) => {
    const old = known.get(sampleKey(row));
    known.delete(sampleKey(row));
    return old === undefined || !isSame(old, row);
  });
  return { ...after, models, removed: [...known.keys()] };
}

/** Both as one: all that is known when `older` was, else what both tell. */
export function withNews<Known extends SampleNews>(older: Known, newer: SampleNews): Known | SampleNews {
  const { removed, ...rest } = newer;
  if (removed === undefined) return newer;
  const rows = new Map(older.models.map((row) => [sampleKey(row), row]));
  for (const key of removed) rows.delete(key);
  for (const row of rest.models) rows.set(sampleKey(row), row);
  const both = { ...rest, models: [...rows.values()] };
  if (older.removed === undefined) return both;
  return { ...both, removed: [...new Set([...older.removed, ...removed])].filter((key) => !rows.has(key)) };
}

function isSame(a: ModelSample, b: ModelSample): boolean {
  return (Object.keys(b) as (keyof ModelSample)[]).every((key) => a[key] === b[key]);
}
