// What a style sheet takes from elsewhere: `@import`, and what Tailwind reads (`@reference`, `@plugin`, `@config`). Text
// in comments is no import.

import type { FileImport } from './file-imports.ts';

const COMMENT = /\/\*[\s\S]*?\*\//g;
const IMPORT = /@(?:import|reference|plugin|config)\s+(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^\s;)"']+))/g;

/** In their order. A sheet of another host is no file: it is seen as the library of that name. */
export function styleImportsOf(text: string): readonly FileImport[] {
  const plain = text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '));
  return [...plain.matchAll(IMPORT)].map((match) => ({
    specifier: match[1] ?? match[2] ?? match[3],
    isWorkerName: false,
    line: plain.slice(0, match.index).split('\n').length,
  }));
}
