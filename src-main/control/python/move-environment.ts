// Puts an environment where it stays. Its scripts (`pip`, `activate`) name the folder that they were made in, so each is
// written anew before the move; on Windows they are programs, which keep the name of the former folder.

import { lstat, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Larger files are no scripts. */
const LARGEST_SCRIPT_BYTES = 1_000_000;

/** Moves a complete environment; what is at the new place is removed first. */
export async function moveEnvironment(from: string, to: string): Promise<void> {
  if (process.platform !== 'win32') {
    const bin = path.join(from, 'bin');
    const files = (await readdir(bin)).map((name) => path.join(bin, name));
    for (const file of [...files, path.join(from, 'pyvenv.cfg')]) await renameInside(file, from, to);
  }
  await rm(to, { recursive: true, force: true });
  await rename(from, to);
}

/** A file may be linked with one of a cache, so it is replaced, never written over. */
async function renameInside(file: string, from: string, to: string): Promise<void> {
  const facts = await lstat(file).catch(() => undefined);
  if (facts === undefined || !facts.isFile() || facts.size > LARGEST_SCRIPT_BYTES) return;
  const bytes = await readFile(file);
  if (bytes.includes(0) || !bytes.includes(from)) return;
  // One character for each byte, so bytes that are no UTF-8 stay as they are.
  const [before, after] = [from, to].map((folder) => Buffer.from(folder).toString('latin1'));
  const text = bytes.toString('latin1').replaceAll(before ?? '', () => after ?? '');
  const written = `${file}.new`;
  await writeFile(written, Buffer.from(text, 'latin1'), { mode: facts.mode });
  await rename(written, file);
}
