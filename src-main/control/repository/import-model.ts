// Brings models into a repository: a whole model folder, a version of an existing model, or a new folder around a bare
// .onnx file. Every import is staged and renamed in; what it replaces goes to the system's bin.

import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isThere } from '../../base/file-exists.ts';
import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import type { Bin } from '../files/bin.ts';
import { hasCode } from './classify-drop.ts';
import type { CopyOptions, PlannedFile } from '../files/copy-folder.ts';
import { copyFolderAtomically, copyInto, moveIn, stageBeside } from '../files/copy-folder.ts';
import { checkNewName, checkVersion } from '../files/new-names.ts';
import { copyWithDynamicFirst } from './dynamic-copy.ts';
import { foldersErrors } from './folder-errors.ts';

const LABEL_FILE = /^[\w-][\w.-]{0,199}\.txt$/;

/** Which folder is imported, where to and as what. */
export interface ImportRequest {
  /** Model folder, or a version folder for `add-version`. */
  readonly source: string;
  readonly repository: string;
  readonly name: string;
  readonly mode: 'new' | 'add-version' | 'replace';
  /** Version to create with `add-version`. */
  readonly version: string | undefined;
  readonly trustCode: boolean;
  /** What the backends of the server say of themselves. */
  readonly backends: readonly BackendDescription[];
  readonly bin: Bin;
}

/** Returns the version that was added, "" for whole models. */
export async function importModel(
  request: ImportRequest,
  options: CopyOptions,
): Promise<{ readonly version: string }> {
  checkNewName(request.name);
  await requireTrust(request.source, request.trustCode, request.backends);
  const target = path.join(request.repository, request.name);
  if (request.mode === 'add-version') return addVersion(request, target, options);
  if (request.mode === 'replace' && (await isThere(target))) await request.bin.take(target);
  await copyFolderAtomically(request.source, target, request.repository, options);
  return { version: '' };
}

/** INVALID_ARG with `needsTrust` unless the folder holds no code, or its user said to trust it. */
async function requireTrust(
  folder: string,
  isTrusted: boolean,
  backends: readonly BackendDescription[],
): Promise<void> {
  if (isTrusted || !(await hasCode(folder, backends))) return;
  throw foldersErrors.needsTrust({ folder }, { details: { needsTrust: true } });
}

async function addVersion(
  { source, repository, name, version }: ImportRequest,
  target: string,
  options: CopyOptions,
): Promise<{ readonly version: string }> {
  if (!(await isThere(target))) throw foldersErrors.noModelForVersion({ name });
  const wanted = version ?? '';
  checkVersion(wanted);
  await copyFolderAtomically(await versionFolderOf(source), path.join(target, wanted), repository, options);
  return { version: wanted };
}

/** The folder itself when it is a version folder, else its newest version. */
async function versionFolderOf(source: string): Promise<string> {
  if (/^[1-9]\d*$/.test(path.basename(source))) return source;
  const names = (await readdir(source)).filter((name) => /^[1-9]\d*$/.test(name));
  const newest = names.sort((a, b) => Number(a) - Number(b)).at(-1);
  if (newest === undefined) throw foldersErrors.noVersionFolder({ folder: source });
  return path.join(source, newest);
}

/** Which ONNX file becomes a model, and how it is called. */
export interface CreateRequest {
  readonly onnxPath: string;
  /** Name in the graph -> file that holds the data. */
  readonly externalData: Readonly<Record<string, string>>;
  readonly repository: string;
  readonly name: string;
  readonly version: string;
  /** undefined = no config file. */
  readonly configText?: string | undefined;
  /** Name in the model folder -> label file. */
  readonly labels: Readonly<Record<string, string>>;
  /** Also write the next version, with a dynamic first dimension. */
  readonly hasDynamicVersion: boolean;
}

/** Files of weights, by the names in the graph. INVALID_ARG when one of these leads out of the version folder. */
export async function planExternalData(
  externalData: Readonly<Record<string, string>>,
): Promise<readonly PlannedFile[]> {
  return Promise.all(
    Object.entries(externalData).map(async ([to, from]) => {
      if (path.isAbsolute(to) || to.split(/[\\/]/).includes('..')) {
        throw foldersErrors.weightsLeadOut({ file: to });
      }
      return { from, to, byteSize: (await stat(from)).size };
    }),
  );
}

/**
 * Puts the file into a new model folder with a configuration. Throws INVALID_ARG for a name or a version
 * that cannot be.
 */
export async function createFromOnnx(request: CreateRequest, options: CopyOptions): Promise<void> {
  checkNewName(request.name);
  checkVersion(request.version);
  const staged = await stageBeside(request.repository);
  try {
    const body = path.join(staged, 'body');
    const data = await planExternalData(request.externalData);
    const model = { from: request.onnxPath, to: 'model.onnx', byteSize: (await stat(request.onnxPath)).size };
    const next = String(Number(request.version) + 1);
    const planned = [
      ...[model, ...data].map((file) => ({ ...file, to: path.join(request.version, file.to) })),
      ...(request.hasDynamicVersion ? data.map((file) => ({ ...file, to: path.join(next, file.to) })) : []),
    ];
    for (const [to, from] of Object.entries(request.labels)) {
      if (!LABEL_FILE.test(to)) throw foldersErrors.labelFileName({ file: to });
      planned.push({ from, to, byteSize: (await stat(from)).size });
    }
    await copyInto(body, planned, options);
    if (request.hasDynamicVersion) {
      await copyWithDynamicFirst(request.onnxPath, path.join(body, next, 'model.onnx'), options);
    }
    if (request.configText !== undefined) await writeFile(path.join(body, CONFIG_FILE), request.configText);
    await moveIn(body, path.join(request.repository, request.name));
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}
