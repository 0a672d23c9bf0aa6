// Reads a recipe: a page of docs whose code blocks name the file they belong to: ```ts file=src-main/...
// A block goes to the end of its file, which is made when it is not there; with after="text" it goes behind the first
// line that contains the text.

import { readFileSync } from 'node:fs';

const BLOCK = /^```\w+ file=(?<path>[\w./-]+)(?: after="(?<after>.+)")?\n(?<text>[\s\S]*?)^```$/gm;

export interface RecipeBlock {
  readonly path: string;
  readonly after?: string;
  readonly text: string;
}

/** Blocks that have a path, in order. Throws when there is none. */
export function recipeBlocks(page: string): readonly RecipeBlock[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(BLOCK)].map(({ groups = {} }): RecipeBlock => {
    const { path = '', text = '', after } = groups;
    return { path, text, ...(after === undefined ? {} : { after }) };
  });
  if (blocks.length === 0) throw new Error(`${page} has no block of code with a file`);
  return blocks;
}

/** The file with the block in its place. Throws when the line to go behind is not there. */
export function withBlock(content: string, { path, after, text }: RecipeBlock): string {
  if (after === undefined) return content + text;
  const lines = content.split('\n');
  const at = lines.findIndex((line) => line.includes(after));
  if (at < 0) throw new Error(`${path} has no line with ${after}`);
  return [...lines.slice(0, at + 1), text.trimEnd(), ...lines.slice(at + 1)].join('\n');
}
