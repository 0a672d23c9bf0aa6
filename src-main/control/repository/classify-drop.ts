// What a dropped path is, found by looking at it: model folder, repository, bare .onnx, version folder and so on.
// Nothing is written and nothing of the model is run.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import {
  artefactNames,
  findBackend,
  type BackendDescription,
} from '../../../src-shared/config/backend-description.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import type { DropItem } from '../../../src-shared/contract/repository-calls.ts';
import { plainName } from '../../base/plain-name.ts';
import { readTextFile } from '../../base/regular-file.ts';
import { isCodeFile } from '../../inference/code-files.ts';
import { inspectAnyFile } from '../../onnx/onnx-inspection.ts';
import { adviceOn, SAVED_MODEL_FILE, servedEnding } from '../files/other-formats.ts';
import { sourceArtefact } from '../files/source-models.ts';

const ONNX = /\.onnx$/i;
const ARCHIVE = /\.(?:zip|tar|tgz|gz|7z|rar)$/i;
const WITH_WIZARD: ReadonlySet<string> = new Set(['.pt', '.pt2', '.xml', '.plan', '.dali', '.graphdef']);
const SOURCE = /\.py$/i;
const INPUT = /\.(?:png|jpe?g|webp|gif|bmp|npy|npz|json|bin|raw|csv)$/i;
const IS_VERSION = /^[1-9]\d*$/;
const NO_MODEL_CLASS =
  'This Python file is no model: it has no class TritonPythonModel, and no pipeline of DALI with @autoserialize.';
const MAX_MODELS_LISTED = 500;

type Draft = Omit<DropItem, 'conflict' | 'isTrusted'>;

