// What follows the making of a model folder, by an import, a conversion or a template: the catalog knows it, and it is
// loaded when that was asked for.

import type { ModelRepository } from '../../repository/model-repository.ts';
import type { ModelCatalog } from './model-catalog.ts';

/** A load that fails is told by the model itself: the folder is there either way. */
export async function adoptFolder(
  { catalog, repository }: { readonly catalog: ModelCatalog; readonly repository: ModelRepository },
  name: string,
  load: boolean,
): Promise<void> {
  await catalog.rescan();
  await catalog.refresh(name);
  if (!load) return;
  await repository.load(name).then(
    () => catalog.loaded(name, { hasOverride: false }),
    () => undefined,
  );
}
