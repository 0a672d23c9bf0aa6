// Whether something is at a path, asked without blocking.

import { access, lstat } from 'node:fs/promises';

/** False as well for what may not be looked at. Never rejects. */
export async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}

/** As `isThere`, and true for a link that leads nowhere. */
export async function isThereOrLink(file: string): Promise<boolean> {
  return await lstat(file).then(
    () => true,
    () => false,
  );
}
