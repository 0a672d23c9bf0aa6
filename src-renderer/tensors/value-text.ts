// What is said of the values of a tensor: smallest, largest, mean, scores. Short, but a whole number is never another one.
// Pure.

/** Beyond this a text without an exponent would pretend to digits that were cut. */
const MOST_PLAIN = 1e9;

/**
 * A number at `digits` significant digits, whole numbers up to 2^53 with all of theirs; "NaN" and "Infinity" as tables
 * have them.
 */
export function valueText(value: number, digits = 5): string {
  if (!Number.isFinite(value) || Number.isSafeInteger(value)) return String(value);
  const short = Number(value.toPrecision(digits));
  return Math.abs(short) < MOST_PLAIN ? String(short) : short.toExponential().replace(/(\.\d*?)0+e/, '$1e');
}
