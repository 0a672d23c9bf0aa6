// Which folders this process may write into.

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';

/** In the order given. Folders that do not exist are not writable. */
export async function writableFolders(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map((folder) =>
      access(folder, constants.W_OK).then(
        () => [folder],
        () => [],
      ),
    ),
  );
  return found.flat();
}
