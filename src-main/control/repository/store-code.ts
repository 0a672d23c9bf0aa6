// Whether a repository in an object store holds code that loading its models would run.

import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import { isCodeFile } from '../../inference/code-files.ts';
import { objectStores } from '../../object-stores/shared-stores.ts';
import { joinStorePath } from '../../object-stores/store-path.ts';
import { asksForCode } from './classify-drop.ts';

/** As long as a configuration may be. */
const MAX_CONFIG_BYTES = 16 * 1024 * 1024;

/** Rejects when the store does not answer, which is how a wrong path is noticed. */
export async function hasStoreCode(root: string, backends: readonly BackendDescription[]): Promise<boolean> {
  const files = [...(await objectStores.folder(root)).allFiles()].map(([name]) => name);
  if (files.some((name) => isCodeFile(name))) return true;
  for (const name of files.filter((file) => file.endsWith('/config.pbtxt'))) {
    const text = await objectStores.readText(joinStorePath(root, name), MAX_CONFIG_BYTES);
    if (asksForCode(text, backends)) return true;
  }
  return false;
}