interface Listing {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/** Never throws; what cannot be read is unknown, with the reason. */
export async function classifyDrop(
  location: string,
  backends: readonly BackendDescription[],
): Promise<Draft> {
  try {
    const stats = await stat(location);
    return stats.isDirectory()
      ? await classifyFolder(location, backends)
      : await classifyFile(location, stats.size, backends);
  } catch (thrown) {
    return draft(location, 'unknown', {
      message: `${location} cannot be read: ${(thrown as Error).message}`,
    });
  }
}

function draft(location: string, kind: DropItem['kind'], change: Partial<Draft> = {}): Draft {
  return {
    path: location,
    kind,
    name: nameOf(location),
    byteSize: 0,
    models: [],
    hasCode: false,
    message: '',
    ...change,
  };
}

function nameOf(location: string): string {
  return plainName(path.basename(location, path.extname(location)));
}

async function list(folder: string): Promise<Listing> {
  const entries = await readdir(folder, { withFileTypes: true });
  const folders: string[] = [];
  const files: string[] = [];
  for (const entry of entries) {
    const isFolder =
      entry.isDirectory() || (entry.isSymbolicLink() && (await isFolderAt(path.join(folder, entry.name))));
    (isFolder ? folders : files).push(entry.name);
  }
  return { folders, files };
}

async function isFolderAt(location: string): Promise<boolean> {
  return await stat(location).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function isModelFile(name: string): boolean {
  return name.endsWith('.onnx') || /^model\./.test(name);
}

/** A model folder holds a configuration, or a version folder with a model file. */
async function isModelFolder(folder: string, { folders, files }: Listing): Promise<boolean> {
  if (files.includes(CONFIG_FILE)) return true;
  for (const version of folders.filter((name) => IS_VERSION.test(name))) {
    const inside = await list(path.join(folder, version));
    if ([...inside.files, ...inside.folders].some(isModelFile)) return true;
  }
  return false;
}

async function classifyFolder(folder: string, backends: readonly BackendDescription[]): Promise<Draft> {
  const listing = await list(folder);
  const name = path.basename(folder);
  if (IS_VERSION.test(name) && listing.files.some(isModelFile)) {
    const model = path.basename(path.dirname(folder));
    return draft(folder, 'version', {
      name: model,
      hasCode: await hasCode(folder, backends),
      message: `Version ${name} of a model.`,
    });
  }
  if (await isModelFolder(folder, listing)) {
    return draft(folder, 'model', {
      name,
      byteSize: await sizeOf(folder),
      hasCode: await hasCode(folder, backends),
    });
  }
  const models = await modelsIn(folder, listing);
  if (models.some(({ isModel }) => isModel)) {
    return draft(folder, 'repository', {
      name,
      models: models.map(({ name: model, problem }) => ({ name: model, problem })),
      hasCode: await hasCode(folder, backends),
      message: `A repository with ${models.length} ${models.length === 1 ? 'folder' : 'folders'}.`,
    });
  }
  if (listing.files.includes(SAVED_MODEL_FILE)) {
    return draft(folder, 'framework', { name, byteSize: await sizeOf(folder) });
  }
  const onnx = listing.files.filter((file) => ONNX.test(file));
  if (onnx.length === 1 && onnx[0] !== undefined) {
    return classifyFile(path.join(folder, onnx[0]), 0, backends);
  }
  return draft(folder, 'folder', {
    name,
    message:
      'Not recognised. Drop a model folder, a model repository, or a model file such as .onnx, .pt or model.py.',
  });
}

async function modelsIn(
  folder: string,
  { folders }: Listing,
): Promise<readonly (Draft['models'][number] & { readonly isModel: boolean })[]> {
  return Promise.all(
    folders.slice(0, MAX_MODELS_LISTED).map(async (name) => {
      const child = path.join(folder, name);
      const listing = await list(child).catch(() => ({ folders: [], files: [] }));
      const isModel = await isModelFolder(child, listing).catch(() => false);
      const hasVersion = listing.folders.some((version) => IS_VERSION.test(version));
      return { name, isModel, problem: hasVersion ? undefined : 'no numbered version folder' };
    }),
  );
}

async function classifyFile(
  file: string,
  byteSize: number,
  backends: readonly BackendDescription[],
): Promise<Draft> {
  const name = path.basename(file);
  if (ONNX.test(name)) {
    const { suggestedName, byteSize: size, problem } = await inspectAnyFile(file);
    return draft(file, 'onnx', { name: suggestedName, byteSize: size, message: problem ?? '' });
  }
  if (name === CONFIG_FILE)
    return draft(file, 'config', { name: path.basename(path.dirname(file)), byteSize });
  if (ARCHIVE.test(name))
    return draft(file, 'archive', {
      byteSize,
      message: 'Archives are not opened. Unpack it and drop the folder.',
    });
  if (SOURCE.test(name)) return classifySource(file, byteSize);
  const backend = backendOfFile(name, backends);
  // What is nothing by itself keeps its sentence; what a backend takes gets the wizard, whether it runs here or not.
  if (backend !== undefined && WITH_WIZARD.has(servedEnding(name)))
    return draft(file, 'framework', { byteSize });
  const message = backend === undefined ? adviceOn(name) : otherFormat(backend);
  if (message !== undefined) return draft(file, 'other-format', { byteSize, message });
  if (INPUT.test(name))
    return draft(file, 'input', { byteSize, message: 'Drop it on an input of the playground.' });
  return draft(file, 'unknown', {
    byteSize,
    message:
      'Not recognised. Drop a model folder, a model repository, or a model file such as .onnx, .pt or model.py.',
  });
}

/** A model in Python is told by its text, since any file may be called model.py. */
async function classifySource(file: string, byteSize: number): Promise<Draft> {
  const artefact = await sourceArtefact(file);
  if (artefact === undefined) return draft(file, 'other-format', { byteSize, message: NO_MODEL_CLASS });
  return draft(file, 'framework', { byteSize, hasCode: true });
}

/** The backend whose model files end like this one. */
function backendOfFile(
  name: string,
  backends: readonly BackendDescription[],
): BackendDescription | undefined {
  const extension = servedEnding(name);
  return backends.find(
    ({ format, artefacts }) =>
      format === 'binary' &&
      artefacts.some(({ name: form }) => !isCodeFile(form) && path.extname(form) === extension),
  );
}

function otherFormat(backend: BackendDescription): string {
  const name = artefactNames(backend)[0] ?? '';
  return (
    backend.needs ??
    `A ${backend.title} model. Put it into a version folder as ${name}, and drop the model folder.`
  );
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map((entry) =>
      stat(path.join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((total, size) => total + size, 0);
}

/** Whether loading anything in the folder could run code that came with it. */
export async function hasCode(folder: string, backends: readonly BackendDescription[]): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  if (entries.some((entry) => !entry.isDirectory() && isCodeFile(entry.name))) return true;
  const configs = entries.filter((entry) => entry.name === CONFIG_FILE);
  for (const config of configs) {
    const text = await readTextFile(path.join(config.parentPath, config.name)).catch(() => '');
    if (asksForCode(text, backends)) return true;
  }
  return false;
}

/** Whether a configuration names code: a library of operators, or a backend whose models are code. */
export function asksForCode(text: string, backends: readonly BackendDescription[]): boolean {
  if (/op_library_filename/.test(text)) return true;
  const { backend } = parseModelConfig(text).config;
  return findBackend(backends, backend)?.runsCode === true;
}
