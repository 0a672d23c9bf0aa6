// Values in `parameters` and backend options are text; these turn them into what they mean.

import { integralOf, switchOf } from '../../../src-shared/config/rules/parameter-rules.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';

/** Throws INVALID_ARG `failed to convert 'x' to integral number`. */
export function parseIntegral(text: string): number {
  const value = integralOf(text);
  if (value === undefined) throw onnxruntimeErrors.noInteger({ text });
  return value;
}

/** true, on, 1 / false, off, 0 in any case. Throws INVALID_ARG `failed to convert 'x' to boolean`. */
export function parseBoolean(text: string): boolean {
  const value = switchOf(text);
  if (value === undefined) throw onnxruntimeErrors.noBoolean({ text });
  return value;
}

/** Throws INVALID_ARG `failed to convert 'x' to unsigned long long integral number`. */
export function checkUnsigned(text: string): void {
  if (/^\d+$/.test(text) && BigInt(text) < 2n ** 64n) return;
  throw onnxruntimeErrors.noUnsigned({ text });
}
