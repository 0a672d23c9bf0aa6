// Tests that a page names as what holds its rules: in the last cell of a table row, as `file`: "words of the test". Pure:
// what a file holds is asked of the caller.

const NAMED = /`([^`]+)`: "([^"]+)"/g;

/** Rows of the page's tables that name no test, and tests that are not where they are said to be. */
export function missingTests(
  markdown: string,
  read: (file: string) => string | undefined,
): readonly string[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('| '));
  return rows.filter((row) => !/^\| (?:-+|Rule) +\|/.test(row)).flatMap((row) => missingInRow(row, read));
}

function missingInRow(row: string, read: (file: string) => string | undefined): readonly string[] {
  const named = [...row.matchAll(NAMED)];
  if (named.length === 0) return [`names no test: ${row.replaceAll(/ +/g, ' ')}`];
  return named.flatMap(([, file = '', words = '']) => {
    const text = read(file);
    if (text === undefined) return [`there is no test file ${file}`];
    return text.includes(words) ? [] : [`${file} has no test '${words}'`];
  });
}
