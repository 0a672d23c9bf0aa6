// Files that are either the old or the new content, never half of one: write beside, fsync, rename.

import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from './make-folder.ts';
import { writeError } from './write-error.ts';

/**
 * Replaces `file` with `content`; creates its folder. On failure the old file is untouched and nothing is left over; a
 * full disk is told in plain words.
 */
export async function writeFileAtomic(file: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(path.dirname(file));
  const staged = path.join(
    path.dirname(file),
    `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`,
  );
  try {
    const handle = await open(staged, 'w');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(staged, file);
  } catch (thrown) {
    await rm(staged, { force: true });
    throw writeError(thrown, file);
  }
}
