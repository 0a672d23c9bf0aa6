// Packing models for somewhere else: where to, then a task of the engine, then where it is.

import { revealPath } from '../../actions/reveal.ts';
import { isCancelled } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { formatBytes } from '../../lib/format.ts';
import { t } from '../../texts/translate.ts';
import { toastSuccess } from '../../ui/toast.tsx';
import { newTaskId } from './import-flow.ts';
import { pickFolder } from './start-import.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** Packs models into a folder that is asked for, and tells where the file is. `names` one a line. */
export async function exportModels({ client }: Engine, names: string): Promise<void> {
  const models = names.split('\n').filter((name) => name !== '');
  const [folder] = await pickFolder(t('export.folder', { names: models.join(', ') }));
  if (folder === undefined || models.length === 0) return;
  try {
    const { path, byteSize } = await client.call('repository/exportModels', {
      models,
      folder,
      taskId: newTaskId(),
    });
    toastSuccess(t('export.done', { path, size: formatBytes(byteSize) }), {
      label: t('export.reveal'),
      onClick: () => void revealPath(path),
    });
  } catch (thrown) {
    if (!isCancelled(thrown)) toastThrown(thrown);
  }
}
