// A model is identified by namespace and name. The namespace is the repository path as configured when namespacing is
// on, else "". The key is the text form used in maps and in log lines.

export interface ModelId {
  readonly namespace: string;
  readonly name: string;
}

/** `<namespace>::<name>`, or just the name without namespace. */
export type ModelKey = string;

export function modelKey(id: ModelId): ModelKey {
  return id.namespace === '' ? id.name : `${id.namespace}::${id.name}`;
}

/** Order of the repository index: by namespace, then by name. */
export function compareIds(a: ModelId, b: ModelId): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
