// Reads a recipe: a page of docs whose code blocks name the file they belong to: ```ts file=src-main/...

import { readFileSync } from 'node:fs';

const BLOCK = /^```\w+ file=(?<path>[\w./-]+)\n(?<text>[\s\S]*?)^```$/gm;

export interface RecipeBlock {
  readonly path: string;
  readonly text: string;
}

/** Blocks that have a path, in order. Throws when there is none. */
export function recipeBlocks(page: string): readonly RecipeBlock[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(({ groups }) => ({
    path: groups?.['path'] ?? '',
    text: groups?.['text'] ?? '',
  }));
  if (blocks.length === 0) throw new Error(`${page} has no block of code with a file`);
  return blocks;
}
