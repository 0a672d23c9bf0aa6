// Puts the libraries for NVIDIA's GPUs into their folder: wheel by wheel, each fetched, checked and unpacked before the
// next. Cancelled or cut off at any point, the next try goes on where this one ended.

import { existsSync, readFileSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import type { RunTool } from '../run-tool.ts';
import { fetchWheel } from './fetch-wheel.ts';
import type { InstalledLibraries } from './library-folder.ts';
import { FROM_PACKAGE, listFile } from './library-folder.ts';
import type { UnpackedLibrary } from './unpack-wheel.ts';
import { unpackWheel } from './unpack-wheel.ts';
import type { Wheel } from './wheels.ts';

/** Which wheels are installed, from where to where. */
export interface InstallOptions {
  readonly folder: string;
  /** Where the npm package has its native files. */
  readonly native: string;
  readonly wheels: readonly Wheel[];
  /** A folder that has the wheels already. */
  readonly from?: string | undefined;
  readonly host?: string | undefined;
  readonly signal: AbortSignal;
  /** `bytes` of `total` are here. */
  readonly report: (bytes: number, total: number, title: string) => void;
}

/** Wheels whose libraries the system does not have already. */
export async function neededWheels(wheels: readonly Wheel[], run: RunTool): Promise<readonly Wheel[]> {
  const known = await run('ldconfig', ['-p']).catch(() => '');
  const has = (name: string): boolean => known.includes(`\t${name} (`);
  return wheels.filter(({ provides }) => provides.length === 0 || !provides.every(has));
}

/** Bytes to fetch for these wheels. */
export function downloadBytes(wheels: readonly Wheel[]): number {
  return wheels.reduce((sum, { byteSize }) => sum + byteSize, 0);
}

/** Rejects with UNAVAILABLE and the reason, or the signal's; what was fetched stays for the next try. */
export async function installLibraries(options: InstallOptions): Promise<InstalledLibraries> {
  const { folder, native, wheels, signal, report } = options;
  const total = downloadBytes(wheels);
  await makeFolder(folder);
  const libraries: UnpackedLibrary[] = [];
  let before = 0;
  for (const wheel of wheels) {
    const onBytes = (count: number): void => report(before + count, total, wheel.title);
    libraries.push(...(await settleWheel(wheel, options, onBytes)));
    before += wheel.byteSize;
  }
  signal.throwIfAborted();
  for (const name of FROM_PACKAGE) await copyFile(path.join(native, name), path.join(folder, name));
  const installed: InstalledLibraries = {
    preload: wheels.flatMap(({ provides }) => provides),
    byteSize: libraries.reduce((sum, { byteSize }) => sum + byteSize, 0),
  };
  await writeFile(listFile(folder), `${JSON.stringify(installed)}\n`);
  await Promise.all(wheels.map((wheel) => rm(noteOf(folder, wheel), { force: true })));
  return installed;
}

/** False where there was nothing. */
export async function removeLibraries(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return false;
  // The list goes first: a folder that is half gone must not count.
  await rm(listFile(folder), { force: true });
  await rm(folder, { recursive: true });
  return true;
}

/** Says what a wheel gave, so that it is neither kept nor fetched twice. */
function noteOf(folder: string, wheel: Wheel): string {
  return path.join(folder, `${wheel.file}.json`);
}

async function settleWheel(
  wheel: Wheel,
  { folder, from, host, signal }: InstallOptions,
  onBytes: (count: number) => void,
): Promise<readonly UnpackedLibrary[]> {
  signal.throwIfAborted();
  const note = noteOf(folder, wheel);
  if (existsSync(note)) {
    onBytes(wheel.byteSize);
    return JSON.parse(readFileSync(note, 'utf8')) as readonly UnpackedLibrary[];
  }
  const file = await fetchWheel(wheel, { folder, from, host, signal, onBytes });
  const libraries = await unpackWheel(file, folder, signal);
  await writeFile(note, JSON.stringify(libraries));
  await rm(file);
  return libraries;
}
