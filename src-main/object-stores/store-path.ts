// Paths of model repositories in object stores: what tells them from local ones, and how names are put behind them.
// Such a path is a text with "/" between its parts, whatever the system; `node:path` must not touch it.

/** The stores that are known, by the beginning of their paths. */
export type StoreKind = 's3' | 'gs' | 'as';

/** The beginning of a path that names no store is no business of this room. */
export function storeKindOf(path: string): StoreKind | undefined {
  if (path.startsWith('s3://')) return 's3';
  if (path.startsWith('gs://')) return 'gs';
  if (path.startsWith('as://')) return 'as';
  return undefined;
}

/** Whether the path leads into an object store; everything else is a path of this machine. */
export function isStorePath(path: string): boolean {
  return storeKindOf(path) !== undefined;
}

/** The path as it may be shown: what follows a question mark in one of Azure is a signature, and secret. */
export function shownPath(path: string): string {
  return path.startsWith('as://') ? path.replace(/\?.*$/s, '') : path;
}

/** The path as it may be shown where it is to be given again: a word stands for the signature. */
export function pathToComplete(path: string): string {
  const plain = shownPath(path);
  return plain === path ? path : `${plain}?<signature>`;
}

/** A path below another one; a slash at the end of `folder` counts as the one between them. */
export function joinStorePath(folder: string, ...names: readonly string[]): string {
  return names.reduce((path, name) => (path.endsWith('/') ? `${path}${name}` : `${path}/${name}`), folder);
}
