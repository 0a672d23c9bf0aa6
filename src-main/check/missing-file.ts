// Whether the version folder of a model holds a file that its backend would load.

import path from 'node:path';

import { artefactNames, type BackendDescription } from '../../src-shared/config/backend-description.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { isThere } from '../base/file-exists.ts';
import { artefactPath, type ModelFiles } from '../inference/model-files.ts';
import { checkErrors } from './check-errors.ts';

/**
 * The error of a version folder that has none of the files which the backend looks for; undefined when one is there, or
 * when the backend needs none. A `runtime` brings files of its own, and devices may have theirs: neither is looked at.
 * Rejects when the configured name leads out of the model's folder.
 */
export async function missingFile(
  config: ModelConfig,
  files: ModelFiles,
  backend: Pick<BackendDescription, 'artefacts'>,
): Promise<ServerError | undefined> {
  if (backend.artefacts.length === 0 || config.runtime !== '') return undefined;
  if (Object.keys(config.ccModelFilenames).length > 0) return undefined;
  const ofPlatform = backend.artefacts.filter(({ platform }) => platform === config.platform);
  const ownNames = artefactNames({ artefacts: ofPlatform.length > 0 ? ofPlatform : backend.artefacts });
  const names = config.defaultModelFilename === '' ? ownNames : [config.defaultModelFilename];
  for (const name of names) {
    const file = await artefactPath({ ...config, defaultModelFilename: name }, files, ownNames);
    if (await isThere(file)) return undefined;
  }
  return checkErrors.noModelFile({ folder: files.versionDir, names: names.join(', ') });
}

/** What to do about it. */
export function missingFileHint(files: ModelFiles): string {
  return `Put the file into ${path.basename(files.versionDir)}/, or name the one that is there with default_model_filename.`;
}
