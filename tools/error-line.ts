// An error as one cell of a table: all of what it says, since its first line is often only who threw it.

// oxlint-disable-next-line no-control-regex -- colours of a terminal begin with one
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Every line of its message, without colours, empty lines and what would end the cell. */
export function inOneLine(thrown: unknown): string {
  return String(thrown)
    .replaceAll(COLOURS, '')
    .split('\n')
    .map((line) => line.trim().replaceAll('|', '\\|'))
    .filter((line) => line !== '')
    .join(' / ');
}
