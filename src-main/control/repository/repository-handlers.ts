// Answers the calls about repositories and models. Loads and unloads act in every control mode; long work runs as a
// task with progress and cancel.

import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type {
  DropItem,
  repositoryCalls,
  RepositoryView,
} from '../../../src-shared/contract/repository-calls.ts';
import type { Clock } from '../../base/clock.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import { UNTRUSTED } from '../../repository/code-trust.ts';
import { answerWaits } from '../../repository/answer-waits.ts';
import { browse, createFolder } from './browse-folders.ts';
import { classifyDrop, hasCode } from './classify-drop.ts';
import type { TrustedFolders } from '../files/trusted-folders.ts';
import type { Bin } from '../files/bin.ts';
import { probeDynamicCopy } from './dynamic-copy.ts';
import { createFromOnnx, importModel, planExternalData } from './import-model.ts';
import { hasSameInterface } from './same-interface.ts';
import { adoptFolder } from '../catalog/adopt-folder.ts';
import type { LoadMemory } from '../catalog/load-memory.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { PathGuard } from '../files/path-guard.ts';
import { copyOptions, type TaskRegistry } from '../tasks/task-registry.ts';
import { knownRepository } from '../files/known-repository.ts';
import { foldersErrors } from './folder-errors.ts';
import { classifyStore, hasStoreCode } from './store-drop.ts';
import { objectStores } from '../../object-stores/shared-stores.ts';
import { isStorePath } from '../../object-stores/store-path.ts';

/** What the calls about repositories and models work with. */
export interface RepositoryDependencies {
  readonly repository: ModelRepository;
  readonly catalog: ModelCatalog;
  readonly tasks: TaskRegistry;
  readonly guard: PathGuard;
  readonly bin: Bin;
  readonly trusted: TrustedFolders;
  readonly memory: LoadMemory;
  readonly clock: Clock;
  /** Root of the picker for pages without native dialogs; undefined = none. */
  readonly browseRoot: string | undefined;
  /** Folder for the models of a user who has chosen none; made when it is first needed. */
  readonly defaultRepository: string;
  /** Writes the samples where they belong; `startSet` = those that are meant to load. */
  readonly writeSamples: () => Promise<{ readonly path: string; readonly startSet: readonly string[] }>;
}

/** Loads and unloads answer when they are done, with the error of the load. An aborted call ends the load. */
export function repositoryHandlers(deps: RepositoryDependencies): HandlersFor<typeof repositoryCalls> {
  const { repository, catalog } = deps;
  return {
    'repository/snapshot': () => ({
      repositories: catalog.repositories,
      models: catalog.views(),
      isScanning: catalog.isScanning,
    }),
    'repository/load': async ({ model, configText }, { signal }) => {
      const override = configText === undefined ? undefined : { configText };
      await catalog.refresh(model);
      await repository.load(model, { override, signal });
      catalog.loaded(model, { hasOverride: override !== undefined });
      return viewOf(deps, model);
    },
    'repository/unload': async ({ model, unloadDependents }, { signal }) => {
      const endMeasuring = deps.memory.measureUnload(model);
      let freedBytes: number | undefined;
      try {
        await repository.unload(model, { unloadDependents, signal });
        await whenClosed(deps, model, signal);
      } finally {
        freedBytes = endMeasuring();
      }
      catalog.unloaded(model);
      return { ...viewOf(deps, model), freedBytes };
    },
    'repository/stopLoading': ({ model }) => repository.stopLoading(model),
    'repository/reload': async ({ model, force }, { signal }) => {
      await catalog.refresh(model);
      const { hasOverride } = catalog.view(model);
      await repository.load(model, { isForced: force || hasOverride, signal });
      catalog.loaded(model, { hasOverride: false });
      return viewOf(deps, model);
    },
    'repository/files': ({ model }) => catalog.facts(model).files,
    'repository/add': (args) => addRepository(deps, args),
    'repository/trust': ({ path: root }) => trustRepository(deps, root),
    'repository/remove': async ({ path: root }) => {
      await repository.folders.remove(root);
      await catalog.rescan();
    },
    'repository/switch': async ({ path: root, isEnabled, isWatched }) => {
      if (isWatched !== undefined) repository.folders.setWatched(root, isWatched);
      const names = isEnabled === undefined ? [] : await repository.folders.setEnabled(root, isEnabled);
      await catalog.rescan();
      for (const name of names) void repository.load(name).catch(() => undefined);
    },
    'repository/rescan': () => {
      answerWaits.askAgain();
      return catalog.rescan();
    },
    'repository/giveUp': ({ path: root }) => answerWaits.giveUp(root),
    'repository/openDefault': () => openDefault(deps),
    'repository/openSamples': () => openSamples(deps),
    'repository/browse': ({ path: location }) => browse(deps, location),
    'repository/createFolder': ({ parent, name }) => createFolder(deps, parent, name),
    ...importHandlers(deps),
  };
}

/** The answer to an unload does not wait longer for requests in flight. */
const CLOSING_PATIENCE_MS = 5000;

function whenClosed(
  { repository, clock }: RepositoryDependencies,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const isClosing = (): boolean =>
    [...repository.models()].some(
      ({ id, versions }) => id.name === name && versions.some(({ state }) => state === 'UNLOADING'),
    );
  if (!isClosing()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      states[Symbol.dispose]();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.after(CLOSING_PATIENCE_MS, end);
    const states = repository.events.subscribe('versionState', () => {
      if (!isClosing()) end();
    });
    signal.addEventListener('abort', end, { once: true });
  });
}

type ImportCalls =
  | 'repository/classify'
  | 'repository/import'
  | 'repository/createFromOnnx'
  | 'repository/probeDynamic';

