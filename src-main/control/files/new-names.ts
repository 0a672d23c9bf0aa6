// Names that the window gives to new folders of models and versions.

import { isNewModelName } from '../../../src-shared/config/new-model-name.ts';
import { filesErrors } from './file-errors.ts';

/** Throws INVALID_ARG for what cannot be the folder of a model. */
export function checkNewName(name: string): void {
  if (!isNewModelName(name)) {
    throw filesErrors.modelName({ name });
  }
}

/** Throws INVALID_ARG for what cannot be the folder of a version. */
export function checkVersion(version: string): void {
  if (!/^[1-9]\d{0,17}$/.test(version)) throw filesErrors.versionNumber({ version });
}
