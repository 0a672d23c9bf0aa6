// Whether something is at a path, asked without blocking.

import { access } from 'node:fs/promises';

export async function isThere(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
