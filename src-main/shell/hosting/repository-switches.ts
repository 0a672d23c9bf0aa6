// Which repositories the user switched off, does not want watched or has not trusted, kept in the user-data folder. A repository that the
// command line names serves at the first start whatever was kept.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { RootSwitches } from '../../repository/repository-roots.ts';

/** Nothing is switched off where the file is missing or cannot be read. */
export async function readSwitches(userDataPath: string): Promise<RootSwitches> {
  try {
    const stored: unknown = JSON.parse(await readFile(fileOf(userDataPath), 'utf8'));
    const { disabled, unwatched, untrusted } = stored as Readonly<Record<string, unknown>>;
    return { disabled: textsOf(disabled), unwatched: textsOf(unwatched), untrusted: textsOf(untrusted) };
  } catch {
    return { disabled: [], unwatched: [], untrusted: [] };
  }
}

/** Replaces the file as a whole. */
export async function writeSwitches(userDataPath: string, switches: RootSwitches): Promise<void> {
  await writeFileAtomic(fileOf(userDataPath), `${JSON.stringify(switches, null, 2)}\n`);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function fileOf(userDataPath: string): string {
  return path.join(userDataPath, 'repository-switches.json');
}
