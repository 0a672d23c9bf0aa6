// Model files of other frameworks: what one says about its tensors, read in the Python that would run it, and a model
// folder made around it.

import { execFile } from 'node:child_process';
import { rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import type { ArtefactForm, BackendDescription } from '../../../src-shared/config/backend-description.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import type { FrameworkInspection, FrameworkTensor } from '../../../src-shared/contract/framework-calls.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { suggestedName } from '../../base/suggested-name.ts';
import { isCodeFile } from '../../inference/code-files.ts';
import { pythonFolder } from '../../backends/python-host/host-files.ts';
import type { CopyOptions, PlannedFile } from '../files/copy-folder.ts';
import { copyInto, moveIn, planFolder, stageBeside } from '../files/copy-folder.ts';
import { checkNewName, checkVersion } from '../files/new-names.ts';
import { convertErrors } from './convert-errors.ts';
import { SAVED_MODEL_FILE, servedEnding } from '../files/other-formats.ts';
import { sourceArtefact } from '../files/source-models.ts';

const READ_TIMEOUT_MS = 60_000;

/** An absolute path of a file or folder, and the backend that would serve it. */
export interface FrameworkFile {
  readonly path: string;
  readonly backend: BackendDescription;
  readonly artefact: ArtefactForm;
}

/** The backend that takes a file or folder like this one; undefined = none. Told by names, and for source by its text. */
export async function frameworkFile(
  location: string,
  backends: readonly BackendDescription[],
): Promise<FrameworkFile | undefined> {
  const isFolder = (await stat(location)).isDirectory();
  const isSavedModel = isFolder && (await isFile(path.join(location, SAVED_MODEL_FILE)));
  if (isFolder && !isSavedModel) return undefined;
  const extension = isSavedModel ? '.savedmodel' : servedEnding(path.basename(location));
  const source = isFolder ? undefined : await sourceArtefact(location);
  for (const backend of backends) {
    const artefact = backend.artefacts.find(({ name }) =>
      isCodeFile(name) ? name === source : backend.format === 'binary' && path.extname(name) === extension,
    );
    if (artefact !== undefined) return { path: location, backend, artefact };
  }
  return undefined;
}

async function isFile(location: string): Promise<boolean> {
  return await stat(location).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

interface Read {
  readonly inputs: readonly FrameworkTensor[];
  readonly outputs: readonly FrameworkTensor[];
  readonly note: string | undefined;
  readonly error: string | undefined;
  /** What the file calls itself. */
  readonly name: string | undefined;
  readonly completes: boolean;
  readonly batch: number | undefined;
  readonly isServable: boolean;
}

const NOTHING: Read = {
  inputs: [],
  outputs: [],
  note: undefined,
  error: undefined,
  name: undefined,
  completes: false,
  batch: undefined,
  isServable: true,
};

const READERS: ReadonlySet<string> = new Set([
  'pytorch',
  'openvino',
  'tensorflow',
  'tensorrt',
  'dali',
  'python',
]);

/** Files of which a load finds out what their configuration leaves open. */
const COMPLETED: ReadonlySet<string> = new Set(['model.xml', 'model.savedmodel', 'model.plan', 'dali.py']);

/** Where a file is looked at. */
export interface InspectionPlace {
  /** Rejects, with what to do, where no Python can run models. */
  readonly choosePython: () => Promise<{ readonly program: string }>;
  /** The machine has GPUs that models of the file's backend can use. */
  readonly hasGpus: boolean;
}

/** What a model lacks on a machine without GPUs, as a sentence; undefined where it runs without them as well. */
function gpuNeed({ title, instances }: BackendDescription): string | undefined {
  if (instances.isOnlyOnGpus !== true) return undefined;
  return `${title} models run on NVIDIA GPUs only, and this server has none that it may use. The folder can be made here and is kept as it is; a load on this machine would fail.`;
}

/** Reading ends with the signal. */
export async function inspectFramework(
  file: FrameworkFile,
  { choosePython, hasGpus }: InspectionPlace,
  signal: AbortSignal,
): Promise<FrameworkInspection> {
  const { backend, artefact } = file;
  const read = READERS.has(backend.name) ? await readTensors(file, choosePython, signal) : NOTHING;
  const files = await filesOf(file);
  return {
    path: file.path,
    byteSize: files.reduce((total, { byteSize }) => total + byteSize, 0),
    backend: backend.name,
    title: backend.title,
    platform: artefact.platform,
    artefact: artefact.name,
    suggestedName: suggestedName(file.path, read.name ?? `${backend.name}_model`),
    inputs: read.inputs,
    outputs: read.outputs,
    note: read.note,
    problem: read.error,
    completes: read.completes || (read.error !== undefined && COMPLETED.has(artefact.name)),
    maxBatchSize: read.batch,
    isServable: read.isServable,
    needs: backend.needs ?? (hasGpus ? undefined : gpuNeed(backend)),
  };
}

async function readTensors(
  { path: location, backend }: FrameworkFile,
  choosePython: () => Promise<{ readonly program: string }>,
  signal: AbortSignal,
): Promise<Read> {
  try {
    const { program } = await choosePython();
    const script = path.join(pythonFolder(), 'conch_tools', 'inspect_model.py');
    const { stdout } = await promisify(execFile)(program, [script, backend.name, location], {
      timeout: READ_TIMEOUT_MS,
      windowsHide: true,
      signal,
    });
    const told = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Read;
    // The script says "" and null where there is nothing to say.
    return {
      ...told,
      note: told.note || undefined,
      error: told.error || undefined,
      name: told.name || undefined,
      batch: told.batch ?? undefined,
    };
  } catch (thrown) {
    signal.throwIfAborted();
    return { ...NOTHING, error: toServerError(thrown).message };
  }
}

/** What is copied, under its name in a version folder. An OpenVINO model is a pair of files. */
async function filesOf({ path: location, artefact }: FrameworkFile): Promise<readonly PlannedFile[]> {
  const stats = await stat(location);
  if (stats.isDirectory()) {
    const inside = await planFolder(location);
    return inside.map((file) => ({ ...file, to: path.join(artefact.name, file.to) }));
  }
  const own = { from: location, to: artefact.name, byteSize: stats.size };
  if (path.extname(location).toLowerCase() !== '.xml') return [own];
  const weights = location.replace(/\.xml$/i, '.bin');
  const found = await stat(weights).catch(() => undefined);
  if (found === undefined) {
    throw convertErrors.noWeights({ weights: path.basename(weights), file: path.basename(location) });
  }
  return [own, { from: weights, to: artefact.name.replace(/\.xml$/, '.bin'), byteSize: found.size }];
}

interface NewFrameworkModel {
  readonly file: FrameworkFile;
  readonly repository: string;
  readonly name: string;
  readonly version: string;
  readonly configText: string;
  readonly trustCode: boolean;
}

/** A complete model folder or none. ALREADY_EXISTS when the name is taken, INVALID_ARG for code that nobody trusts. */
export async function createFrameworkModel(request: NewFrameworkModel, options: CopyOptions): Promise<void> {
  const { file, repository, name, version, configText } = request;
  checkNewName(name);
  checkVersion(version);
  if (isCodeFile(file.artefact.name) && !request.trustCode) {
    throw convertErrors.needsTrust({ file: file.path }, { details: { needsTrust: true } });
  }
  const staged = await stageBeside(repository);
  try {
    const body = path.join(staged, 'body');
    const files = await filesOf(file);
    await copyInto(
      body,
      files.map((one) => ({ ...one, to: path.join(version, one.to) })),
      options,
    );
    await writeFile(path.join(body, CONFIG_FILE), configText);
    await moveIn(body, path.join(repository, name));
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}
