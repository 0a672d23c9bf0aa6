// A pasted command line to its words, as a POSIX shell would cut it; no variables, no substitution.

/** Line continuations are blanks. */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  const text = command.replace(/\\\r?\n/g, ' ');
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (char === quote) {
      quote = '';
    } else if (char === '\\' && escapes(quote, text.charAt(at + 1))) {
      at += 1;
      word = (word ?? '') + text.charAt(at);
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Between double quotes a backslash stands for itself before most characters, as in paths of Windows. */
function escapes(quote: string, next: string): boolean {
  if (quote === "'" || next === '') return false;
  return quote === '' || ['"', '\\', '$', '`'].includes(next);
}

/** One word as a shell reads it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
