// Where each value of an effective configuration comes from: the file, completion (and why), a default, a flag or a
// load override. A path without an entry has the origin of the nearest entry around it.

import { pathsAround } from './config-path.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import type { TextTree } from './text-format/ast.ts';

/** Where the value of a field comes from. */
export type OriginKind = 'file' | 'auto-complete' | 'default' | 'flag' | 'override';

/** Where a value comes from, and why. */
export interface ConfigOrigin {
  readonly kind: OriginKind;
  /** Why the value is what it is; undefined for what is written. */
  readonly reason: string | undefined;
}

/** Field path -> origin. */
export type ConfigOrigins = ReadonlyMap<string, ConfigOrigin>;

const DEFAULT_ORIGIN: ConfigOrigin = { kind: 'default', reason: 'not set' };

/** Origin of `path`: its own entry or that of the nearest field around it, else `default`. */
export function originOf(origins: ConfigOrigins, path: string): ConfigOrigin {
  let origin = DEFAULT_ORIGIN;
  for (const outer of pathsAround(path)) origin = origins.get(outer) ?? origin;
  return origin;
}

/** Every field of the outermost level that is written in `tree`. What is inside of it was written with it. */
export function originsOfTree(tree: TextTree, kind: 'file' | 'override' = 'file'): Map<string, ConfigOrigin> {
  return originsOfWritten(new Set(tree.root.fields.map(({ name }) => name)), kind);
}

/** The same of the names that are written; names that are none of a configuration's are left out. */
export function originsOfWritten(
  names: ReadonlySet<string>,
  kind: 'file' | 'override' = 'file',
): Map<string, ConfigOrigin> {
  const origin: ConfigOrigin = { kind, reason: undefined };
  return new Map([...names].filter((name) => MODEL_CONFIG.byName.has(name)).map((name) => [name, origin]));
}

/** `origins` with `added` on top. */
export function mergeOrigins(origins: ConfigOrigins, added: ConfigOrigins): Map<string, ConfigOrigin> {
  const merged = new Map(origins);
  for (const [path, origin] of added) merged.set(path, origin);
  return merged;
}
