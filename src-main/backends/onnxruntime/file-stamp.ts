// Whether a model file is still the one that was examined.

import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';

/** A model file as it was when it was read. */
export type FileStamp = string;

const stampOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileStamp =>
  [dev, ino, size, mtimeNs, ctimeNs].join(' ');

/** What tells a file from a later one of the same name; undefined where there is none. */
export async function fileStamp(path: string): Promise<FileStamp | undefined> {
  return stat(path, { bigint: true }).then(stampOf, () => undefined);
}

/** False when the file was changed since, or is gone. */
export function isSameFile(path: string, stamp: FileStamp): boolean {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false });
  return now !== undefined && stampOf(now) === stamp;
}

/** Throws a plain Error where the file was changed since, or is gone. */
export function requireSameFile(path: string, stamp: FileStamp): void {
  if (!isSameFile(path, stamp)) throw new Error(`'${path}' was changed since the model was loaded`);
}
