// Finds the .onnx file of a model version.

import { stat } from 'node:fs/promises';
import path from 'node:path';

import { artefactNames } from '../../../src-shared/config/backend-description.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ModelFiles } from '../../inference/model-files.ts';
import { artefactPath } from '../../inference/model-files.ts';
import { onnxruntimeDescription } from './description.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';

const OWN_NAMES = artefactNames(onnxruntimeDescription);
const FILE_IN_FOLDER = 'model.onnx';

/**
 * Absolute path of the model file: the configured or default file of the version folder, or `model.onnx` inside a
 * folder of that name. Throws INVALID_ARG for a name that leads out of the model's folder, INTERNAL when the file
 * cannot be examined, UNAVAILABLE for a folder without the file.
 */
export async function findArtefact(
  config: Pick<ModelConfig, 'name' | 'defaultModelFilename'>,
  files: ModelFiles,
): Promise<string> {
  const artefact = await artefactPath(config, files, OWN_NAMES);
  const found = await examine(artefact);
  if (found === undefined) throw onnxruntimeErrors.withoutFile({ file: artefact });
  if (found === 'file') return artefact;
  const inner = path.join(artefact, FILE_IN_FOLDER);
  if ((await examine(inner)) === undefined) {
    throw onnxruntimeErrors.withoutFileInFolder({ file: inner, model: files.modelName });
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
