// Cases that start servers of their own: each is played with the reference and with ours at the same time, several cases
// at once, and what came out is compared.

import path from 'node:path';

import type { ComparedRow } from '../tests/reference/compare.ts';
import { compareAnswers } from '../tests/reference/compare.ts';
import type { ReferenceProgram } from './reference-server.ts';

/** Reading the sources is most of what a start costs. */
const FROM_SOURCES: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../.cache/compiled'),
};
const entry = path.resolve(import.meta.dirname, '../src-main/shell/headless/main.ts');
/** Most of their time is waiting. */
const AT_ONCE = 4;

/** Cases of one kind. */
export interface SideBySide<Case> {
  /** For the line at the end: "starts". */
  readonly what: string;
  readonly cases: readonly Case[];
  /** Unique among the cases: differences are known by it. */
  nameOf(one: Case): string;
  /** Starts `command` for the case, and answers with what is to be the same on both sides. */
  play(one: Case, command: readonly string[], env: NodeJS.ProcessEnv): Promise<unknown>;
  /** Further arguments of our `serve`. */
  readonly ownArgs?: readonly string[];
}

/** Rows are in the order of the cases, however long each takes. */
export async function compareSideBySide<Case>(
  program: ReferenceProgram,
  { what, cases, nameOf, play, ownArgs = [] }: SideBySide<Case>,
): Promise<ComparedRow[]> {
  const startedAt = performance.now();
  const answers: ComparedRow[][] = [];
  const waiting = [...cases.entries()];
  const playNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, one] = next;
      const [theirs, mine] = await Promise.all([
        play(one, [program.command, ...program.args], program.env),
        play(one, [process.execPath, entry, 'serve', ...ownArgs], FROM_SOURCES),
      ]);
      answers[index] = [...compareAnswers(nameOf(one), theirs, mine)];
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, playNext));
  const rows = answers.flat();
  if (rows.length > 0)
    console.log(`${what}: ${rows.length} answers, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return rows;
}
