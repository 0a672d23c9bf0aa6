// Answers the calls that change or compare folders of models and versions. A folder is copied completely or not at all,
// and what is removed goes to the bin.

import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import { CONFIG_FILE } from '../../../src-shared/config/config-file.ts';
import { folderToRead, localFolder } from '../files/local-folder.ts';
import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { folderCalls } from '../../../src-shared/contract/folder-calls.ts';
import { findArtefact } from '../../backends/onnxruntime/artefact.ts';
import { readTextFile } from '../../base/regular-file.ts';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import { modelFiles } from '../../inference/model-files.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import { compareVersions } from '../probe/compare-versions.ts';
import { exportModels } from './export-models.ts';
import type { Bin, Binned } from '../files/bin.ts';
import { addFile, copyFolderAtomically, moveIn, stageBeside } from '../files/copy-folder.ts';
import { replaceFile } from '../files/replace-file.ts';
import { addDynamicVersion } from './dynamic-copy.ts';
import { planExternalData } from './import-model.ts';
import { checkNewName, checkVersion } from '../files/new-names.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { PathGuard } from '../files/path-guard.ts';
import { copyOptions, type TaskHandle, type TaskRegistry } from '../tasks/task-registry.ts';
import { knownRepository } from '../files/known-repository.ts';
import { catalogErrors } from '../catalog/catalog-errors.ts';
import { foldersErrors } from './folder-errors.ts';

interface FolderDependencies {
  readonly repository: ModelRepository;
  readonly catalog: ModelCatalog;
  readonly tasks: TaskRegistry;
  readonly guard: PathGuard;
  readonly bin: Bin;
}

/**
 * A new name that is taken is ALREADY_EXISTS, one that is no folder name INVALID_ARG; the model's configuration
 * is renamed with it.
 */
export function folderHandlers(deps: FolderDependencies): HandlersFor<typeof folderCalls> {
  const { catalog, repository, bin, tasks } = deps;
  return {
    'repository/trashModel': async ({ model }) => {
      const folder = localFolder(catalog.location(model));
      await repository.unload(model, { unloadDependents: false });
      const binned = await bin.take(folder);
      await catalog.rescan();
      return binned;
    },
    'repository/duplicateModel': async ({ model, newName, repository: root }, { signal }) => {
      const target =
        root === undefined
          ? newLocation(deps, model, newName)
          : path.join(knownRepository(repository.roots, root), checkedName(newName));
      await using source = await folderToRead(catalog.location(model), signal);
      await copyFolderAtomically(source.path, target, path.dirname(target), {
        signal,
        onProgress: () => undefined,
      });
      await renameInConfig(target, model, newName);
      await catalog.rescan();
    },
    'repository/renameModel': async ({ model, newName }) => {
      const target = newLocation(deps, model, newName);
      if (await stat(target).catch(() => undefined)) {
        throw foldersErrors.nameTaken({ name: newName });
      }
      await repository.unload(model, { unloadDependents: false });
      await rename(localFolder(catalog.location(model)), target);
      await renameInConfig(target, model, newName);
      await catalog.rescan();
    },
    'repository/createFromConfig': async ({ repository: root, name, text }) => {
      checkNewName(name);
      const known = knownRepository(repository.roots, root);
      const staged = await stageBeside(known);
      try {
        const body = path.join(staged, 'body');
        await makeFolder(path.join(body, '1'));
        await writeFile(path.join(body, CONFIG_FILE), withName(text, name));
        await moveIn(body, path.join(known, name));
      } finally {
        await rm(staged, { recursive: true, force: true });
      }
      await catalog.rescan();
    },
    'repository/exportModels': async ({ models, folder, taskId }, { signal }) => {
      const request = {
        models: models.map((name) => ({ name, path: localFolder(catalog.location(name)) })),
        folder: exportFolder(deps, folder),
      };
      const title = models.length === 1 ? `Export ${models[0] ?? ''}` : `Export ${models.length} models`;
      return tasks.run(taskId, title, (handle) => exportModels(request, copyOptions(handle)), { signal });
    },
    ...versionHandlers(deps),
    ...fileHandlers(deps),
  };
}

type VersionCalls =
  | 'repository/createVersionFolder'
  | 'repository/duplicateVersion'
  | 'repository/trashVersion'
  | 'repository/restore'
  | 'repository/compareVersions';

function versionHandlers(deps: FolderDependencies): Pick<HandlersFor<typeof folderCalls>, VersionCalls> {
  const { catalog, bin } = deps;
  return {
    'repository/createVersionFolder': async ({ model, version }) => {
      checkVersion(version);
      await mkdir(path.join(localFolder(catalog.location(model)), version));
      await catalog.refresh(model);
    },
    'repository/duplicateVersion': async ({ model, version }, { signal }) => {
      const source = versionFolder(deps, model, version);
      const next = nextVersion(deps, model);
      const { repository } = catalog.location(model);
      const folder = localFolder(catalog.location(model));
      const options = { signal, onProgress: () => undefined };
      await copyFolderAtomically(source, path.join(folder, next), repository, options);
      await catalog.refresh(model);
      return { version: next };
    },
    'repository/trashVersion': async ({ model, version }): Promise<Binned> => {
      const binned = await bin.take(versionFolder(deps, model, version));
      await catalog.refresh(model);
      return binned;
    },
    'repository/restore': async ({ undo }) => {
      const restored = await bin.restore(undo);
      await catalog.rescan();
      const owner = catalog.names().find((name) => isInside(restored, catalog.location(name).path));
      if (owner !== undefined) await catalog.refresh(owner);
    },
    'repository/compareVersions': async ({ model, a, b }, { signal }) => {
      const before = await modelFileOf(deps, model, a);
      return await compareVersions(before, await modelFileOf(deps, model, b), signal);
    },
  };
}

