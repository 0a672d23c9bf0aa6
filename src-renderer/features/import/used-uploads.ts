// Uploads that were imported: what they put on the server is dropped as soon as nothing is asked or done about them, so
// that a model that was cancelled, or copied, leaves nothing behind. Those of a page that goes away are dropped by the
// server after a day.

import type { ImportDialog } from './import-store.ts';
import { importStore } from './import-store.ts';
import { dropUpload } from './upload.ts';

/** Folders of uploads, and whether an import has taken them; others are filled inputs or data files, which stay. */
const folders = new Map<string, { isTaken: boolean }>();
const running = new Set<readonly string[]>();

/** To be called with the folder of each upload. */
export function rememberUpload(folder: string): void {
  folders.set(folder, { isTaken: false });
}

/** Does an import of these paths; their uploads stay until it has ended and its dialogs are closed. */
export async function whileImporting(paths: readonly string[], work: () => Promise<void>): Promise<void> {
  running.add(paths);
  for (const [folder, use] of folders) if (isBelow(paths, folder)) use.isTaken = true;
  try {
    await work();
  } finally {
    running.delete(paths);
    dropUnused();
  }
}

// A dialog that closes may begin an import with its next word.
importStore.subscribe(() => queueMicrotask(dropUnused));

function dropUnused(): void {
  const { dialogs } = importStore.getState();
  const used = [...[...running].flat(), ...dialogs.flatMap((dialog) => pathsOf(dialog))];
  for (const [folder, { isTaken }] of folders) {
    if (!isTaken || isBelow(used, folder)) continue;
    folders.delete(folder);
    void dropUpload(folder);
  }
}

function isBelow(paths: readonly string[], folder: string): boolean {
  return paths.some((path) => path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`));
}

function pathsOf(dialog: ImportDialog): readonly string[] {
  switch (dialog.kind) {
    case 'wizard':
      return dialog.inspections.map(({ path }) => path);
    case 'framework':
      return [dialog.inspection.path];
    case 'convert':
    case 'ensemble':
    case 'template':
      return [];
    default:
      return [dialog.item.path];
  }
}