function importHandlers(
  deps: RepositoryDependencies,
): Pick<HandlersFor<typeof repositoryCalls>, ImportCalls> {
  const { catalog, tasks, guard } = deps;
  return {
    'repository/classify': ({ paths, repository }) =>
      Promise.all(paths.map((location) => classify(deps, location, repository))),
    'repository/import': async (args, { signal }) => {
      const target = knownRoot(deps, args.repository);
      const request = {
        ...args,
        source: guard.check(args.source),
        repository: target,
        version: args.version,
        backends: catalog.backends,
        bin: deps.bin,
      };
      const { version } = await tasks.run(
        args.taskId,
        `Copy ${args.name}`,
        (handle) => importModel(request, copyOptions(handle)),
        { signal },
      );
      await adoptFolder(deps, args.name, args.load);
      return { model: args.name, version };
    },
    'repository/createFromOnnx': async (args, { signal }) => {
      const request = {
        ...args,
        labels: checkedFiles(deps, args.labels),
        onnxPath: guard.check(args.onnxPath),
        externalData: checkedFiles(deps, args.externalData),
        repository: knownRoot(deps, args.repository),
      };
      await tasks.run(
        args.taskId,
        `Create ${args.name}`,
        (handle) => createFromOnnx(request, copyOptions(handle)),
        { signal },
      );
      await catalog.rescan();
      await adoptFolder(deps, args.name, args.load);
      return { model: args.name };
    },
    'repository/probeDynamic': async (args, { signal }) => {
      const onnxPath = guard.check(args.onnxPath);
      const request = {
        onnxPath,
        data: await planExternalData(checkedFiles(deps, args.externalData)),
        repository: knownRoot(deps, args.repository),
      };
      const title = `Probe ${path.basename(onnxPath)} with a dynamic first dimension`;
      return tasks.run(args.taskId, title, (handle) => probeDynamicCopy(request, copyOptions(handle)), {
        signal,
      });
    },
  };
}

function checkedFiles(
  { guard }: RepositoryDependencies,
  files: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, guard.check(file)]));
}

async function classify(
  deps: RepositoryDependencies,
  location: string,
  repository: string | undefined,
): Promise<DropItem> {
  const { catalog } = deps;
  const draft = isStorePath(location)
    ? await classifyStore(location, catalog.backends)
    : await classifyDrop(deps.guard.check(location), catalog.backends);
  const isTrusted = await deps.trusted.has(draft.path);
  const isNew = draft.kind === 'model' || draft.kind === 'onnx' || draft.kind === 'version';
  const known =
    catalog.names().includes(draft.name) && catalog.location(draft.name).repository === repository;
  if (!isNew || !known) return { ...draft, isTrusted, conflict: undefined };
  const versions = catalog.facts(draft.name).versions.map(({ version }) => Number(version));
  const nextVersion = String(Math.max(0, ...versions) + 1);
  return {
    ...draft,
    isTrusted,
    conflict: { hasSameInterface: await hasSameInterface(draft, catalog.facts(draft.name)), nextVersion },
  };
}

interface Added {
  readonly repository: RepositoryView;
}

interface Opening {
  readonly load: boolean;
  readonly trustCode: boolean;
}

function addRepository(
  deps: RepositoryDependencies,
  { path: location, ...opening }: Opening & { readonly path: string },
): Promise<Added> {
  const root = isStorePath(location) ? objectStores.adopt(location) : deps.guard.check(location);
  return openFolder(deps, root, opening);
}

async function openDefault(deps: RepositoryDependencies): Promise<Added> {
  await makeFolder(deps.defaultRepository);
  return openFolder(deps, deps.defaultRepository, { load: false, trustCode: false });
}

async function openSamples(deps: RepositoryDependencies): Promise<{ readonly path: string }> {
  const samples = await deps.writeSamples();
  await addRepository(deps, { path: samples.path, load: false, trustCode: true });
  for (const name of samples.startSet) void deps.repository.load(name).catch(() => undefined);
  return { path: samples.path };
}

async function openFolder(
  { repository, catalog, trusted }: RepositoryDependencies,
  root: string,
  { load, trustCode }: Opening,
): Promise<Added> {
  if (trustCode) await trusted.add(root);
  const isTrusted = (await trusted.has(root)) || !(await holdsCode(root, catalog.backends));
  await repository.folders.add(root, { isTrusted });
  await catalog.rescan();
  const names = catalog.names().filter((name) => catalog.location(name).repository === root);
  if (load) for (const name of names) void repository.load(name).catch(() => undefined);
  const view = catalog.repositories.find((known) => known.path === root);
  if (view === undefined) throw foldersErrors.removedMeanwhile({ root });
  return { repository: view };
}

async function holdsCode(root: string, backends: ModelCatalog['backends']): Promise<boolean> {
  return await (isStorePath(root) ? hasStoreCode(root, backends) : hasCode(root, backends));
}

async function trustRepository(
  { repository, catalog, trusted }: RepositoryDependencies,
  root: string,
): Promise<void> {
  repository.folders.setTrusted(root, true);
  await trusted.add(root);
  await catalog.rescan();
  const waiting = catalog
    .views()
    .filter((view) => view.repository === root && view.reason?.includes(UNTRUSTED) === true);
  for (const { name } of waiting) void repository.load(name).catch(() => undefined);
}

function knownRoot({ repository }: RepositoryDependencies, root: string): string {
  return knownRepository(repository.roots, root);
}

function viewOf({ catalog }: RepositoryDependencies, model: string): { readonly model: ModelView } {
  return { model: catalog.view(model) };
}
