// The ways in: a drop, a picker, an upload. All of them end with paths on the server.

import { isAbort, messageOf } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { nativeShell } from '../../engine/native-shell.ts';
import { t } from '../../texts/translate.ts';
import { toastError, toastInfo, toastWarning } from '../../ui/toast.tsx';
import type { Dropped } from './dropped-entries.ts';
import { topNames } from './dropped-entries.ts';
import type { ImportOptions } from './import-flow.ts';
import { importPaths } from './import-flow.ts';
import type { Intent } from './import-store.ts';
import { askPath, endUpload, showDialog, showUpload } from './import-store.ts';
import type { UploadFile } from './upload.ts';
import { uploadFiles } from './upload.ts';
import { rememberUpload } from './used-uploads.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** What a drop asks for: paths are imported where they are, files are uploaded before. What fails is told. */
export async function importDrop(engine: Engine, dropped: Dropped, intent: Intent): Promise<void> {
  const options = { intent };
  if (dropped.paths.length > 0) {
    await importPaths(engine, dropped.paths, options);
    return;
  }
  if (intent === 'link') {
    toastInfo(t('import.linkNotHere'));
    await addRepository(engine);
    return;
  }
  try {
    await importUpload(engine, await dropped.files(), options);
  } catch (thrown) {
    toastError(t('import.unreadable', { reason: messageOf(thrown) }));
  }
}

async function importUpload(
  engine: Engine,
  files: readonly UploadFile[],
  options: ImportOptions,
): Promise<void> {
  if (files.length === 0) {
    toastWarning(t('import.nothingInside'));
    return;
  }
  await importPaths(engine, await upload(files), options);
}

/** Paths on the server of what was uploaded; empty when it was cancelled or failed, which is said here. */
export async function upload(files: readonly UploadFile[]): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const names = topNames(files);
  const name = names.length === 1 ? (names[0] ?? '') : `${names[0] ?? ''} +${names.length - 1}`;
  const controller = new AbortController();
  const show = (share: number): void => showUpload({ name, share, controller });
  show(0);
  try {
    const folder = await uploadFiles(files, { signal: controller.signal, onProgress: show });
    rememberUpload(folder);
    return names.map((top) => `${folder}/${top}`);
  } catch (thrown) {
    if (!isAbort(thrown)) toastError(t('import.uploadFailed', { reason: messageOf(thrown) }));
    return [];
  } finally {
    endUpload(controller);
  }
}

/** "Add repository": a folder, looked at, then confirmed. `replaced`: one that it takes the place of. */
export async function addRepository(engine: Engine, replaced?: string): Promise<void> {
  const paths = await pickFolder(t('picker.folders'));
  const [path] = paths;
  if (path === undefined) return;
  try {
    const [item] = await engine.client.call('repository/classify', { paths: [path] });
    if (item === undefined) return;
    // An empty folder is a fine repository to begin with.
    if (item.kind === 'repository' || item.kind === 'folder')
      showDialog({ kind: 'repository', item, replaced });
    else if (item.kind === 'model') await importPaths(engine, [path], { intent: 'link' });
    else toastError(t('import.notARepository', { path, message: item.message }));
  } catch (thrown) {
    toastThrown(thrown);
  }
}

/** Asks for model files and imports them; nothing happens when the question is cancelled. */
export async function importFiles(engine: Engine, options: ImportOptions): Promise<void> {
  await importPaths(engine, await pickModels(t('picker.files')), options);
}

/** One folder on the server's computer: by the system's own dialog, else the page's; empty = cancelled. */
export async function pickFolder(title: string): Promise<readonly string[]> {
  const shell = nativeShell();
  return shell === undefined
    ? askPath(title, 'folder')
    : shell.call('shell/pickFolders', { title, multiple: false });
}

/** What the wizards take; a SavedModel is a folder, which is dropped. */
const MODEL_EXTENSIONS = [
  'onnx',
  'pt',
  'pt2',
  'pth',
  'torchscript',
  'xml',
  'plan',
  'engine',
  'trt',
  'dali',
  'graphdef',
  'pb',
] as const;

async function pickModels(title: string): Promise<readonly string[]> {
  const shell = nativeShell();
  if (shell === undefined) return askPath(title, 'any');
  return shell.call('shell/pickFiles', {
    title,
    multiple: true,
    filters: [{ name: t('picker.modelFiles'), extensions: [...MODEL_EXTENSIONS] }],
  });
}

/** Path of one file of any kind on the server's computer; undefined = cancelled. */
export async function locateFile(title: string): Promise<string | undefined> {
  const shell = nativeShell();
  const paths =
    shell === undefined
      ? await askPath(title, 'any', true)
      : await shell.call('shell/pickFiles', { title, multiple: false, filters: [] });
  return paths[0];
}
