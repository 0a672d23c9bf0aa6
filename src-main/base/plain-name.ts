// A name of letters, digits, "_", "." and "-" for what people call as they like, such as a file that becomes a model.

/** Letters that have no accent to lose, as those write them who lack the key. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
};

/**
 * It begins with a letter or a digit; letters lose their accents. Where none of its letters can stay, "model" and its
 * numbers do.
 */
export function plainName(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[ßæÆœŒøØłŁ]/g, (letter) => LETTERS[letter] ?? '');
  const plain = letters.replaceAll(/[^\w.-]+/g, '_').replace(/^[^a-z\d]+/i, '');
  if ((plain === name && plain !== '') || /[a-z]/i.test(plain)) return plain;
  return ['model', ...(plain.match(/\d+/g) ?? [])].join('_');
}
