// What a program that failed said of it, out of the last lines that it printed. Installers say the reason elsewhere than in
// their last line: uv above a chain of causes, pip in a warning before its error.

/** One line. `fallback`: where the program said nothing. */
export function lastWords(lines: readonly string[], fallback: string): string {
  const said = lines.map((line) => line.trim()).filter((line) => line !== '');
  return (
    chain(said) ?? unreached(said) ?? said.findLast((line) => /error/i.test(line)) ?? said.at(-1) ?? fallback
  );
}

/** The error of uv with its causes behind it, outermost first. */
function chain(said: readonly string[]): string | undefined {
  const at = said.findLastIndex((line) => /^error: /.test(line));
  const causes: string[] = [];
  for (const line of said.slice(at + 1)) {
    const cause = /^(?:cause|caused by): (.*)$/i.exec(line)?.[1];
    if (cause === undefined) break;
    causes.push(cause);
  }
  return at === -1 || causes.length === 0 ? undefined : [said[at], ...causes].join(': ');
}

/** pip takes an index that it cannot reach for one that has no such package. */
function unreached(said: readonly string[]): string | undefined {
  const error = said.findLast((line) => line.startsWith('ERROR: No matching distribution found'));
  const why = said.findLast((line) => line.includes('connection broken by'));
  const cause = /connection broken by '(.*)': \S+$/.exec(why ?? '')?.[1];
  return error === undefined || cause === undefined
    ? undefined
    : `${error}: the package index was not reached: ${cause}`;
}
