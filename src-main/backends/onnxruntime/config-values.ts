// Values in `parameters` and backend options are text; these turn them into what they mean.

import { onnxruntimeErrors } from './onnxruntime-errors.ts';

/** Throws INVALID_ARG `failed to convert 'x' to integral number`. */
export function parseIntegral(text: string): number {
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw onnxruntimeErrors.noInteger({ text });
  return Number(text);
}

/** true, on, 1 / false, off, 0 in any case. Throws INVALID_ARG `failed to convert 'x' to boolean`. */
export function parseBoolean(text: string): boolean {
  const lower = text.toLowerCase();
  if (['true', 'on', '1'].includes(lower)) return true;
  if (['false', 'off', '0'].includes(lower)) return false;
  throw onnxruntimeErrors.noBoolean({ text });
}

/** Throws INVALID_ARG `failed to convert 'x' to unsigned long long integral number`. */
export function checkUnsigned(text: string): void {
  if (/^\d+$/.test(text) && BigInt(text) < 2n ** 64n) return;
  throw onnxruntimeErrors.noUnsigned({ text });
}
