// The one judgement of names that lead to files: those of configurations, of model files, of load calls. A name is
// normalised before it is judged, and judged again after links are resolved; whoever opens a file by such a name asks here.

import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** Where a file may lie that a name leads to. All paths are absolute. */
export interface Confinement {
  /** Folder that names are relative to. An absolute name counts as relative to it, as in Triton. */
  readonly base: string;
  /** The file must be one of these folders or lie below one. */
  readonly within: readonly string[];
  /**
   * Folders that count besides `within` once links are resolved, because a link to them was found by its place and not
   * by the name: a version folder that is a link to a release elsewhere.
   */
  readonly alsoResolved?: readonly string[];
}

/** Each folder that does not exist is looked for: a name of thousands of them takes seconds. */
const MAX_PARTS = 256;

/**
 * Absolute, normalised path of the file that `name` means, links in it unresolved; undefined when the name leads out of
 * the folders, by its spelling or by a link. Whether the file exists does not matter. Never throws.
 */
export async function confinedPath(name: string, confinement: Confinement): Promise<string | undefined> {
  const target = normalizedPath(name, confinement);
  if (target === undefined) return undefined;
  const folders = [...confinement.within, ...(confinement.alsoResolved ?? [])];
  const [real, ...roots] = await Promise.all([target, ...folders].map(resolvedPath));
  return real !== undefined && roots.some((root) => root !== undefined && isWithin(root, real))
    ? target
    : undefined;
}

/** Like `confinedPath`, judged by the spelling alone: for files that are about to be written into a fresh folder. */
export function normalizedPath(
  name: string,
  { base, within }: Pick<Confinement, 'base' | 'within'>,
): string | undefined {
  if (name.includes('\0') || name.split('/').length > MAX_PARTS) return undefined;
  const target = path.resolve(path.join(base, name));
  return within.some((folder) => isWithin(path.resolve(folder), target)) ? target : undefined;
}

/** Whether `target` is the folder or lies below it, links in both resolved; what does not exist yet counts by its parents. */
export async function liesWithin(folder: string, target: string): Promise<boolean> {
  const [root, real] = await Promise.all([folder, target].map((place) => resolvedPath(path.resolve(place))));
  return root !== undefined && real !== undefined && isWithin(root, real);
}

/** Whether `target` is the folder or lies below it; both absolute and normalised. */
function isWithin(folder: string, target: string): boolean {
  const inside = path.relative(folder, target);
  return (
    inside === '' || (inside !== '..' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside))
  );
}

/** The path with all links resolved; of what does not exist, the part that does. undefined: it cannot be resolved. */
async function resolvedPath(target: string): Promise<string | undefined> {
  try {
    return await realpath(target);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    const parent = path.dirname(target);
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || parent === target) return undefined;
    const above = await resolvedPath(parent);
    return above === undefined ? undefined : path.join(above, path.basename(target));
  }
}
