// What the user does to models: load, unload, reload, alone or many at once. One action per model at a time; a load can
// be cancelled. Results are reported here, so every button, key and palette entry behaves the same.

import { createStore } from 'zustand/vanilla';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { isAbort, messageOf } from '../engine/engine-client.ts';
import type { Engine } from '../engine/engine-context.tsx';
import { isWithoutFolder } from '../lib/model-folder.ts';
import { activeTab, workspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { announce } from '../ui/announcer.tsx';
import { ask } from '../ui/confirm.tsx';
import { toastInfo, toastSuccess, toastWarning } from '../ui/toast.tsx';
import { toastThrown } from '../engine/toast-thrown.ts';
import { failedView } from './failed-view.ts';
import {
  failureReason,
  reportFailure,
  reportLoaded,
  reportServesOn,
  reportUnloaded,
} from './model-reports.ts';

interface Running {
  readonly controller: AbortController;
  readonly verb: 'load' | 'unload' | 'reload';
}

/** Actions under way in this window, by model. */
export const runningActions = createStore<{ readonly byModel: ReadonlyMap<string, Running> }>(() => ({
  byModel: new Map(),
}));

/** Not loaded, and not kept from it by another model of its name. */
export function isLoadable({ state, duplicateOf }: Pick<ModelView, 'state' | 'duplicateOf'>): boolean {
  return (state === 'unloaded' || state === 'failed') && duplicateOf === undefined;
}

/** Why its Load button does nothing now; undefined = it loads. */
export function loadObstacle(model: ModelView): string | undefined {
  if (isBusy(model)) return t('command.busy');
  if (model.state === 'not-runnable') return t('command.notRunnable', { backend: model.backend });
  return model.duplicateOf === undefined ? undefined : t('models.duplicate');
}

/** Why it cannot be loaded anew while it serves; undefined = it can. */
export function reloadObstacle(model: ModelView): string | undefined {
  if (!isLoaded(model)) return t('command.notLoaded');
  return isWithoutFolder(model) ? t('models.away') : undefined;
}

/** Serves requests now. */
export function isLoaded({ state }: Pick<ModelView, 'state'>): boolean {
  return state === 'ready';
}

/** Nothing can be asked of it before something is mended: it failed, or its backend is not here. */
export function cannotServe({ state }: Pick<ModelView, 'state'>): boolean {
  return state === 'failed' || state === 'not-runnable';
}

/** A load or an unload is under way, here or by another client. */
export function isBusy({ state }: Pick<ModelView, 'state'>): boolean {
  return state === 'loading' || state === 'unloading';
}

/** How long after an act news of its model may still be on their way. */
const NEWS_WITHIN_MS = 2000;
const endedAtMs = new Map<string, number>();

/** An act of this window loads the model, or just has; what came of it is told where it is reported. */
export function isReportedHere(name: string): boolean {
  if (runningActions.getState().byModel.has(name)) return true;
  return Date.now() - (endedAtMs.get(name) ?? 0) < NEWS_WITHIN_MS;
}

async function exclusive(
  name: string,
  verb: Running['verb'],
  work: (signal: AbortSignal) => Promise<void>,
): Promise<boolean> {
  if (runningActions.getState().byModel.has(name)) return false;
  const controller = new AbortController();
  runningActions.setState(({ byModel }) => ({ byModel: new Map(byModel).set(name, { controller, verb }) }));
  try {
    await work(controller.signal);
    return true;
  } finally {
    endedAtMs.set(name, Date.now());
    runningActions.setState(({ byModel }) => {
      const next = new Map(byModel);
      next.delete(name);
      return { byModel: next };
    });
  }
}

/**
 * Ends what this window does to the model; the engine stops loading it. Nothing happens when nothing is under
 * way.
 */
export function cancelAction(name: string): void {
  runningActions.getState().byModel.get(name)?.controller.abort(new DOMException('cancelled', 'AbortError'));
}

/** Ends a load, that of another client or of the server's start too: its code may never come back. Never rejects. */
export async function stopLoading({ client }: Engine, name: string): Promise<void> {
  const running = runningActions.getState().byModel.get(name);
  if (running !== undefined && running.verb !== 'unload') cancelAction(name);
  else await client.call('repository/stopLoading', { model: name }).catch(toastThrown);
}

/** Cancels a load or reload of this window, and waits until nothing is under way here. */
async function endLoading(name: string): Promise<void> {
  const running = runningActions.getState().byModel.get(name);
  if (running === undefined || running.verb === 'unload') return;
  await new Promise<void>((resolve) => {
    const off = runningActions.subscribe(({ byModel }) => {
      if (byModel.get(name) === running) return;
      off();
      resolve();
    });
    cancelAction(name);
  });
}

/**
 * Loads one model and tells the outcome. A second call while one is under way does nothing. Never rejects; false when
 * it was not loaded here. `onFailure` hears why, in a line.
 */
export function loadModel(
  engine: Engine,
  name: string,
  onFailure?: (reason: string) => void,
): Promise<boolean> {
  const work = async (signal: AbortSignal): Promise<void> => {
    const { model } = await engine.client.call('repository/load', { model: name }, { signal });
    reportLoaded(model);
  };
  return reporting(engine, name, { verb: 'load', work, onFailure });
}

/** `force` reloads although nothing changed. */
export async function reloadModel(engine: Engine, name: string, force = false): Promise<void> {
  const before = engine.state.models.getState().byName.get(name);
  await reporting(engine, name, {
    verb: 'reload',
    work: async (signal) => {
      const { model } = await engine.client.call('repository/reload', { model: name, force }, { signal });
      const servesOn = !force && before?.state === 'ready' && model.loadedAtMs === before.loadedAtMs;
      if (servesOn) reportServesOn(model, before, () => void reloadModel(engine, name, true));
      else reportLoaded(model);
    },
  });
}

/**
 * Asks first when a loaded ensemble uses the model. A load of this window ends first, and the engine waits for one of
 * another client. False when it was not unloaded.
 */
export async function unloadModel(engine: Engine, name: string): Promise<boolean> {
  const { byName } = engine.state.models.getState();
  const users = loadedUsers(byName, [name]);
  if (users.length > 0) {
    const answer = await ask({
      title: t('model.usedByTitle', { name }),
      text: t('model.usedByText', { users: users.join(', '), count: users.length }),
      choices: [
        { value: 'only', label: t('model.unloadOnly') },
        { value: 'all', label: t('model.unloadBoth', { count: users.length }), isPrimary: true },
      ],
    });
    if (answer === undefined) return false;
    // One that stays needs the model.
    for (const user of answer === 'all' ? users : []) {
      if (!(await unloadAlone(engine, user))) return false;
    }
  }
  return unloadAlone(engine, name);
}

/** Loaded ensembles that use one of the models, and those that use these: the outermost first. */
function loadedUsers(byName: ReadonlyMap<string, ModelView>, names: readonly string[]): readonly string[] {
  const users = new Set<string>();
  let next = names;
  while (next.length > 0) {
    const found = new Set(next.flatMap((name) => byName.get(name)?.usedBy ?? []));
    next = [...found].filter(
      (user) => !users.has(user) && !names.includes(user) && byName.get(user)?.state === 'ready',
    );
    for (const user of next) users.add(user);
  }
  return [...users].reverse();
}

async function unloadAlone(engine: Engine, name: string): Promise<boolean> {
  const before = engine.state.models.getState().byName.get(name);
  await endLoading(name);
  return reporting(engine, name, {
    verb: 'unload',
    work: async (signal) => {
      // On the wire this means the models that an ensemble uses, and they are none of ours to unload.
      const args = { model: name, unloadDependents: false };
      const { freedBytes } = await engine.client.call('repository/unload', args, { signal });
      reportUnloaded(name, before, freedBytes);
    },
  });
}

interface Reported {
  readonly verb: Running['verb'];
  readonly work: (signal: AbortSignal) => Promise<void>;
  readonly onFailure?: ((reason: string) => void) | undefined;
}

async function reporting(
  { state }: Engine,
  name: string,
  { verb, work, onFailure }: Reported,
): Promise<boolean> {
  try {
    return await exclusive(name, verb, work);
  } catch (thrown) {
    if (isAbort(thrown)) {
      toastInfo(t('model.loadCancelled', { name }));
      return false;
    }
    const message = messageOf(thrown);
    const model = verb === 'unload' ? undefined : await failedView(state.models, name, message);
    onFailure?.(failureReason(model, message));
    // Where the model is shown, its failure card says why, in words of our own first.
    if (verb !== 'unload' && activeTab(workspace.getState())?.address.model === name) {
      announce(t('model.isFailed', { name }));
      return false;
    }
    reportFailure(model, name, verb, message);
    return false;
  }
}

/** Loads what is not loaded; one summary instead of a toast for each. */
export async function loadModels({ client }: Engine, names: readonly string[]): Promise<void> {
  const results = await Promise.allSettled(
    names.map((name) =>
      exclusive(name, 'load', async (signal) => {
        await client.call('repository/load', { model: name }, { signal });
      }),
    ),
  );
  const failed = failuresOf(results).length;
  const text = t('model.allLoaded', { count: doneCount(results), failed });
  if (failed === 0) toastSuccess(text);
  else toastWarning(text);
}

/** Reloads what changed; one summary, which counts those that serve on because nothing of them did. */
export async function reloadModels({ client, state }: Engine, names: readonly string[]): Promise<void> {
  let same = 0;
  const results = await Promise.allSettled(
    names.map((name) =>
      exclusive(name, 'reload', async (signal) => {
        const before = state.models.getState().byName.get(name)?.loadedAtMs;
        const { model } = await client.call('repository/reload', { model: name, force: false }, { signal });
        if (model.loadedAtMs === before) same += 1;
      }),
    ),
  );
  const failed = failuresOf(results).length;
  const text = t('model.allReloaded', { count: doneCount(results) - same, same, failed });
  if (failed === 0) toastSuccess(text);
  else toastWarning(text);
}

/** Asks once when loaded ensembles use some of the models and are not among them. */
export async function unloadModels(engine: Engine, names: readonly string[]): Promise<void> {
  const { client } = engine;
  const { byName } = engine.state.models.getState();
  const others = loadedUsers(byName, names);
  let unloading = names;
  if (others.length > 0) {
    const answer = await ask({
      title: t('model.usedByTitle', { name: t('model.usedBySelected') }),
      text: t('model.usedByMany', { users: others.join(', '), count: others.length }),
      choices: [
        { value: 'only', label: t('model.unloadOnlySelected') },
        { value: 'all', label: t('model.unloadAll'), isPrimary: true },
      ],
    });
    if (answer === undefined) return;
    if (answer === 'all') unloading = [...others, ...names];
  }
  // An ensemble that goes before its steps is unloaded; one that goes after them has failed meanwhile.
  const results = await Promise.allSettled(
    outermostFirst(byName, unloading).map(async (name) => {
      await endLoading(name);
      return exclusive(name, 'unload', async (signal) => {
        await client.call('repository/unload', { model: name, unloadDependents: false }, { signal });
      });
    }),
  );
  const failures = failuresOf(results);
  if (failures.length === 0) toastSuccess(t('model.allUnloaded', { count: doneCount(results) }));
  else toastThrown(failures[0]);
}

/** Why those failed that did; one that the user cancelled is no failure. */
function failuresOf(results: readonly PromiseSettledResult<boolean>[]): readonly unknown[] {
  return results.flatMap((result) =>
    result.status === 'rejected' && !isAbort(result.reason) ? [result.reason as unknown] : [],
  );
}

/** What was under way before is told by whoever began it. */
function doneCount(results: readonly PromiseSettledResult<boolean>[]): number {
  return results.filter((result) => result.status === 'fulfilled' && result.value).length;
}

/** The names in an order in which every ensemble comes before the models that it uses. */
export function outermostFirst(
  byName: ReadonlyMap<string, ModelView>,
  names: readonly string[],
): readonly string[] {
  const depths = new Map(names.map((name) => [name, depthOf(byName, name)]));
  return names.toSorted((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0));
}

/** How many ensembles are around a model at most: 0 for one that no ensemble uses. A circle counts once. */
function depthOf(
  byName: ReadonlyMap<string, ModelView>,
  name: string,
  inside: readonly string[] = [name],
): number {
  const users = (byName.get(name)?.usedBy ?? []).filter((user) => !inside.includes(user));
  return Math.max(0, ...users.map((user) => 1 + depthOf(byName, user, [...inside, user])));
}
