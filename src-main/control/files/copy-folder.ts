// Copies a folder into a repository so that the repository only ever sees all of it or nothing: the copy is staged
// on the repository's file system, beside it where that can be, then renamed in. Links are followed only inside the source.

import { constants, createWriteStream } from 'node:fs';
import { copyFile, cp, mkdir, readdir, realpath, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { makeFolder } from '../../base/make-folder.ts';
import { isThere } from '../../base/file-exists.ts';
import { openRegularFile } from '../../base/regular-file.ts';
import { writeError } from '../../base/write-error.ts';
import { isStagingName, stagingName } from '../../repository/staging-name.ts';
import { filesErrors } from './file-errors.ts';

interface CopyProgress {
  readonly copiedBytes: number;
  readonly totalBytes: number;
  readonly file: string;
}

/** `onProgress` is called between files and within large ones; an abort removes what was copied. */
export interface CopyOptions {
  readonly signal: AbortSignal;
  /** Bytes so far and in all, and the file that is being copied. */
  readonly onProgress: (progress: CopyProgress) => void;
}

/** One file of a copy. */
export interface PlannedFile {
  readonly from: string;
  /** Relative to the target folder. */
  readonly to: string;
  readonly byteSize: number;
}

const SMALL_FILE_BYTES = 4 * 1024 * 1024;

/**
 * A hidden folder on the file system of `repository`; the caller removes or renames it. It lies beside the repository, or in
 * it where that is a mount of its own or nothing may be written beside it, as in a container. There the scanner passes over it.
 */
export async function stageBeside(repository: string): Promise<string> {
  const folder = await realpath(repository);
  const parent = path.dirname(folder);
  const [own, beside] = await Promise.all([stat(folder), stat(parent)]);
  const name = stagingName();
  if (own.dev === beside.dev) {
    const staged = path.join(parent, name);
    const isMade = await mkdir(staged).then(
      () => true,
      () => false,
    );
    if (isMade) return staged;
  }
  const staged = path.join(folder, name);
  await mkdir(staged);
  return staged;
}

/**
 * Copies `source` to `target`, which must not exist. ALREADY_EXISTS when it does; INVALID_ARG for links that lead out
 * of the source. On failure or abort nothing is left.
 */
export async function copyFolderAtomically(
  source: string,
  target: string,
  repository: string,
  options: CopyOptions,
): Promise<void> {
  const staged = await stageBeside(repository);
  try {
    const body = path.join(staged, 'body');
    await mkdir(body);
    await copyInto(body, await planFolder(source), options);
    await moveIn(body, target);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** Copies one file into a folder that is there, completely or not at all. ALREADY_EXISTS when it has such a file. */
export async function addFile(
  file: PlannedFile,
  folder: string,
  repository: string,
  options: CopyOptions,
): Promise<void> {
  const staged = await stageBeside(repository);
  try {
    await copyInto(staged, [file], options);
    const target = path.join(folder, file.to);
    await makeFolder(path.dirname(target));
    await moveIn(path.join(staged, file.to), target);
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}

/** The last step of every import. ALREADY_EXISTS when the target is there. */
export async function moveIn(staged: string, target: string): Promise<void> {
  if (await isThere(target)) throw filesErrors.exists({ path: target });
  try {
    await rename(staged, target);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EXDEV') throw thrown;
    await copyIn(staged, target);
  }
}

/** Over the border of two mounts that may lie on one file system, as folders do that a container shares. */
async function copyIn(staged: string, target: string): Promise<void> {
  const copy = path.join(path.dirname(target), stagingName());
  try {
    await cp(staged, copy, { recursive: true });
    await rename(copy, target);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/**
 * Files to copy with their sizes in bytes, links followed. Rejects when something leads out of the folder.
 */
export async function planFolder(source: string): Promise<readonly PlannedFile[]> {
  const root = await realpath(source);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files: PlannedFile[] = [];
  for (const entry of entries) {
    const from = path.join(entry.parentPath, entry.name);
    const real = await realpath(from).catch(() => '');
    const relative = path.relative(root, real);
    if (real === '' || relative.startsWith('..')) throw filesErrors.linkLeadsOut({ path: from });
    const stats = await stat(real);
    if (stats.isFile()) files.push({ from: real, to: path.relative(root, from), byteSize: stats.size });
  }
  return files;
}

/** UNAVAILABLE where so many bytes have no room. A disk that does not tell its size is tried. */
async function checkSpace(folder: string, bytes: number): Promise<void> {
  const disk = await statfs(folder).catch(() => undefined);
  if (disk === undefined || disk.blocks === 0) return;
  const free = disk.bavail * disk.bsize;
  if (bytes <= free) return;
  throw filesErrors.noSpace({ path: withoutStaging(folder), needed: inKib(bytes), free: inKib(free) });
}

/** The repository, or the folder beside which it is staged. */
function withoutStaging(folder: string): string {
  const parts = folder.split(path.sep);
  const at = parts.findIndex(isStagingName);
  return at < 0 ? folder : parts.slice(0, at).join(path.sep);
}

const inKib = (bytes: number): string => `${Math.ceil(bytes / 1024)} KiB`;

/**
 * Copies file by file and reports the bytes so far; rejects with the reason of the signal when it is
 * aborted.
 */
export async function copyInto(
  target: string,
  files: readonly PlannedFile[],
  { signal, onProgress }: CopyOptions,
): Promise<void> {
  const totalBytes = files.reduce((total, { byteSize }) => total + byteSize, 0);
  await checkSpace(target, totalBytes);
  let copiedBytes = 0;
  for (const { from, to, byteSize } of files) {
    signal.throwIfAborted();
    const destination = path.join(target, to);
    await makeFolder(path.dirname(destination));
    if (byteSize <= SMALL_FILE_BYTES) {
      await copyFile(from, destination, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      copiedBytes += byteSize;
    } else {
      const meter = new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          copiedBytes += chunk.byteLength;
          onProgress({ copiedBytes, totalBytes, file: to });
          done(null, chunk);
        },
      });
      const { handle } = await openRegularFile(from);
      const written = createWriteStream(destination, { flags: 'wx' });
      await pipeline(handle.createReadStream(), meter, written, { signal }).catch((thrown: unknown) => {
        throw writeError(thrown, destination);
      });
    }
    onProgress({ copiedBytes, totalBytes, file: to });
  }
}
