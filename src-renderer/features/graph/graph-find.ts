// Find: operators by name, type, scope, tensor or shape. Words must all match; order of results is file order. Pure.

import type { GraphIndex } from './graph-index.ts';
import { typeText } from './graph-index.ts';

/** Lower-case text of each operator that a search looks in; built once per file, on the first search. */
export function searchTexts(index: GraphIndex): readonly string[] {
  return index.data.operators.map(({ name, opType, scope, domain, inputs, outputs }) => {
    const tensors = [...inputs, ...outputs].map((tensor) => `${tensor} ${typeText(index.valueOf(tensor))}`);
    return [opType, domain, name, scope, ...tensors].join('\n').toLowerCase();
  });
}

/** Undefined = everything matches, because nothing was asked for. */
export function findOperators(texts: readonly string[], query: string): readonly number[] | undefined {
  const words = query
    .toLowerCase()
    .replaceAll(/,\s+/g, ',')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  return texts.flatMap((text, at) => (words.every((word) => text.includes(word)) ? [at] : []));
}
