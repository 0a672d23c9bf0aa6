// Folders in which we put a model together before it is moved in under its name. Usually they lie beside a repository; in one
// that is a mount of its own they lie in it, and are no models there.

import { randomBytes } from 'node:crypto';

const PREFIX = '.conch-import-';

/** Of a new staging folder. */
export function stagingName(): string {
  return `${PREFIX}${randomBytes(6).toString('hex')}`;
}

/** Whether a folder of this name is one. */
export function isStagingName(name: string): boolean {
  return name.startsWith(PREFIX);
}
