// Numbers at the beginning of a text, as the reference reads settings: what stands behind the digits does not count.

/** The whole number that `text` begins with, after blanks: `8x` and ` 8.5` are 8. Undefined when it begins with none. */
export function leadingInteger(text: string): number | undefined {
  const digits = /^\s*[+-]?\d+/.exec(text)?.[0];
  return digits === undefined ? undefined : Number(digits);
}

/** The decimal number that `text` begins with, after blanks. Undefined when it begins with none. */
export function leadingDecimal(text: string): number | undefined {
  const number = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i.exec(text)?.[0];
  return number === undefined ? undefined : Number(number);
}
