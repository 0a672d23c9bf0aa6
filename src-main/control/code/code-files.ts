// The source files of a model folder as an editor opens them. A name of the page is confined to the model's folder, links
// followed; a file that changed since it was read is never written over.

import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import path from 'node:path';

import { artefactNames, type BackendDescription } from '../../../src-shared/config/backend-description.ts';
import type { CodeFileView } from '../../../src-shared/contract/code-calls.ts';
import type { ConfigFile } from '../../../src-shared/contract/config-calls.ts';
import { MAX_EDITED_BYTES } from '../../../src-shared/contract/config-calls.ts';
import type { ModelFileView } from '../../../src-shared/contract/repository-calls.ts';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import { confinedPath } from '../../base/confined-path.ts';
import { readConfigContent } from '../catalog/folder-facts.ts';
import { catalogErrors } from '../catalog/catalog-errors.ts';
import { codeErrors } from './code-errors.ts';

/** Text that people write; a configuration has an editor of its own. */
const TEXT = /\.(?:py|js|mjs|cjs|ts|json|txt|md|ya?ml|toml|cfg|ini)$/i;
const IS_VERSION = /^[1-9]\d*$/;
const MAX_LISTED = 200;

/** A model whose code is read or written. */
export interface ModelFolder {
  readonly model: string;
  /** Absolute path of the model folder. */
  readonly folder: string;
}

/** Those an editor can hold, the main one first, the others in text order. */
export function codeFiles(
  files: readonly ModelFileView[],
  backend: Pick<BackendDescription, 'artefacts'> | undefined,
  defaultModelFilename: string,
): readonly CodeFileView[] {
  const text = files.filter(({ path: file }) => TEXT.test(file) && !isHidden(file)).slice(0, MAX_LISTED);
  const names =
    defaultModelFilename === '' ? artefactNames(backend ?? { artefacts: [] }) : [defaultModelFilename];
  const main = mainFile(text, names);
  const views = text.map(({ path: file, byteSize }) => ({ path: file, byteSize, isMain: file === main }));
  return views.sort((a, b) => Number(b.isMain) - Number(a.isMain));
}

function isHidden(file: string): boolean {
  return file.split('/').some((part) => part.startsWith('.') || part === '__pycache__');
}

/** The model file of the newest version that has one. */
function mainFile(files: readonly ModelFileView[], names: readonly string[]): string | undefined {
  const candidates = files.map(({ path: file }) => file.split('/'));
  const own = candidates.filter(
    ([version = '', ...rest]) => IS_VERSION.test(version) && names.includes(rest.join('/')),
  );
  return own.sort(([a], [b]) => Number(b) - Number(a))[0]?.join('/');
}

/** Answers also for a file that is not there: an editor may create it. */
export async function readCodeFile(at: ModelFolder, file: string): Promise<ConfigFile> {
  const location = await locate(at, file);
  const readOnlyReason = await writeFault(location);
  try {
    const { text, hash, refusal } = await readConfigContent(location);
    return { exists: true, text: text ?? '', hash, path: location, readOnlyReason, refusal };
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    return { exists: false, text: '', hash: undefined, path: location, readOnlyReason, refusal: undefined };
  }
}

/** ALREADY_EXISTS when the file is no longer the one with `expectedHash`; INVALID_ARG for one that is not opened here. */
export async function writeCodeFile(
  at: ModelFolder,
  file: string,
  change: { readonly text: string; readonly expectedHash: string | undefined },
): Promise<ConfigFile> {
  const { text, expectedHash } = change;
  if (Buffer.byteLength(text) > MAX_EDITED_BYTES) {
    throw catalogErrors.tooLarge({ file, model: at.model, limit: MAX_EDITED_BYTES });
  }
  const before = await readCodeFile(at, file);
  if (before.refusal !== undefined) {
    throw codeErrors.notChanged({ file, model: at.model });
  }
  if (before.readOnlyReason !== undefined) {
    throw codeErrors.readOnly({ file, model: at.model, reason: before.readOnlyReason });
  }
  if (before.hash !== expectedHash) {
    throw catalogErrors.changedOnDisk({ file, model: at.model }, { details: { hash: before.hash } });
  }
  // A link stays a link: what it leads to, inside the folder, is what gets the text.
  await writeFileAtomic(await realpath(before.path).catch(() => before.path), text);
  return readCodeFile(at, file);
}

/**
 * Absolute path of a source file of the model. Throws NOT_FOUND or INVALID_ARG for what the editor may not
 * open.
 */
export async function locate({ model, folder }: ModelFolder, file: string): Promise<string> {
  const name = path.posix.normalize(file);
  const isText = TEXT.test(name) && !isHidden(name);
  const location = isText ? await confinedPath(name, { base: folder, within: [folder] }) : undefined;
  if (location !== undefined) return location;
  throw codeErrors.noSource({ file, model });
}

/** undefined where the file can be replaced. */
async function writeFault(location: string): Promise<string | undefined> {
  try {
    await access(path.dirname(location), constants.W_OK);
    await access(location, constants.W_OK);
    return undefined;
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' && message.includes(path.basename(location));
    return isMissing ? undefined : message;
  }
}
