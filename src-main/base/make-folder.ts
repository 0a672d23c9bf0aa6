// Makes a folder with all that is missing above it. Node's own way to do so never ends where a file system has the folder
// above and still says of the new one that it does not exist, as /proc does: it goes up and comes down for ever.

import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** A folder that is there already stays as it is. Rejects with what the system says, EEXIST where a file has the name. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (thrown) {
    if (await isFolder(folder)) return;
    const above = path.dirname(folder);
    if (codeOf(thrown) !== 'ENOENT' || above === folder || (await isFolder(above))) throw thrown;
    await makeFolder(above);
    await makeFolder(folder);
  }
}

/** As `makeFolder`, for those that cannot wait: logs, and what happens while a drag begins. Throws the same. */
export function makeFolderSync(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (thrown) {
    if (isFolderSync(folder)) return;
    const above = path.dirname(folder);
    if (codeOf(thrown) !== 'ENOENT' || above === folder || isFolderSync(above)) throw thrown;
    makeFolderSync(above);
    makeFolderSync(folder);
  }
}

function codeOf(thrown: unknown): string | undefined {
  return (thrown as NodeJS.ErrnoException).code;
}

async function isFolder(place: string): Promise<boolean> {
  return await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function isFolderSync(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
