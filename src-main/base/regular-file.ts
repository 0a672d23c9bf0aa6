// Opens files that somebody else put where they are. Only regular files are read: a named pipe, a device or a socket
// would keep its reader waiting for ever or never end. The file is opened without waiting and looked at afterwards, so
// nothing can be put in its place in between.

import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { ServerError } from '../../src-shared/errors.ts';
import { limitErrors } from './limit-errors.ts';

/** Configurations, labels and other texts of a model. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Missing where the system has no such flag (Windows, which has no named pipes in folders either). */
const WITHOUT_WAITING: number = (constants as Partial<typeof constants>).O_NONBLOCK ?? 0;

/**
 * Opens a file for reading; the caller closes the handle. Throws INVALID_ARG for pipes, sockets and devices, with path
 * and kind; the system's own error (`code`) for folders and for files that are missing or may not be read.
 */
export async function openRegularFile(
  file: string,
): Promise<{ readonly handle: FileHandle; readonly byteSize: number }> {
  const handle = await open(file, constants.O_RDONLY | WITHOUT_WAITING);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw Object.assign(new Error(`'${file}' is a folder`), { code: 'EISDIR' });
    if (!stats.isFile()) throw notRegular(file, stats);
    return { handle, byteSize: stats.size };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/**
 * The whole content. Throws as `openRegularFile`, and INVALID_ARG when it is larger than `maxByteSize`.
 */
export async function readRegularFile(file: string, maxByteSize: number): Promise<Buffer> {
  const { handle, byteSize } = await openRegularFile(file);
  try {
    if (byteSize > maxByteSize) throw tooLarge(file, byteSize, maxByteSize);
    const bytes = Buffer.alloc(byteSize);
    let filled = 0;
    while (filled < byteSize) {
      const { bytesRead } = await handle.read(bytes, filled, byteSize - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/** `readRegularFile` as UTF-8 text of at most 64 MiB. */
export async function readTextFile(file: string, maxByteSize: number = MAX_TEXT_BYTES): Promise<string> {
  return (await readRegularFile(file, maxByteSize)).toString('utf8');
}

/** Refuses what `openRegularFile` refuses; for files that a library opens by path. */
export async function requireRegularFile(file: string): Promise<void> {
  const { handle } = await openRegularFile(file);
  await handle.close();
}

function notRegular(file: string, stats: Stats): ServerError {
  return limitErrors.noRegularFile({ file, kind: kindOf(stats) });
}

function kindOf(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

function tooLarge(file: string, byteSize: number, maxByteSize: number): ServerError {
  return limitErrors.fileTooLarge({ file, size: byteSize, limit: maxByteSize });
}
