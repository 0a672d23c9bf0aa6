// Names that the window gives to new folders of models and versions.

import { filesErrors } from './file-errors.ts';

const MODEL_NAME = /^[A-Za-z0-9_][\w.-]{0,199}$/;

/** Throws INVALID_ARG for what cannot be the folder of a model. */
export function checkNewName(name: string): void {
  if (!MODEL_NAME.test(name) || name.includes('..')) {
    throw filesErrors.modelName({ name });
  }
}

/** Throws INVALID_ARG for what cannot be the folder of a version. */
export function checkVersion(version: string): void {
  if (!/^[1-9]\d{0,17}$/.test(version)) throw filesErrors.versionNumber({ version });
}
