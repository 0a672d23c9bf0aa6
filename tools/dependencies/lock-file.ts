// The packages of the lock file.

import { readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** One package in one place of the tree. */
export interface LockedPackage {
  /** Its key in the lock file: where it lies, `node_modules/a/node_modules/b`. */
  readonly place: string;
  readonly name: string;
  readonly version: string;
  /** SPDX expression; undefined = the package says none. */
  readonly license: string | undefined;
  /** Address of the archive. */
  readonly resolved: string | undefined;
  /** `<algorithm>-<base64>` */
  readonly integrity: string | undefined;
  /** Runs a script of its own when it is installed. */
  readonly hasInstallScript: boolean;
  /** Names of what it needs. */
  readonly needs: readonly string[];
}

interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The part of package-lock.json that is looked at; keys are paths below the root. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

/** Of this checkout; throws when the file is missing. */
export function readLock(): LockFile {
  return JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as LockFile;
}

/** Ascending by place; without the project itself. */
export function lockedPackages({ packages }: LockFile): readonly LockedPackage[] {
  return Object.entries(packages)
    .filter(([place, { link }]) => place !== '' && link !== true)
    .map(([place, entry]) => ({
      place,
      name: entry.name ?? nameAt(place),
      version: entry.version ?? '',
      license: entry.license,
      resolved: entry.resolved,
      integrity: entry.integrity,
      hasInstallScript: entry.hasInstallScript === true,
      needs: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }),
    }));
}

function nameAt(place: string): string {
  return place.split('node_modules/').at(-1) ?? '';
}

/** Where the package finds another one: beside itself, or in a folder above. Undefined = it is not installed. */
export function resolveFrom(place: string, name: string, places: ReadonlySet<string>): string | undefined {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const candidate = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (places.has(candidate)) return candidate;
    if (folder === '') return undefined;
  }
}
