// Whether something is at a path, asked without blocking.

import { access } from 'node:fs/promises';

/** False as well for what may not be looked at. Never rejects. */
export async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
