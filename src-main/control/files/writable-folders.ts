// Which folders this process may write into.

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';

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
