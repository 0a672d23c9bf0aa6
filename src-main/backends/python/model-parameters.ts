// Keys of a model's `parameters` that the backend itself reads.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { pythonErrors } from './python-errors.ts';

/**
 * Checks FORCE_CPU_ONLY_INPUT_TENSORS; the lines to log. Inputs always come in host memory here, which the default asks
 * for anyway. Throws UNSUPPORTED for other values than yes and no, with the reference's text.
 */
export function checkInputPlacement({ parameters }: ModelConfig): readonly string[] {
  const value = parameters['FORCE_CPU_ONLY_INPUT_TENSORS']?.stringValue;
  if (value === undefined) return [];
  if (value === 'yes') return ['Forcing CPU only input tensors.'];
  if (value === 'no')
    return ['Input tensors can be both in CPU and GPU. FORCE_CPU_ONLY_INPUT_TENSORS is off.'];
  throw pythonErrors.forceCpuOnly({ given: value });
}
