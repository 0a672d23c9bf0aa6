// A number of single precision or less as a text, without the digits that double precision adds. Pure.

/** Enough to tell any two singles apart. */
const MOST_DIGITS = 9;

/** The shortest text that gives the same single again; NaN and infinities by their names in JavaScript. */
export function singleText(value: number): string {
  for (let digits = 6; digits < MOST_DIGITS; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(MOST_DIGITS)));
}
