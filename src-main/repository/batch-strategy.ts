// `parameters.TRITON_BATCH_STRATEGY_PATH` names a native batching library. Such libraries cannot be loaded here, so a
// model that asks for one is refused instead of batched differently; wrong paths get the reference's texts.

import { access } from 'node:fs/promises';
import path from 'node:path';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { invalidArg, notFound, unsupported } from '../../src-shared/errors.ts';

const PARAMETER = 'TRITON_BATCH_STRATEGY_PATH';

/** Throws INVALID_ARG, NOT_FOUND or UNSUPPORTED when the config names a batching library. */
export async function checkBatchStrategy(config: ModelConfig, modelDir: string): Promise<void> {
  const file = config.parameters[PARAMETER]?.stringValue;
  if (file === undefined) return;
  if (config.sequenceBatching !== undefined) {
    throw invalidArg(
      `${PARAMETER} cannot be specified with sequence batcher, using default batching strategy`,
    );
  }
  const target = path.resolve(modelDir, file);
  if (!target.startsWith(path.resolve(modelDir) + path.sep)) {
    throw invalidArg('Batching library path escapes model repository.');
  }
  try {
    await access(target);
  } catch (thrown) {
    throw notFound(`Batching library path not found: ${target}`, { cause: thrown });
  }
  throw unsupported(
    `model '${config.name}' asks for the native batching library '${file}' (${PARAMETER}), which cannot be loaded ` +
      'here; remove the parameter to use the built-in batching',
  );
}
