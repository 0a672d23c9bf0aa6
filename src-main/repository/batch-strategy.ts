// A native batching library decides which requests share a batch. A model brings one by the parameter
// TRITON_BATCH_STRATEGY_PATH, or as `batchstrategy.so` in its version or model folder. Such libraries cannot be loaded
// here, so the model is refused instead of batched differently; wrong paths get the reference's texts.

import path from 'node:path';
import { isThere } from '../base/file-exists.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { confinedPath } from '../base/confined-path.ts';
import type { ModelFiles } from '../inference/model-files.ts';
import { batchingErrors } from './batching-errors.ts';

const PARAMETER = 'TRITON_BATCH_STRATEGY_PATH';
const DEFAULT_LIBRARY = 'batchstrategy.so';

/** Throws INVALID_ARG, NOT_FOUND or UNSUPPORTED when the model comes with a batching library. */
export async function checkBatchStrategy(config: ModelConfig, files: ModelFiles): Promise<void> {
  const named = config.parameters[PARAMETER]?.stringValue;
  if (named === undefined) {
    await checkDefaultLibrary(config, files);
    return;
  }
  if (config.sequenceBatching !== undefined) {
    throw batchingErrors.withSequences({ parameter: PARAMETER });
  }
  const target = await confinedPath(named, { base: files.modelDir, within: [files.modelDir] });
  if (target === undefined) throw batchingErrors.leadsOut();
  if (!(await isThere(target))) throw batchingErrors.missing({ path: target });
  throw notLoadable(
    config,
    `asks for the native batching library '${named}' (${PARAMETER})`,
    'the parameter',
  );
}

/** Used without being named, where a dynamic batcher forms the batches. */
async function checkDefaultLibrary(config: ModelConfig, files: ModelFiles): Promise<void> {
  if (config.dynamicBatching === undefined) return;
  for (const folder of [files.versionDir, files.modelDir]) {
    const library = path.join(folder, DEFAULT_LIBRARY);
    if (await isThere(library)) {
      throw notLoadable(config, `comes with the native batching library '${library}'`, 'the file');
    }
  }
}

function notLoadable(config: ModelConfig, what: string, remedy: string): ServerError {
  return batchingErrors.native({ model: config.name, what, remedy });
}
