// What the desktop or another screen asks to open: repositories are looked at and added, models are used where they lie, ONNX files go
// through the wizard.

import { useEffect } from 'react';

import type { Engine } from '../../engine/engine-context.tsx';
import { useEngine, useModels } from '../../engine/engine-context.tsx';
import { address } from '../../lib/address.ts';
import { nativeShell } from '../../engine/native-shell.ts';
import { onOpenFiles } from '../../lib/open-files.ts';
import type { PathsToOpen } from '../../lib/open-paths.ts';
import { onOpenPaths } from '../../lib/open-paths.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { toastSuccess } from '../../ui/toast.tsx';
import type { Dropped } from './dropped-entries.ts';
import { importPaths } from './import-flow.ts';
import { importDrop } from './start-import.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** Waits until it is known which repositories are open. */
export function useOpenFromDesktop(): void {
  const engine = useEngine();
  const isReady = useModels(({ isLoaded }) => isLoaded);
  useEffect(() => {
    if (!isReady) return undefined;
    return onOpenPaths((request) => {
      openFromDesktop(engine, request).catch(toastThrown);
    });
  }, [engine, isReady]);
  useEffect(() => onOpenFiles((files) => void importDrop(engine, asDropped(files), 'copy')), [engine]);
}

/** As if they had been dropped on the window: by path in the desktop app, else to be uploaded. */
function asDropped(files: readonly File[]): Dropped {
  const shell = nativeShell();
  const paths = files.map((file) => shell?.pathForFile(file)).filter((path) => path !== undefined);
  const uploads = files.map((file) => ({ path: file.name, file }));
  return { paths, files: () => Promise.resolve(uploads), names: files.map(({ name }) => name) };
}

async function openFromDesktop(engine: Engine, { paths, isRecent }: PathsToOpen): Promise<void> {
  const known = engine.state.models.getState().repositories.map(({ path }) => path);
  const others = paths.filter((path) => !known.includes(path));
  if (others.length < paths.length) open(address('models'));
  const unseen: string[] = [];
  for (const path of others) if (!isRecent || !(await reopen(engine, path))) unseen.push(path);
  await importPaths(engine, unseen, { intent: 'link' });
}

/** False for what needs a look: models with code of their own, and what is a repository no more. */
async function reopen({ client }: Engine, path: string): Promise<boolean> {
  const [item] = await client.call('repository/classify', { paths: [path] });
  const isPlain =
    (item?.kind === 'repository' || item?.kind === 'folder') && (!item.hasCode || item.isTrusted);
  if (!isPlain) return false;
  await client.call('repository/add', { path, load: true, trustCode: false });
  open(address('models'));
  toastSuccess(t('import.repository.added', { path }));
  return true;
}
