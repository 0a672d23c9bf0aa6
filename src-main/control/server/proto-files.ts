// The .proto files of the gRPC service, for people who generate a client of their own. They lie in `resources/proto`,
// beside the program in a build and in the sources alike.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { resourceFolders } from '../../base/resource-folders.ts';
import { installationErrors } from '../files/installation-errors.ts';

/** `here` may be inside an archive that is unpacked beside it. */
async function protoFolder(here: string): Promise<string> {
  for (const folder of resourceFolders('proto', here)) {
    const names = await readdir(folder).catch(() => []);
    if (names.length > 0) return folder;
  }
  throw installationErrors.noProtoFiles();
}

/** By name, with their imports among them. Rejects when the installation has lost them. */
export async function protoFiles(): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const folder = await protoFolder(import.meta.dirname);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.proto')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, text: await readFile(path.join(folder, name), 'utf8') })),
  );
}
