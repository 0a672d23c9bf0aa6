// Finds out what changed in the repositories: for some names (load calls, with the models their ensembles need) or for
// everything (start and polling). Reads only; the caller decides what to do with the outcome. One model's failure never
// touches another's.

import { toServerError } from '../../src-shared/errors.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { eachParallel } from '../base/each-parallel.ts';
import { getLogger } from '../base/log.ts';
import type { ModelId, ModelKey } from './model-identity.ts';
import { modelKey } from './model-identity.ts';
import { isModelModified } from './modification-times.ts';
import { isStorePath } from '../object-stores/store-path.ts';
import type { ModelFolder } from './model-folder.ts';
import type { ModelOverride, PollContext, PolledModel } from './polled-model.ts';
import { hasOverride, pollFiles, pollFolder } from './polled-model.ts';
import type { FolderLocation, ScannedFolder } from './repository-scanner.ts';
import type { FolderNames } from './repository-roots.ts';
import { locateModel, scanFolder, scanRepositories } from './repository-scanner.ts';
import { loadErrors } from './load-errors.ts';

const log = getLogger('repository');

/** What reading one model gave. */
export interface PollOutcome {
  readonly id: ModelId;
  /** What was read when it is new or modified. */
  readonly polled: PolledModel | undefined;
  /** Why it could not be read; an entry that exists is kept. */
  readonly error: ServerError | undefined;
}

/** What reading some or all models gave. */
export interface PollResult {
  readonly outcomes: ReadonlyMap<ModelKey, PollOutcome>;
  /** Names that were not read, since several repositories have them. Only of `pollAll`. */
  readonly refused: ReadonlyMap<ModelKey, ServerError>;
  /** What was found on the way, for views: name -> folders. Only of `pollAll`. */
  readonly folders: ReadonlyMap<string, readonly ScannedFolder[]>;
}

/** One model to be read, by name. */
export interface PollRequest {
  readonly name: string;
  readonly override?: ModelOverride | undefined;
  /** Read again although nothing is newer. */
  readonly isForced?: boolean | undefined;
}

/** Models of the last poll. */
export type KnownModels = ReadonlyMap<ModelKey, PolledModel>;

interface RepositoryPollerOptions {
  readonly context: PollContext;
  readonly namespacing: boolean;
  readonly repositories: () => readonly string[];
  readonly folderNames: () => FolderNames;
}

const PARALLEL_POLLS = 16;
const NO_FOLDERS: ReadonlyMap<string, readonly ScannedFolder[]> = new Map();
const NO_REFUSALS: ReadonlyMap<ModelKey, ServerError> = new Map();

/** Names of the models an ensemble's steps use, once each. */
export function composingNames(polled: PolledModel): string[] {
  return [...new Set((polled.config.ensembleScheduling?.step ?? []).map(({ modelName }) => modelName))];
}

/** Gives back what a poll took when its result is not used. */
export async function discardPoll(result: PollResult): Promise<void> {
  for (const { polled } of result.outcomes.values()) await polled?.lease.failed();
}

/** Reads folders and configurations and compares them with what is known; it loads and unloads nothing. */
export class RepositoryPoller {
  readonly #options: RepositoryPollerOptions;

  constructor(options: RepositoryPollerOptions) {
    this.#options = options;
  }