type FileCalls = 'repository/addDynamicVersion' | 'repository/addDataFile' | 'repository/replaceModelFile';

/** What may take a while for large weights, and is a task. */
function fileHandlers(deps: FolderDependencies): Pick<HandlersFor<typeof folderCalls>, FileCalls> {
  const { catalog } = deps;
  return {
    'repository/addDynamicVersion': async ({ model, version, taskId }, { signal }) => {
      const source = versionFolder(deps, model, version);
      const next = nextVersion(deps, model);
      const { repository } = catalog.location(model);
      const folder = localFolder(catalog.location(model));
      const request = {
        repository,
        source,
        fileName: path.basename(await modelFileOf(deps, model, version)),
        target: path.join(folder, next),
      };
      const title = `Make the first dimension of ${model} dynamic`;
      const probe = await deps.tasks.run(
        taskId,
        title,
        (handle) => addDynamicVersion(request, copyOptions(handle)),
        { signal },
      );
      await catalog.refresh(model);
      return { version: probe.verdict === 'safe' ? next : undefined, probe };
    },
    'repository/addDataFile': async ({ model, version, name, source, taskId }, { signal }) => {
      const [file] = await planExternalData({ [name]: deps.guard.check(source) });
      if (file === undefined) return;
      const folder = versionFolder(deps, model, version);
      const { repository } = catalog.location(model);
      const work = (handle: TaskHandle): Promise<void> =>
        addFile(file, folder, repository, copyOptions(handle));
      await deps.tasks.run(taskId, `Copy ${name}`, work, { signal });
      await catalog.refresh(model);
    },
    'repository/replaceModelFile': async ({ model, version, source, taskId }, { signal }) => {
      const target = await modelFileOf(deps, model, version);
      const from = deps.guard.check(source);
      const file = { from, to: path.basename(target), byteSize: (await stat(from)).size };
      const { repository } = catalog.location(model);
      const place = { folder: path.dirname(target), repository };
      const work = (handle: TaskHandle): Promise<Binned> =>
        replaceFile(file, place, copyOptions(handle), deps.bin);
      const binned = await deps.tasks.run(taskId, `Copy ${path.basename(target)}`, work, { signal });
      await catalog.refresh(model);
      return binned;
    },
  };
}

function nextVersion({ catalog }: FolderDependencies, model: string): string {
  const numbers = catalog.facts(model).versions.map((known) => Number(known.version));
  return String(Math.max(0, ...numbers) + 1);
}

/** Nothing of ours is written into a repository. */
function exportFolder({ guard, repository }: FolderDependencies, folder: string): string {
  const checked = guard.check(folder);
  const root = repository.roots.find((candidate) => isInside(checked, candidate));
  if (root === undefined) return checked;
  throw foldersErrors.targetInRepository({ folder, root });
}

function isInside(location: string, folder: string): boolean {
  const relative = path.relative(folder, location);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
}

function newLocation({ catalog }: FolderDependencies, model: string, newName: string): string {
  return path.join(path.dirname(localFolder(catalog.location(model))), checkedName(newName));
}

function checkedName(name: string): string {
  checkNewName(name);
  return name;
}

/** NOT_FOUND unless the model has such a version folder. */
function versionFolder({ catalog }: FolderDependencies, model: string, version: string): string {
  const { path: folder, versions } = catalog.facts(model);
  if (!versions.some((known) => known.version === version)) {
    throw catalogErrors.noVersion({ model, version });
  }
  return path.join(folder, version);
}

async function modelFileOf(deps: FolderDependencies, model: string, version: string): Promise<string> {
  const folder = versionFolder(deps, model, version);
  return await findArtefact(deps.catalog.config(model), modelFiles(model, path.dirname(folder), version));
}

/** The text with the name of its folder; a text that cannot be read stays as it is. */
function withName(text: string, name: string): string {
  const { issues } = parseModelConfig(text);
  const isReadable = issues.every(({ severity }) => severity !== 'error');
  return isReadable ? applyTextEdits(text, editConfigValue(parseText(text), 'name', name)) : text;
}

/** A name that said the old folder's name says the new one; a text that cannot be read stays as it is. */
async function renameInConfig(folder: string, before: string, after: string): Promise<void> {
  const file = path.join(folder, CONFIG_FILE);
  const text = await readTextFile(file).catch(() => undefined);
  if (text === undefined) return;
  if (parseModelConfig(text).config.name !== before) return;
  await writeFileAtomic(file, withName(text, after));
}
