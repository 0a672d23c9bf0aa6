// Where each value of an effective configuration comes from: the file, completion (and why), a default, a flag or a
// load override. A path without an entry has the origin of the nearest entry around it.

import { childPath } from './config-decoder.ts';
import { entryKey, parentPath } from './config-path.ts';
import type { MessageSchema } from './schema/field-types.ts';
import { MODEL_CONFIG } from './schema/model-fields.ts';
import type { MessageNode, TextTree } from './text-format/ast.ts';

export type OriginKind = 'file' | 'auto-complete' | 'default' | 'flag' | 'override';

export interface ConfigOrigin {
  readonly kind: OriginKind;
  /** Why the value is what it is; empty for what is written. */
  readonly reason: string;
}

/** Field path -> origin. */
export type ConfigOrigins = ReadonlyMap<string, ConfigOrigin>;

const DEFAULT_ORIGIN: ConfigOrigin = { kind: 'default', reason: 'not set' };

/** Origin of `path`: its own entry or that of the nearest field around it, else `default`. */
export function originOf(origins: ConfigOrigins, path: string): ConfigOrigin {
  for (let current = path; current !== ''; current = parentPath(current)) {
    const origin = origins.get(current);
    if (origin !== undefined) return origin;
  }
  return DEFAULT_ORIGIN;
}

/** Every field that is written in `tree`. */
export function originsOfTree(tree: TextTree, kind: 'file' | 'override' = 'file'): Map<string, ConfigOrigin> {
  const origins = new Map<string, ConfigOrigin>();
  addMessage(tree.root, MODEL_CONFIG, '', { kind, reason: '' }, origins);
  return origins;
}

/** `origins` with `added` on top. */
export function mergeOrigins(origins: ConfigOrigins, added: ConfigOrigins): Map<string, ConfigOrigin> {
  const merged = new Map(origins);
  for (const [path, origin] of added) merged.set(path, origin);
  return merged;
}

function addMessage(
  node: MessageNode,
  schema: MessageSchema,
  path: string,
  origin: ConfigOrigin,
  origins: Map<string, ConfigOrigin>,
): void {
  const counts = new Map<string, number>();
  for (const fieldNode of node.fields) {
    const field = schema.byName.get(fieldNode.name);
    if (field === undefined) continue;
    const fieldPath = childPath(path, field.name);
    origins.set(fieldPath, origin);
    const items = fieldNode.value.kind === 'list' ? fieldNode.value.items : [fieldNode.value];
    for (const item of items) {
      const index = counts.get(field.name) ?? 0;
      counts.set(field.name, index + 1);
      const suffix =
        field.label === 'repeated'
          ? `[${index}]`
          : field.label === 'map'
            ? `[${JSON.stringify(entryKey(item))}]`
            : '';
      const itemPath = fieldPath + suffix;
      origins.set(itemPath, origin);
      if (item.kind !== 'message' || field.type.kind !== 'message') continue;
      const inner =
        field.label === 'map' ? item.fields.findLast(({ name }) => name === 'value')?.value : item;
      if (inner?.kind === 'message') addMessage(inner, field.type, itemPath, origin, origins);
    }
  }
}
