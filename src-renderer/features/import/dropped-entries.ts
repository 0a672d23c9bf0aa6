// What was dropped, read while the drop event is alive: paths in the desktop app, files with their place inside the
// dropped folders in a browser.

import { nativeShell } from '../../engine/native-shell.ts';
import type { UploadFile } from './upload.ts';

/** What was dropped, in the way that this window can pass it on. */
export interface Dropped {
  /** Absolute paths; empty in a browser. */
  readonly paths: readonly string[];
  /** Files to upload; empty in the desktop app. */
  readonly files: () => Promise<readonly UploadFile[]>;
  /** Names of the dropped things themselves. */
  readonly names: readonly string[];
}

/** Must be called inside the drop event: the browser forgets the items afterwards. */
export function readDrop(transfer: DataTransfer): Dropped {
  const shell = nativeShell();
  const plain = [...transfer.files];
  if (shell !== undefined) {
    const paths = plain.map((file) => shell.pathForFile(file)).filter((path) => path !== undefined);
    return { paths, files: () => Promise.resolve([]), names: plain.map(({ name }) => name) };
  }
  const entries = [...transfer.items]
    .map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
    .filter((entry) => entry !== null);
  return { paths: [], files: () => collect(entries), names: entries.map(({ name }) => name) };
}

async function collect(entries: readonly FileSystemEntry[]): Promise<readonly UploadFile[]> {
  const files: UploadFile[] = [];
  for (const entry of entries) {
    if (isFile(entry)) files.push({ path: relative(entry), file: await fileOf(entry) });
    else if (isFolder(entry)) files.push(...(await collect(await childrenOf(entry))));
  }
  return files;
}

function relative({ fullPath }: FileSystemEntry): string {
  return fullPath.replace(/^\/+/, '');
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives at most a hundred entries at a time. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return children;
    children.push(...batch);
  }
}

/** Files chosen with a file input; a chosen folder keeps its inner paths. */
export function filesOf(list: FileList): readonly UploadFile[] {
  return [...list].map((file) => ({
    path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
    file,
  }));
}

/** First parts of the paths: what was chosen, without what lies inside. */
export function topNames(files: readonly UploadFile[]): readonly string[] {
  return [...new Set(files.map(({ path }) => path.split('/')[0] ?? path))];
}
