// Every file below a folder, with what links lead to. A link that leads out of the folder's root is told, not followed.

import type { Stats } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** A file, an empty folder, or a link that leads nowhere. */
export interface FolderFile {
  /** Relative to the folder, "/" between its parts. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  /** Of what it is or leads to. `folder`: one without anything in it. `lost`: a link that leads out, or to nothing. */
  readonly kind: 'file' | 'folder' | 'lost';
  readonly byteSize: number;
  readonly modifiedAtMs: number;
  /** As the link has it; undefined = neither it nor a folder above it is a link. */
  readonly link: string | undefined;
}

/** In text order. `root`: links may lead anywhere below it. Rejects with the system's error for what cannot be read. */
export async function folderFiles(folder: string, root: string): Promise<readonly FolderFile[]> {
  const found: FolderFile[] = [];
  await walk({ folder, prefix: '', link: undefined, above: [] }, await realpath(root), found);
  return found;
}

interface Place {
  readonly folder: string;
  readonly prefix: string;
  readonly link: string | undefined;
  /** Real paths of the folders around it, which a link must not lead back to. */
  readonly above: readonly string[];
}

async function walk(
  { folder, prefix, link, above }: Place,
  root: string,
  found: FolderFile[],
): Promise<void> {
  const names = (await readdir(folder)).sort();
  const around = [...above, await realpath(folder)];
  for (const name of names) {
    const file = path.join(folder, name);
    const entry = { path: `${prefix}${name}`, file, link };
    const own = await lstat(file);
    if (!own.isSymbolicLink()) {
      await add(entry, own, around);
      continue;
    }
    const led = { ...entry, link: await readlink(file) };
    const real = await realpath(file).catch(() => undefined);
    const isInside = real !== undefined && `${real}${path.sep}`.startsWith(`${root}${path.sep}`);
    if (!isInside || around.includes(real))
      found.push({ ...led, kind: 'lost', byteSize: 0, modifiedAtMs: 0 });
    else await add(led, await stat(file), around);
  }
  if (names.length === 0 && prefix !== '') {
    const { mtimeMs } = await stat(folder);
    found.push({
      path: prefix.slice(0, -1),
      file: folder,
      kind: 'folder',
      byteSize: 0,
      modifiedAtMs: mtimeMs,
      link,
    });
  }

  async function add(
    entry: Pick<FolderFile, 'path' | 'file' | 'link'>,
    stats: Stats,
    inside: readonly string[],
  ): Promise<void> {
    if (stats.isDirectory())
      await walk(
        { folder: entry.file, prefix: `${entry.path}/`, link: entry.link, above: inside },
        root,
        found,
      );
    else if (stats.isFile())
      found.push({ ...entry, kind: 'file', byteSize: stats.size, modifiedAtMs: stats.mtimeMs });
  }
}
