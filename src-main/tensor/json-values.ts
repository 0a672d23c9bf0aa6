// What tokens stand for, and the words for those of the wrong type.

const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;
const MAX_UINT64 = 0xffff_ffff_ffff_ffffn;

/** A number token with a fraction, an exponent, or beyond 64 bits. */
export class JsonDouble {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

/** Value of an integer token: a number within 2^53, a bigint within 64 bits, a double beyond. */
export function integerValue(bytes: Buffer, start: number, end: number): number | bigint | JsonDouble {
  if (end - start <= 15) {
    let at = start;
    const isNegative = bytes[at] === 0x2d;
    if (isNegative) at += 1;
    let value = 0;
    for (; at < end; at += 1) value = value * 10 + (bytes[at] ?? 0) - 0x30;
    return isNegative && value !== 0 ? -value : value;
  }
  const text = bytes.toString('latin1', start, end);
  if (end - start > 21) return new JsonDouble(Number(text));
  const exact = BigInt(text);
  if (exact > MAX_UINT64 || exact < -MAX_INT64 - 1n) return new JsonDouble(Number(text));
  return exact >= Number.MIN_SAFE_INTEGER && exact <= Number.MAX_SAFE_INTEGER ? Number(exact) : exact;
}

/** Value of a NaN or Inf token. */
export function specialValue(text: string): number {
  if (text.endsWith('N')) return Number.NaN;
  return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** What is wrong with a value of another JSON type than `wanted`, in the reference's words. */
export function wrongType(wanted: keyof typeof WRONG_TYPE): string {
  return WRONG_TYPE[wanted];
}

const WRONG_TYPE = {
  string: 'attempt to access JSON non-string as string',
  bool: 'attempt to access JSON non-boolean as boolean',
  int: 'attempt to access JSON non-signed-integer as signed-integer',
  uint: 'attempt to access JSON non-unsigned-integer as unsigned-integer',
  double: 'attempt to access JSON non-number as double',
  array: 'attempt to access JSON non-array as array',
  object: 'attempt to access JSON non-object as object',
} as const;
