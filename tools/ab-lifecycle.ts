// `npm run ab:lifecycle [COUNT] [SEED] [MODE]`: changes two repositories at random under a tritonserver and under our server, loads
// and unloads the same models in both (MODE "poll": they poll instead), and after each step compares what they say: the
// answer, the index, readiness, configurations, inference, statistics. Exit code 1 when any differ.

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { evenedLife, NO_ENSEMBLE } from './ab/evened-life.ts';
import type { LifeStep } from './ab/random-lifecycle.ts';
import { LIFE_MODELS, LIFE_VERSIONS, RandomLifecycle, writeFirstModels } from './ab/random-lifecycle.ts';
import { sorted } from './ab/sorted-members.ts';
import type { ReferenceProgram } from './reference-server.ts';
import { findReference, startReferenceServer } from './reference-server.ts';
import type { ServedProcess } from './served-process.ts';
import { serveConch } from './served-process.ts';

const WAIT_MS = 60_000;
const SHOWN = 30;
/** Longer than two polls. */
const POLLED_MS = 2600;

const BODY = JSON.stringify({
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1, 4], data: [1.5, -2.5, 3, 0] }],
});

async function answer({ http }: ServedProcess, place: string, body?: string): Promise<string> {
  try {
    const response = await fetch(`http://${http}${place}`, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    return `${response.status} ${sorted(await response.text())}`;
  } catch (error) {
    return `no answer: ${String(error)}`;
  }
}

const indexOf = async (server: ServedProcess): Promise<string> => {
  const text = await answer(server, '/v2/repository/index', '');
  const found: unknown = text.startsWith('200 ') ? JSON.parse(text.slice(4)) : text;
  return Array.isArray(found)
    ? found
        .map((one) => JSON.stringify(one))
        .sort()
        .join('\n')
    : text;
};

/** Loads and unloads go on after their answer. */
async function settle(servers: readonly ServedProcess[]): Promise<void> {
  const limit = Date.now() + WAIT_MS;
  while (Date.now() < limit) {
    const indexes = await Promise.all(servers.map(indexOf));
    if (!indexes.some((index) => /"(UN)?LOADING"/.test(index))) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Times change with each look. */
const withoutTimes = (text: string): string => text.replaceAll(/"(ns|last_inference)":\d+/g, '"$1":0');

/** Everything that clients can see, by question. */
async function seenOf(server: ServedProcess): Promise<ReadonlyMap<string, string>> {
  const seen = new Map([['index', await indexOf(server)]]);
  for (const name of LIFE_MODELS) {
    const model = `/v2/models/${name}`;
    for (const place of ['/ready', '', '/config'].map((end) => `${model}${end}`))
      seen.set(place, await answer(server, place));
    for (const version of ['', ...LIFE_VERSIONS.map((one) => `/versions/${one}`)]) {
      const place = `${model}${version}/infer`;
      seen.set(place, await answer(server, place, BODY));
    }
    // The reference makes ensembles anew at later loads of whatever model, too, once one of their models was.
    if (name === 'chain' || name === 'over') continue;
    // The reference counts warm-up runs as requests.
    if ((seen.get(`${model}/config`) ?? '').includes('"model_warmup":[{')) continue;
    const counted = (): Promise<string> => answer(server, `${model}/stats`);
    // An answer can be there before it is counted.
    let [stats, again] = ['', await counted()];
    while (stats !== again) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      [stats, again] = [again, await counted()];
    }
    seen.set(`${model}/stats`, withoutTimes(stats));
  }
  seen.set('/v2/health/ready', await answer(server, '/v2/health/ready'));
  return seen;
}

interface Servers {
  readonly ours: ServedProcess;
  readonly theirs: ServedProcess;
  stop(): Promise<unknown>;
}

async function start(
  program: ReferenceProgram,
  folders: readonly string[],
  polls: boolean,
): Promise<Servers> {
  const options = [
    ...folders.map((folder) => `--model-repository=${folder}`),
    `--model-control-mode=${polls ? 'poll' : 'explicit'}`,
    ...(polls ? ['--repository-poll-secs=1', '--exit-on-error=false'] : []),
    '--cache-config=local,size=1000000',
  ];
  const ours = await serveConch(options);
  const theirs = await startReferenceServer(program, options);
  return { ours, theirs, stop: () => Promise.all([ours.stop(), theirs.stop()]) };
}

class Walk {
  readonly #program: ReferenceProgram;
  readonly #folders: readonly string[];
  readonly #polls: boolean;
  /** Steps since both servers were started. */
  #history: string[] = [];
  differing = 0;

  constructor(program: ReferenceProgram, folders: readonly string[], polls: boolean) {
    this.#program = program;
    this.#folders = folders;
    this.#polls = polls;
  }

  async go(count: number, seed: number): Promise<void> {
    let servers = await start(this.#program, this.#folders, this.#polls);
    const life = new RandomLifecycle(seed, !this.#polls);
    try {
      for (let index = 0; index < count; index += 1) {
        const step = life.step();
        this.#history.push(`${index} ${step.text}`);
        const isAlike = await this.#take(servers, step, index);
        if (isAlike && !servers.theirs.hasEnded()) continue;
        // What once went apart stays apart: both begin anew with the folders as they are.
        if (servers.theirs.hasEnded()) console.log(`${index}: the reference ended: ${step.text}`);
        await servers.stop();
        servers = await start(this.#program, this.#folders, this.#polls);
        this.#history = [];
      }
    } finally {
      await servers.stop();
    }
  }

  async #take({ ours, theirs }: Servers, step: LifeStep, index: number): Promise<boolean> {
    const both = [ours, theirs] as const;
    let answers = ['', ''];
    if ('act' in step) await step.act(this.#folders);
    else answers = await Promise.all(both.map((server) => answer(server, step.path, step.body)));
    if (this.#polls) await new Promise((resolve) => setTimeout(resolve, POLLED_MS));
    await settle(both);
    const [mine, reference] = await Promise.all(both.map(seenOf));
    const seen: (readonly [string, string, string])[] = [
      ['the answer', answers[0] ?? '', answers[1] ?? ''],
      ...[...(mine ?? [])].map(([place, text]) => [place, text, reference?.get(place) ?? ''] as const),
    ];
    if (theirs.hasEnded()) return false;
    const even = (text: string): string => evenedLife(text, this.#folders);
    const different = seen.filter(
      ([, left, right]) => even(left) !== even(right) && even(left) !== NO_ENSEMBLE,
    );
    if (different.length === 0) return true;
    this.differing += 1;
    if (this.differing > SHOWN) return false;
    console.log(`\nafter ${this.#history.join('\n  ')}\n  answers ${even(answers[0] ?? '')}`);
    for (const [place, left, right] of different.slice(0, 3))
      console.log(
        `## ${index} ${place}\n  reference ${even(right).slice(0, 900)}\n  ours      ${even(left).slice(0, 900)}`,
      );
    return false;
  }
}

async function main(count: number, seed: number, polls: boolean): Promise<number> {
  const program = await findReference();
  if ('missing' in program) {
    console.log(`skipped: ${program.missing}`);
    return 0;
  }
  const home = await mkdtemp(path.join(os.tmpdir(), 'conch-ab-'));
  try {
    const folders = ['first', 'second'].map((name) => path.join(home, name));
    for (const folder of folders) await mkdir(folder);
    await writeFirstModels(folders);
    const walk = new Walk(program, folders, polls);
    await walk.go(count, seed);
    console.log(`${count} steps of seed ${seed}: ${walk.differing} told differently`);
    return walk.differing === 0 ? 0 : 1;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

const [count = '200', seed = '1', mode = 'explicit'] = process.argv.slice(2);
process.exitCode = await main(Number(count), Number(seed), mode === 'poll');
