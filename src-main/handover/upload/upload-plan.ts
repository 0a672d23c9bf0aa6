// What an upload has to do, in an order in which a server that reads there at any time finds whole models: versions that
// are new first, then everything else, configurations last.

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { FolderFile } from '../folder-files.ts';
import { folderFiles } from '../folder-files.ts';
import { handoverErrors } from '../handover-errors.ts';
import type { UploadManifest } from './upload-manifest.ts';
import type { UploadedObject } from './upload-target.ts';

/** One object to write; `file` undefined = the marker of an empty version folder. */
export interface UploadStep {
  readonly name: string;
  readonly file: string | undefined;
  readonly byteSize: number;
  readonly sha256: string;
}

/** Steps in the order in which they are taken, removals after all of them. */
export interface UploadPlan {
  readonly puts: readonly UploadStep[];
  readonly removals: readonly string[];
  /** Objects that are as they should be. */
  readonly keptCount: number;
}

const VERSION_FOLDER = /^[^/]+\/\d+$/;
const CONFIGURATION = /^[^/]+\/(config\.pbtxt|configs\/[^/]+\.pbtxt)$/;

/** `prune`: what the target has and the repository has not is removed. Throws INVALID_ARG for a link that leads out. */
export async function planUpload(
  repository: string,
  there: ReadonlyMap<string, UploadedObject>,
  manifest: UploadManifest,
  { prune, signal }: { readonly prune: boolean; readonly signal: AbortSignal },
): Promise<UploadPlan> {
  const objects = (await folderFiles(repository, repository)).filter(isUploaded);
  const lost = objects.find(({ kind }) => kind === 'lost');
  if (lost !== undefined) throw handoverErrors.linkOut({ link: lost.file });
  const puts: UploadStep[] = [];
  const names = new Set<string>();
  for (const object of objects) {
    const { kind, file, byteSize, path: own } = object;
    const name = kind === 'folder' ? `${own}/` : own;
    names.add(name);
    const sha256 = kind === 'folder' ? '' : await hashOf(file, signal);
    const known = manifest.get(name);
    const found = there.get(name);
    const isSame =
      found !== undefined &&
      known?.sha256 === sha256 &&
      known.etag === found.etag &&
      found.byteSize === byteSize;
    if (!isSame) puts.push({ name, file: kind === 'folder' ? undefined : file, byteSize, sha256 });
  }
  const versions = new Set([...there.keys()].map(versionOf));
  const rank = ({ name }: UploadStep): number =>
    CONFIGURATION.test(name) ? 2 : versionOf(name) !== undefined && !versions.has(versionOf(name)) ? 0 : 1;
  return {
    puts: puts.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1)),
    removals: prune ? [...there.keys()].filter((name) => !isKept(name, names)).sort() : [],
    keptCount: names.size - puts.length,
  };
}

/** Hidden files are nobody's models; of empty folders only those of versions mean something. */
function isUploaded({ path: name, kind }: FolderFile): boolean {
  if (name.split('/').some((part) => part.startsWith('.'))) return false;
  return kind !== 'folder' || VERSION_FOLDER.test(name);
}

/** The marker of a folder that has something in it by now does no harm. */
function isKept(name: string, names: ReadonlySet<string>): boolean {
  return names.has(name) || (name.endsWith('/') && [...names].some((other) => other.startsWith(name)));
}

/** "model/1"; undefined for what lies in no version. */
function versionOf(name: string): string | undefined {
  return /^[^/]+\/\d+(?=\/)/.exec(name)?.[0];
}

async function hashOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest('hex');
}
