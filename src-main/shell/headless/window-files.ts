// What `serve --ui` keeps in the user's own data for browsers: the token, which stays the same over restarts so that
// bookmarks and open tabs go on working, and the address of the window while it is served, which `conch open` reads.
// Both let their reader command the server: only the user may read them. Deleting the token's file makes a new one.

import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';

const OWNER_ONLY = 0o600;
const TOKEN_BYTES = 24;
/** 24 bytes in base64url; anything else was not written by us, or was cut off. */
const TOKEN = /^[\w-]{32}$/;

const tokenFile = (userDataPath: string): string => path.join(userDataPath, 'window-token');
const addressFile = (userDataPath: string): string => path.join(userDataPath, 'window-address');

/** Undefined for a file that is missing or empty. */
async function readTrimmed(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The token of this user data folder; made when there is none that can be used. Rejects when it cannot be written. */
export async function keptToken(userDataPath: string): Promise<string> {
  await makeFolder(userDataPath);
  const file = tokenFile(userDataPath);
  const known = await readTrimmed(file);
  if (known !== undefined && TOKEN.test(known)) {
    await chmod(file, OWNER_ONLY);
    return known;
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const handle = await open(file, 'w', OWNER_ONLY);
  try {
    await handle.chmod(OWNER_ONLY);
    await handle.writeFile(`${token}\n`);
  } finally {
    await handle.close();
  }
  return token;
}

/** Replaces the address as a whole, so that a reader never sees half of one. */
export async function writeWindowAddress(userDataPath: string, address: string): Promise<void> {
  const file = addressFile(userDataPath);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${address}\n`, { mode: OWNER_ONLY });
  await rename(draft, file);
}

/** Undefined when no window was served from this folder, or the server ended in good order. */
export function readWindowAddress(userDataPath: string): Promise<string | undefined> {
  return readTrimmed(addressFile(userDataPath));
}

/** Removes the address, unless another server has written its own meanwhile. */
export async function forgetWindowAddress(userDataPath: string, address: string): Promise<void> {
  if ((await readWindowAddress(userDataPath)) === address)
    await rm(addressFile(userDataPath), { force: true });
}
