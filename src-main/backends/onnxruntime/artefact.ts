// Finds the .onnx file of a model version.

import { stat } from 'node:fs/promises';
import path from 'node:path';

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { internal, unavailable } from '../../../src-shared/errors.ts';

const DEFAULT_FILENAME = 'model.onnx';

/**
 * Absolute path of the model file: the configured or default file of the version folder, or `model.onnx` inside a
 * folder of that name. Throws INTERNAL when it cannot be examined, UNAVAILABLE for a folder without the file.
 */
export async function findArtefact(
  config: ModelConfig,
  versionDir: string,
  instanceName: string,
): Promise<string> {
  const artefact = path.join(
    versionDir,
    config.defaultModelFilename === '' ? DEFAULT_FILENAME : config.defaultModelFilename,
  );
  const found = await examine(artefact);
  if (found === undefined) throw internal(`failed to stat file ${artefact}`);
  if (found === 'file') return artefact;
  const inner = path.join(artefact, DEFAULT_FILENAME);
  if ((await examine(inner)) === undefined) {
    throw unavailable(`unable to find '${inner}' for model instance '${instanceName}'`);
  }
  return inner;
}

async function examine(file: string): Promise<'file' | 'folder' | undefined> {
  try {
    return (await stat(file)).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}
