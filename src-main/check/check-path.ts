// Checks what lies at a path: a folder as it is, a repository or a model of an object store in a copy.

import path from 'node:path';

import { objectStores } from '../object-stores/shared-stores.ts';
import { isStorePath } from '../object-stores/store-path.ts';
import type { CheckedModel, CheckOptions } from './check-model.ts';
import { checkFolder } from './check-repository.ts';

/** As `checkFolder`. What is in a store is told by its paths there. Rejects when the store does not answer. */
export async function checkPath(
  location: string,
  options: CheckOptions,
): Promise<readonly Pick<CheckedModel, 'name' | 'path' | 'versions' | 'findings'>[]> {
  if (!isStorePath(location)) return await checkFolder(location, options);
  const place = objectStores.adopt(location).replace(/\/+$/, '');
  const copy = await objectStores.copy(place, { name: path.posix.basename(place) });
  const inStore = (text: string): string => text.replaceAll(copy.path, place);
  try {
    const models = await checkFolder(copy.path, options);
    return models.map((model) => ({
      ...model,
      path: inStore(model.path),
      findings: model.findings.map((finding) => ({
        ...finding,
        file: finding.file === undefined ? undefined : inStore(finding.file),
        message: inStore(finding.message),
      })),
    }));
  } finally {
    await copy.remove();
  }
}
