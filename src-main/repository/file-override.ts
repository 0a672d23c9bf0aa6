// The private folder of a model that was loaded from files sent with the load call. The folder holds exactly those
// files and the overriding configuration; nothing is ever written outside it. Whoever creates it removes it.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { makeFolder } from '../base/make-folder.ts';
import { normalizedPath } from '../base/confined-path.ts';
import { isCodeFile } from '../inference/code-files.ts';
import { loadErrors } from './load-errors.ts';

/** A private model folder, made of the files of a load call. `remove` deletes it with all that is in it. */
export interface FileOverride {
  readonly location: string;
  /** When no version that was loaded from it is left. */
  remove(): Promise<void>;
}

/** Making, looking through and removing thousands of nested folders takes seconds. */
const MAX_PATH_PARTS = 64;

/** The target inside `root`. Its normalised name is what is judged: `1/model.js/` and `1/x/../model.js` are one file. */
function checkFile(root: string, file: string, allowCode: boolean): string {
  // Judged by its text, before any folder of it is looked for.
  if (path.normalize(file).split(path.sep).length > MAX_PATH_PARTS) {
    throw loadErrors.fileTooDeep({ file: file.slice(0, 60), limit: MAX_PATH_PARTS });
  }
  // A slash in front leads nowhere else: "/1/model.onnx" lies below the model too.
  const below = file.replace(/^\/+/, '');
  const target = path.isAbsolute(below) ? undefined : normalizedPath(below, { base: root, within: [root] });
  if (target === undefined || target === root) {
    throw loadErrors.fileLeadsOut({ file, normalized: path.normalize(file) });
  }
  if (!allowCode && isCodeFile(target)) {
    throw loadErrors.fileIsCode({ file });
  }
  return target;
}

/**
 * Writes the files into a fresh folder. Paths are relative to the model folder ("1/model.onnx").
 * Throws INVALID_ARG for paths that leave the folder, use a file as a folder, or hold code that is not allowed.
 */
export async function createFileOverride(
  files: ReadonlyMap<string, Uint8Array>,
  options: { readonly allowCode: boolean },
): Promise<FileOverride> {
  const location = await mkdtemp(path.join(os.tmpdir(), 'folder'));
  const remove = (): Promise<void> => rm(location, { recursive: true, force: true });
  try {
    const targets = [...files].map(([file, bytes]) => ({
      file,
      bytes,
      target: checkFile(location, file, options.allowCode),
    }));
    for (const { file, bytes, target } of targets) {
      try {
        await makeFolder(path.dirname(target));
        await writeFile(target, bytes, { flag: 'wx' });
      } catch (thrown) {
        const reason = (thrown as Error).message;
        throw loadErrors.fileNotWritten({ file, reason }, { cause: thrown });
      }
    }
    return { location, remove };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}
