// Checks a folder: a repository, or one model folder when it looks like one. Ensembles are checked against the models
// beside them once all are known.

import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { ModelLookup } from '../../src-shared/config/composing-model.ts';
import { CONFIG_FILE } from '../../src-shared/config/config-file.ts';
import { isEnsemble } from '../../src-shared/config/model-config.ts';
import {
  checkEnsembleDependencies,
  checkEnsembleInterfaces,
} from '../../src-shared/config/rules/ensemble-interface-rules.ts';
import { listEntries } from '../repository/model-folder.ts';
import type { FolderLocation } from '../repository/repository-scanner.ts';
import { listModelFolders } from '../repository/repository-scanner.ts';
import { checkErrors } from './check-errors.ts';
import type { CheckedModel, CheckOptions } from './check-model.ts';
import { checkModel } from './check-model.ts';

/** Has a configuration, or a version folder: then the folder is a model and not a repository of models. */
async function looksLikeModel(folder: string): Promise<boolean> {
  const entries = await listEntries(folder);
  return entries.some(({ name, isFolder }) => (isFolder ? /^\d+$/.test(name) : name === CONFIG_FILE));
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

/** The models as an ensemble would find them if all sound ones were loaded. */
function lookupIn(models: readonly CheckedModel[]): ModelLookup {
  const known = new Map(
    models.map((model) => {
      const error = model.findings.find(({ severity }) => severity === 'error');
      const found = { config: model.config, readyVersions: model.versions };
      return [model.name, error === undefined ? found : { ...found, invalidReason: error.message }];
    }),
  );
  return (name) => known.get(name);
}

/** Models in text order with everything found about them. Throws INVALID_ARG for a path that is no folder. */
export async function checkFolder(folder: string, options: CheckOptions): Promise<readonly CheckedModel[]> {
  const absolute = path.resolve(folder);
  const locations = await locate(absolute);
  const isSingle = locations[0]?.path === absolute;
  const checked: CheckedModel[] = [];
  for (const location of locations) checked.push(await checkModel(location, options));
  if (isSingle) return checked;
  const lookup = lookupIn(checked);
  return checked.map((model) => {
    if (!isEnsemble(model.config) || hasErrors(model)) return model;
    const dependencies = checkEnsembleDependencies(model.config, lookup);
    const issues = dependencies.length > 0 ? dependencies : checkEnsembleInterfaces(model.config, lookup);
    return model.withIssues(issues);
  });
}
