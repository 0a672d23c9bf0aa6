// Numbers as the reference prints them.

/** A double with six significant digits, as C++ streams print it. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (value === 0) return '0';
  const exponent = Number(value.toExponential(5).split('e')[1]);
  if (exponent < -4 || exponent >= 6) {
    const [digits = '', power = ''] = value.toExponential(5).split('e');
    const short = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
    return `${short}e${power.startsWith('-') ? '-' : '+'}${power.slice(1).padStart(2, '0')}`;
  }
  return String(Number(value.toPrecision(6)));
}

/** Whole microseconds. */
export function usecText(us: number): string {
  return String(Math.floor(us));
}