  /** Polls these models and, as long as there are ensembles, the models they need, but for those that are withheld. */
  async pollNames(
    requests: readonly PollRequest[],
    known: KnownModels,
    options: { readonly isWithheld: (name: string) => boolean },
  ): Promise<PollResult> {
    const outcomes = new Map<ModelKey, PollOutcome>();
    const seen = new Set(requests.map(({ name }) => name));
    const queue = [...requests];
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      for (const outcome of await this.#pollName(request, known)) {
        const key = modelKey(outcome.id);
        outcomes.set(key, outcome);
        const current = outcome.polled ?? known.get(key);
        for (const name of current === undefined ? [] : composingNames(current)) {
          if (seen.has(name) || options.isWithheld(name)) continue;
          seen.add(name);
          queue.push({ name });
        }
      }
    }
    return { outcomes, refused: NO_REFUSALS, folders: NO_FOLDERS };
  }

  /** True when files of a known model are newer than those that were read. Reads no file. */
  async isModified(name: string, known: KnownModels): Promise<boolean> {
    const { context, repositories, folderNames } = this.#options;
    for (const location of await locateModel(repositories(), name, folderNames())) {
      const before = known.get(modelKey(this.#idOf(location)));
      if (before === undefined) continue;
      const scanned = await scanFolder(location, context);
      if ('folder' in scanned && isChanged(before, scanned.folder)) return true;
    }
    return false;
  }

  /** Polls everything. Known models that are absent from the outcomes no longer exist. */
  async pollAll(known: KnownModels, signal?: AbortSignal): Promise<PollResult> {
    const { context, namespacing, repositories, folderNames } = this.#options;
    const snapshot = await scanRepositories(repositories(), {
      modelConfigName: context.modelConfigName,
      names: folderNames(),
      ...(signal === undefined ? {} : { signal }),
    });
    for (const [repository, problem] of snapshot.unreadable) {
      if (isStorePath(repository)) {
        log.error(`failed to poll model repository '${repository}': ${problem}`);
        continue;
      }
      log.error(`failed to poll model repository '${repository}': failed to open directory ${repository}`, {
        reason: problem,
      });
    }
    const jobs: { id: ModelId; scanned: ScannedFolder }[] = [];
    const refused = new Map<ModelKey, ServerError>();
    for (const [name, folders] of snapshot.models) {
      if (!namespacing && folders.length > 1) {
        logFailure(name, 'not unique across all model repositories');
        refused.set(modelKey({ namespace: '', name }), loadErrors.notUnique());
        continue;
      }
      for (const scanned of folders) jobs.push({ id: this.#idOf(scanned.location), scanned });
    }
    const outcomes = new Map<ModelKey, PollOutcome>();
    await eachParallel(jobs, PARALLEL_POLLS, async ({ id, scanned }) => {
      outcomes.set(modelKey(id), await this.#pollScanned(id, scanned, known, {}));
    });
    keepUnseen(outcomes, known, [...snapshot.unreadable.keys()].filter(isStorePath));
    return { outcomes, refused, folders: snapshot.models };
  }

  async #pollName(request: PollRequest, known: KnownModels): Promise<PollOutcome[]> {
    const { name, override } = request;
    const { context, namespacing, repositories, folderNames } = this.#options;
    if ((override?.files?.size ?? 0) > 0 && override !== undefined) {
      return [await this.#guard({ namespace: '', name }, () => pollFiles(name, override, context))];
    }
    const locations = await locateModel(repositories(), name, folderNames());
    if (locations.length === 0 || (locations.length > 1 && !namespacing)) {
      const text =
        locations.length === 0
          ? 'model not found in any model repository.'
          : 'not unique across all model repositories';
      logFailure(name, text);
      const error = locations.length === 0 ? loadErrors.notFound({ name }) : loadErrors.notUnique();
      return [{ id: { namespace: '', name }, polled: undefined, error }];
    }
    return await Promise.all(
      locations.map(async (location) => {
        const scanned = await scanFolder(location, context);
        return await this.#pollScanned(this.#idOf(location), scanned, known, request);
      }),
    );
  }

  async #pollScanned(
    id: ModelId,
    scanned: ScannedFolder,
    known: KnownModels,
    request: Omit<PollRequest, 'name'>,
  ): Promise<PollOutcome> {
    return await this.#guard(id, async () => {
      if ('error' in scanned) throw loadErrors.folderNotRead({ reason: scanned.error });
      const { folder } = scanned;
      const before = known.get(modelKey(id));
      const isSame =
        before !== undefined &&
        request.isForced !== true &&
        !hasOverride(request.override) &&
        !isChanged(before, folder);
      if (isSame) return undefined;
      for (const { warning } of folder.ignoredVersions) log.warn(warning, { model: id.name });
      for (const problem of folder.problems) log.warn(problem, { model: id.name });
      return await pollFolder(id, folder, request.override, this.#options.context);
    });
  }

  async #guard(id: ModelId, poll: () => Promise<PolledModel | undefined>): Promise<PollOutcome> {
    try {
      return { id, polled: await poll(), error: undefined };
    } catch (thrown) {
      const error = toServerError(thrown);
      log.error(`Poll failed for model directory '${id.name}': ${error.message}`);
      return { id, polled: undefined, error };
    }
  }

  #idOf(location: FolderLocation): ModelId {
    return { namespace: this.#options.namespacing ? location.repository : '', name: location.name };
  }
}

/** A store that does not answer takes nothing out of service: what is known of it stays as it is. */
function keepUnseen(
  outcomes: Map<ModelKey, PollOutcome>,
  known: KnownModels,
  repositories: readonly string[],
): void {
  for (const [key, { id, repository }] of known) {
    if (outcomes.has(key) || repository === undefined || !repositories.includes(repository)) continue;
    outcomes.set(key, { id, polled: undefined, error: undefined });
  }
}

/**
 * Whether the folder differs from what was read. Where folders have no times, a version or a configuration that was
 * taken away shows in nothing else.
 */
function isChanged(before: PolledModel, folder: ModelFolder): boolean {
  if (isModelModified(before.times, folder.times)) return true;
  if (!isStorePath(folder.path) || before.times.size === 0) return false;
  const isConfigGone = before.source === 'file' && before.hasConfig && folder.configPath === undefined;
  return isConfigGone || before.versions.join() !== folder.versions.join();
}

function logFailure(name: string, text: string): void {
  log.error(`failed to poll model '${name}': ${text}`);
}
