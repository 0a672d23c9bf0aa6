// Which paths a page may name. In Electron paths come from native dialogs and drops, so all of the machine is allowed;
// in a browser only what lies below the picker's root, the repositories and the page's own uploads.

import { realpathSync } from 'node:fs';
import path from 'node:path';

import { filesErrors } from './file-errors.ts';

/** `roots` is asked at each check, since repositories come and go. A link counts as the place it leads to. */
export class PathGuard {
  readonly #roots: () => readonly string[];

  /** No root = no limit. */
  constructor(roots: () => readonly string[]) {
    this.#roots = roots;
  }

  /** The absolute path with links resolved. INVALID_ARG when it is outside of what may be named, or does not exist. */
  check(location: string): string {
    if (/^\w+:\/\//.test(location)) throw filesErrors.inCloud({ path: location });
    if (!path.isAbsolute(location)) throw filesErrors.notAbsolute({ path: location });
    let real: string;
    try {
      real = realpathSync(location);
    } catch {
      throw filesErrors.missing({ path: location });
    }
    const roots = this.#roots();
    if (roots.length > 0 && !roots.some((root) => isInside(real, root))) {
      throw filesErrors.outside({ path: location, roots: roots.join(', ') });
    }
    return real;
  }
}

function isInside(location: string, root: string): boolean {
  try {
    const relative = path.relative(realpathSync(root), location);
    return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
  } catch {
    return false;
  }
}
