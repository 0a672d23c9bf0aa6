// A result or a picture that the user drags out of the window: other programs take files, so it is written to one in the
// folder of the user's data. It stays while the app runs, since who took it may read it later; what an earlier run left
// goes with the first drag of the next one.

import { app, nativeImage } from 'electron';
import type { WebContents } from 'electron';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { makeFolderSync } from '../../base/make-folder.ts';
import { shellErrors } from './shell-errors.ts';

/** What is dragged, as the page hands it over. */
export interface Dragged {
  /** Name of the file, without a folder. */
  readonly name: string;
  readonly content: string;
  readonly isBase64: boolean;
}

const ICON_SIZE = 48;
/** Set by the first drag. */
let folder: string | undefined;

/** Bytes of a name that all file systems take. */
const MAX_NAME_BYTES = 255;

/** Whether it names a file in every file system, without a folder. */
export function isFileName(name: string): boolean {
  return !/^\.{0,2}$/.test(name) && !/[/\\:\0]/.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES;
}

/** A folder of its own for each drag: two results may have one name. Written at once, since the drag has begun. */
function draggedFile({ name, content, isBase64 }: Dragged): string {
  if (!isFileName(name)) {
    throw shellErrors.fileName({ name });
  }
  if (folder === undefined) {
    folder = path.join(app.getPath('userData'), 'dragged');
    rmSync(folder, { recursive: true, force: true });
  }
  makeFolderSync(folder);
  const file = path.join(mkdtempSync(path.join(folder, 'file-')), name);
  writeFileSync(file, Buffer.from(content, isBase64 ? 'base64' : 'utf8'));
  return file;
}

/** Blocks until the file is written, because the drag must begin within the event. Nothing happens without a window. */
export function dragOut(contents: WebContents | undefined, iconFile: string, dragged: Dragged): void {
  const file = draggedFile(dragged);
  const icon = nativeImage.createFromPath(iconFile).resize({ width: ICON_SIZE, height: ICON_SIZE });
  contents?.startDrag({ file, icon });
}
