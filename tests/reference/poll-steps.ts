// Steps of polling: a change of the repositories, the wait until servers have settled, and the questions then.

import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { post } from './http-calls.ts';
import { ask, wait } from './life-calls.ts';
import { saidOf } from './life-log.ts';
import type { ReferenceCase, Target } from './reference-case.ts';
import type { WireCase } from './wire-cases.ts';

/** Longer than the time between two polls. */
const QUIET_MS = 2600;
const LIMIT_MS = 25_000;

/** Files of one model appear at once: written beside the repository and moved into it. */
export async function put(folder: string, files: RepositoryFiles): Promise<void> {
  const name = Object.keys(files)[0]?.split('/')[0] ?? '';
  const stage = `${folder}-stage`;
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(stage, file);
    await mkdir(file.endsWith('/') ? target : path.dirname(target), { recursive: true });
    if (!file.endsWith('/')) await writeFile(target, content);
  }
  const [old, fresh, place] = [path.join(stage, 'old'), path.join(stage, name), path.join(folder, name)];
  if (existsSync(place)) await rename(place, old);
  await rename(fresh, place);
  await rm(stage, { recursive: true });
}

/** Until nothing new has been said for longer than a poll, and all loads that began have ended. */
export async function settled(target: Target, from: number): Promise<void> {
  const startedAt = Date.now();
  let [seen, since] = ['', startedAt];
  while (Date.now() - startedAt < LIMIT_MS) {
    const said = saidOf(target, from, true);
    const now = JSON.stringify(isRepeated(said) ? [...new Set(said)] : said);
    if (now !== seen) [seen, since] = [now, Date.now()];
    const count = (pattern: RegExp): number => said.filter((line) => pattern.test(line)).length;
    const isLoading = !isRepeated(said) && count(/^I loading: /) > count(/^I successfully loaded '/);
    if (!isLoading && Date.now() - since > QUIET_MS) return;
    await wait(100);
  }
}

/** What fails is tried and told again with every poll. */
function isRepeated(said: readonly string[]): boolean {
  return said.some((line) => /fail/i.test(line));
}

export function linesOf(target: Target, from: number): readonly string[] {
  const said = saidOf(target, from, true);
  return isRepeated(said) ? [...new Set(said)] : said;
}

export interface PollStep {
  readonly name: string;
  readonly act: (folders: readonly string[]) => Promise<unknown>;
}

export const step = (name: string, act: PollStep['act']): PollStep => ({ name, act });
export const add =
  (repository: number, files: RepositoryFiles) =>
  (folders: readonly string[]): Promise<void> =>
    put(folders[repository] ?? '', files);
export const drop =
  (repository: number, name: string) =>
  (folders: readonly string[]): Promise<void> =>
    rm(path.join(folders[repository] ?? '', name), { recursive: true });

/** States of all models, by name; the order in which they are found is chance. */
export async function indexOf(target: Target): Promise<unknown> {
  const [code, body] = (await ask(target, post('/v2/repository/index'))) as [number, string];
  const found: unknown = JSON.parse(body);
  return Array.isArray(found) ? found.map((model) => JSON.stringify(model)).sort() : [code, found];
}

export const polling = (
  name: string,
  calls: readonly WireCase[],
  steps: readonly PollStep[],
): ReferenceCase => ({
  name: `polling ${name}`,
  limitMs: 600_000,
  run: async (target) => {
    const answers: unknown[] = [];
    await settled(target, target.log().length);
    for (const { name: told, act } of [step('at the start', async () => {}), ...steps]) {
      const before = target.log().length;
      await act(target.folders);
      await settled(target, before);
      answers.push({ step: `${told} > lines`, said: linesOf(target, before) });
      answers.push({ step: `${told} > index`, index: await indexOf(target) });
      for (const call of calls) {
        const answer = JSON.stringify(await ask(target, call)).replace(
          /(\\"(ns|last_inference)\\":)\d+/g,
          '$10',
        );
        answers.push({ step: `${told} > ${call.path}`, answer });
      }
    }
    return answers;
  },
});
