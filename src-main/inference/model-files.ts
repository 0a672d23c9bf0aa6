// The files of a model version: where its folders are, and which file of them a configuration means. Every name that a
// configuration gives is confined here to the model's folder, for all backends and for whatever else reads such a file.

import path from 'node:path';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { confinedPath, normalizedPath } from '../base/confined-path.ts';
import { backendErrors } from './backend-errors.ts';

/** Which version of a model is meant, and where its files lie. */
export interface ModelFiles {
  readonly modelName: string;
  /** Decimal text, "1". */
  readonly version: string;
  /** Absolute path of the model folder. */
  readonly modelDir: string;
  /** Absolute path of the version folder. */
  readonly versionDir: string;
}

/** Largest data file that a configuration may name, and largest tensor that it may describe: one request's. */
export const MAX_DATA_BYTES = 2 ** 31;

/** Folders of one version of the model in `modelDir`. */
export function modelFiles(modelName: string, modelDir: string, version: string): ModelFiles {
  return { modelName, version, modelDir, versionDir: path.join(modelDir, version) };
}

/**
 * Absolute path of the model file of a version: `default_model_filename`, or the first of `ownNames` (the names that
 * the backend looks for by itself, at least one). Throws INVALID_ARG when the configured name leads out of the model's
 * folder. One of `ownNames` may be a link that leads elsewhere: then the folder's owner chose the file, not the
 * configuration. Whether the file exists is not looked at.
 */
export async function artefactPath(
  config: Pick<ModelConfig, 'name' | 'defaultModelFilename'>,
  files: ModelFiles,
  ownNames: readonly string[],
): Promise<string> {
  const name = config.defaultModelFilename === '' ? (ownNames[0] ?? '') : config.defaultModelFilename;
  return await versionFile(name, 'default_model_filename', files, ownNames);
}

/** Throws INVALID_ARG when a name of the configuration leads out of the model's folder, whoever would open it. */
export async function requireConfinedFiles(
  config: ModelConfig,
  files: ModelFiles,
  ownNames: readonly string[],
): Promise<void> {
  if (config.defaultModelFilename !== '') await artefactPath(config, files, ownNames);
  for (const [capability, name] of Object.entries(config.ccModelFilenames)) {
    await versionFile(name, `cc_model_filenames['${capability}']`, files, ownNames);
  }
  for (const { name: sample, inputs } of config.modelWarmup) {
    for (const [input, { inputDataFile }] of Object.entries(inputs)) {
      if (inputDataFile === undefined) continue;
      await dataFile(inputDataFile, 'warmup', `input '${input}' of warmup '${sample}'`, files);
    }
  }
  for (const { inputName, initialState } of config.sequenceBatching?.state ?? []) {
    for (const { dataFile: file } of initialState) {
      if (file === undefined) continue;
      await dataFile(file, 'initial_state', `initial_state of '${inputName}'`, files);
    }
  }
}

/**
 * Absolute path of a data file that a configuration names inside `folder` ("warmup", "initial_state") of the model's
 * folder. `user` says in the error what the file is for. Throws INVALID_ARG when the name leads out of that folder.
 */
export async function dataFile(
  name: string,
  folder: string,
  user: string,
  { modelName, modelDir }: Pick<ModelFiles, 'modelName' | 'modelDir'>,
): Promise<string> {
  const base = path.join(modelDir, folder);
  const file =
    normalizedPath(name, { base, within: [base] }) &&
    (await confinedPath(name, { base, within: [modelDir] }));
  if (file === undefined) throw leadsOut(`data file '${name}' for ${user}`, modelName, base);
  return file;
}

async function versionFile(
  name: string,
  field: string,
  { modelName, modelDir, versionDir }: ModelFiles,
  ownNames: readonly string[],
): Promise<string> {
  const confinement = { base: versionDir, within: [modelDir], alsoResolved: [versionDir] };
  const file = ownNames.includes(name)
    ? normalizedPath(name, confinement)
    : await confinedPath(name, confinement);
  if (file === undefined) throw leadsOut(`${field} '${name}'`, modelName, modelDir);
  return file;
}

function leadsOut(what: string, modelName: string, folder: string): ServerError {
  return backendErrors.leadsOut({ what, model: modelName, folder });
}
