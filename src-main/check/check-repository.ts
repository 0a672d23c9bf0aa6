// Checks folders: repositories, or one model folder when it looks like one. Ensembles are checked against the models of
// all of them once all are known.

import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { ModelLookup } from '../../src-shared/config/composing-model.ts';
import { CONFIG_FILE } from '../../src-shared/config/config-file.ts';
import { isEnsemble } from '../../src-shared/config/model-config.ts';
import {
  checkEnsembleDependencies,
  checkEnsembleInterfaces,
} from '../../src-shared/config/rules/ensemble-interface-rules.ts';
import type { FolderEntry } from '../repository/model-folder.ts';
import { listEntries } from '../repository/model-folder.ts';
import type { FolderLocation } from '../repository/repository-scanner.ts';
import { listModelFolders } from '../repository/repository-scanner.ts';
import { checkErrors } from './check-errors.ts';
import type { CheckedModel, CheckOptions } from './check-model.ts';
import { checkModel } from './check-model.ts';

function versionsAmong(entries: readonly FolderEntry[]): readonly string[] {
  return entries.filter(({ name, isFolder }) => isFolder && /^\d+$/.test(name)).map(({ name }) => name);
}

/**
 * Has a configuration, or version folders: then the folder is a model and not a repository of models. A folder with a
 * number that has versions of its own is a model that is named by a number.
 */
async function looksLikeModel(folder: string): Promise<boolean> {
  const entries = await listEntries(folder);
  if (entries.some(({ name, isFolder }) => !isFolder && name === CONFIG_FILE)) return true;
  const versions = versionsAmong(entries);
  const inside = await Promise.all(versions.map((name) => listEntries(path.join(folder, name))));
  return versions.length > 0 && inside.every((found) => versionsAmong(found).length === 0);
}

async function locate(folder: string): Promise<readonly FolderLocation[]> {
  const facts = await stat(folder).catch(() => undefined);
  if (facts === undefined) throw checkErrors.missing({ folder });
  if (!facts.isDirectory()) throw checkErrors.noFolder({ folder });
  if (!(await looksLikeModel(folder))) return listModelFolders(folder);
  return [{ repository: path.dirname(folder), name: path.basename(folder), path: folder }];
}

function hasErrors(model: CheckedModel): boolean {
  return model.findings.some(({ severity }) => severity === 'error');
}

/** The models as an ensemble would find them if all sound ones were loaded: not those whose name two repositories use. */
function lookupIn(models: readonly CheckedModel[]): ModelLookup {
  const known = new Map<string, CheckedModel | undefined>();
  for (const model of models) known.set(model.name, known.has(model.name) ? undefined : model);
  return (name) => {
    const model = known.get(name);
    if (model === undefined) return undefined;
    const error = model.findings.find(({ severity }) => severity === 'error');
    const found = { config: model.config, readyVersions: model.versions };
    return error === undefined ? found : { ...found, invalidReason: error.message };
  };
}

/** Models in text order with everything found about them. Throws INVALID_ARG for a path that is no folder. */
export async function checkFolder(folder: string, options: CheckOptions): Promise<readonly CheckedModel[]> {
  const [models = []] = await checkFolders([folder], options);
  return models;
}

/** What else is known of repositories that are served together. */
export interface Together {
  /** There are others that are not looked at: a model of an ensemble may lie there. */
  readonly hasOthers?: boolean;
  readonly signal?: AbortSignal;
}

/** As `checkFolder`, for repositories that one server serves: an ensemble finds its models in any of them. */
export async function checkFolders(
  folders: readonly string[],
  options: CheckOptions,
  { hasOthers = false, signal }: Together = {},
): Promise<readonly (readonly CheckedModel[])[]> {
  const checked: CheckedModel[][] = [];
  const singles = new Set<number>();
  for (const [at, folder] of folders.entries()) {
    const absolute = path.resolve(folder);
    const locations = await locate(absolute);
    if (locations[0]?.path === absolute) singles.add(at);
    const models: CheckedModel[] = [];
    for (const location of locations) {
      signal?.throwIfAborted();
      models.push(await checkModel(location, options));
    }
    checked.push(models);
  }
  const lookup = lookupIn(checked.flat());
  const examine = (model: CheckedModel): CheckedModel => {
    const { config } = model;
    if (!isEnsemble(config) || hasErrors(model)) return model;
    const mayLieElsewhere =
      hasOthers && config.ensembleScheduling?.step.some(({ modelName }) => lookup(modelName) === undefined);
    const dependencies = mayLieElsewhere === true ? [] : checkEnsembleDependencies(config, lookup);
    return model.withIssues(dependencies.length > 0 ? dependencies : checkEnsembleInterfaces(config, lookup));
  };
  return checked.map((models, at) => (singles.has(at) ? models : models.map(examine)));
}
