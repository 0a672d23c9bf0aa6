// When the files of a model folder last changed: one time for the folder itself and one per immediate child, the newest
// within that child. Two records answer whether a model, and which of its versions, changed since a load.
// Links are followed, loops are cut, files that vanish meanwhile do not count, unreadable folders are named.

import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** Key "" = the folder itself; other keys = its immediate children. Values in ms since the epoch, fractions kept. */
export type ModificationTimes = ReadonlyMap<string, number>;

/** What a walk over one model folder found. */
export interface FolderTimes {
  readonly times: ModificationTimes;
  /** Sentences about links that loop or folders that cannot be read. */
  readonly problems: readonly string[];
}

function newestOf(stats: Stats): number {
  return Math.max(stats.mtimeMs, stats.ctimeMs);
}

function isMissing(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Follows links; a dangling link is examined itself. Undefined when nothing is there any more. */
async function examine(target: string): Promise<Stats | undefined> {
  try {
    return await stat(target);
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT' && code !== 'ELOOP') throw thrown;
  }
  try {
    return await lstat(target);
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

/** Files and folders of one model whose times are read; a model folder that is a link farm ends here. */
const MAX_EXAMINED = 20_000;

/** One walk over a model folder. */
interface Walk {
  /** The model folder. */
  readonly folder: string;
  /** Device and inode of the folders that the model folder lies in; undefined until a link is met. */
  outer: ReadonlySet<string> | undefined;
  readonly problems: string[];
  /**
   * Newest time within the folders that were walked, by device and inode: what is linked several times is walked once.
   * 0 while the walk is in it.
   */
  readonly walked: Map<string, number>;
  examined: number;
}

async function newestWithin(
  target: string,
  ancestors: readonly string[],
  walk: Walk,
): Promise<number | undefined> {
  const { problems, walked } = walk;
  walk.examined += 1;
  if (walk.examined > MAX_EXAMINED) return undefined;
  let stats: Stats | undefined;
  try {
    stats = await examine(target);
  } catch (thrown) {
    problems.push(`${target} cannot be examined: ${(thrown as Error).message}`);
    return undefined;
  }
  if (stats === undefined) return undefined;
  const own = newestOf(stats);
  if (!stats.isDirectory()) return own;
  const identity = identityOf(stats);
  if (ancestors.includes(identity) || (await leadsOut(target, identity, walk))) {
    problems.push(`${target} is a link to one of the folders it lies in; what lies behind it is ignored`);
    return own;
  }
  const known = walked.get(identity);
  if (known !== undefined) return Math.max(own, known);
  walked.set(identity, 0);
  const children = await listFolder(target, problems);
  let newest = own;
  // One after the other: a link to a large part of the disk must not keep it from everybody else.
  for (const child of children) {
    const time = await newestWithin(path.join(target, child.name), [...ancestors, identity], walk);
    newest = Math.max(newest, time ?? 0);
  }
  walked.set(identity, newest);
  return newest;
}

const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** True for a link to a folder that the model folder lies in: its repository, or the whole disk. */
async function leadsOut(target: string, identity: string, walk: Walk): Promise<boolean> {
  const link = await lstat(target).catch(() => undefined);
  if (link?.isSymbolicLink() !== true) return false;
  walk.outer ??= await foldersAround(walk.folder);
  return walk.outer.has(identity);
}

/** Device and inode of every folder around `folder`, up to the root. */
async function foldersAround(folder: string): Promise<ReadonlySet<string>> {
  const around = new Set<string>();
  let at = await realpath(folder);
  while (path.dirname(at) !== at) {
    at = path.dirname(at);
    around.add(identityOf(await stat(at)));
  }
  return around;
}

async function listFolder(folder: string, problems: string[]): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (thrown) {
    if (!isMissing(thrown)) problems.push(`${folder} cannot be read: ${(thrown as Error).message}`);
    return [];
  }
}

/** Reads the times of a model folder whose immediate children are already listed. */
export async function readModificationTimes(
  folder: string,
  children: readonly string[],
): Promise<FolderTimes> {
  const problems: string[] = [];
  const walk: Walk = { folder, outer: undefined, problems, walked: new Map(), examined: 0 };
  const own = await stat(folder);
  const ancestors = [identityOf(own)];
  const times = new Map<string, number>([['', newestOf(own)]]);
  // One after the other: what two of them link to is known in full by the second.
  for (const child of children) {
    const time = await newestWithin(path.join(folder, child), ancestors, walk);
    if (time !== undefined) times.set(child, time);
  }
  if (walk.examined > MAX_EXAMINED) {
    problems.push(`${folder} has more than ${MAX_EXAMINED} files: changes of the others are not noticed`);
  }
  return { times, problems: problems.sort() };
}

function newestTime(times: ModificationTimes): number {
  let newest = 0;
  for (const time of times.values()) newest = Math.max(newest, time);
  return newest;
}

/** True when something in the folder is strictly newer than anything seen before. */
export function isModelModified(before: ModificationTimes, now: ModificationTimes): boolean {
  return newestTime(now) > newestTime(before);
}

/**
 * Time that decides whether a version must be rebuilt: its own folder and everything shared by all versions.
 * `configEntry` is the child that holds the configuration in use (`config.pbtxt` or `configs`).
 */
function versionTime(times: ModificationTimes, version: string, configEntry: string): number {
  let newest = times.get(version) ?? 0;
  for (const [child, time] of times) {
    if (child !== configEntry && /\D/.test(child)) newest = Math.max(newest, time);
  }
  return newest;
}

/**
 * True when files of that version, or files that all versions share, are strictly newer than before. A newer configuration
 * alone does not count: whether it asks for a rebuild is decided by what it says.
 */
export function isVersionModified(
  before: { readonly times: ModificationTimes; readonly configEntry: string },
  now: { readonly times: ModificationTimes; readonly configEntry: string },
  version: string,
): boolean {
  return (
    versionTime(now.times, version, now.configEntry) > versionTime(before.times, version, before.configEntry)
  );
}
