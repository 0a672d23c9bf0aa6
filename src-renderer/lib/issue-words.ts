// In which order an issue of a configuration is told: what it means first, the words of the server behind it. Pure.

/** Codes whose message is what the reader of the file says ('Expected "{", found "".'), and whose hint says it plainly. */
const IN_WORDS_OF_THE_READER: ReadonlySet<string> = new Set(['D01', 'D03']);

/** `text` is never empty; `more` may be. */
export function issueWords(issue: {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}): {
  readonly text: string;
  readonly more: string;
} {
  const { code, message, hint } = issue;
  if (message === '') return { text: hint, more: '' };
  return hint !== '' && IN_WORDS_OF_THE_READER.has(code)
    ? { text: hint, more: message }
    : { text: message, more: hint };
}
