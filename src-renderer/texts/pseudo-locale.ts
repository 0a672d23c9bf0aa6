// A made-up language for tests: letters with accents, a third longer, in brackets. Text that shows up without brackets
// was not taken from a catalogue; text that overflows here would overflow in a longer language.

const ACCENTS: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  c: 'ç',
  n: 'ñ',
  s: 'š',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
  C: 'Ç',
  N: 'Ñ',
  S: 'Š',
  Y: 'Ý',
  Z: 'Ž',
};

/** Placeholders keep their form, so that formatting still works. */
export function pseudoLocalise(message: string): string {
  let depth = 0;
  let out = '';
  let letterCount = 0;
  for (const letter of message) {
    if (letter === '{') depth += 1;
    out += depth === 0 ? (ACCENTS[letter] ?? letter) : letter;
    if (depth === 0) letterCount += 1;
    if (letter === '}') depth -= 1;
  }
  return `[${out}${'~'.repeat(Math.ceil(letterCount / 3))}]`;
}
