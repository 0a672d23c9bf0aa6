// `npm run ab:queues [COUNT] [SEED] [FROM]`: random models with queues and requests that meet in them, to a tritonserver and to
// our server: who runs with whom, who is refused and in what words, and the counts at the end must be equal. What differs is
// played again, since all of it is a matter of time: only what differs each time is told. Exit code 1 then.

import { TempRepository } from '../src-main/testing/temp-repository.ts';
import type { RandomQueue } from './ab/random-queues.ts';
import { RandomQueues } from './ab/random-queues.ts';
import { sorted } from './ab/sorted-members.ts';
import { findReference, startReferenceServer } from './reference-server.ts';
import type { ReferenceProgram } from './reference-server.ts';
import type { ServedProcess } from './served-process.ts';
import { serveConch } from './served-process.ts';
import { testPython } from '../src-main/testing/test-python.ts';

const AT_ONCE = 3;
const AGAIN_AT_ONCE = 2;
/** After this time nothing is left of sequences that nobody ended. */
const IDLE_MS = 5000;
const TRIES = 3;
const WAIT_MS = 30_000;
const isVerbose = process.env['CONCH_AB_VERBOSE'] !== undefined;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function call({ http }: ServedProcess, place: string, body?: unknown): Promise<string> {
  try {
    const response = await fetch(`http://${http}/v2/${place}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    return `${response.status} ${await response.text()}`;
  } catch (error) {
    return `no answer: ${String(error)}`;
  }
}

/** What came of a request: the execution as it was told, or the error. */
function told(answer: string): string {
  if (!answer.startsWith('200 ')) return answer;
  const { outputs = [], parameters } = JSON.parse(answer.slice(4)) as {
    outputs?: { data: string[]; shape: number[] }[];
    parameters?: unknown;
  };
  return `${JSON.stringify(outputs[0]?.shape)} ${outputs[0]?.data[0]} ${JSON.stringify(parameters)}`;
}

/** Named numbers of the statistics, none of them a time. */
async function countsOf(server: ServedProcess, name: string): Promise<ReadonlyMap<string, number>> {
  const answer = await call(server, `models/${name}/stats`);
  if (!answer.startsWith('200')) return new Map();
  const { model_stats: stats } = JSON.parse(answer.slice(4)) as {
    model_stats: {
      inference_count: number;
      execution_count: number;
      inference_stats: Record<string, { count: number }>;
      batch_stats: { batch_size: number; compute_infer: { count: number } }[];
    }[];
  };
  return new Map(
    stats.flatMap(
      ({ inference_count: inferences, execution_count: executions, inference_stats: of, batch_stats }) => [
        ['inferences', inferences] as const,
        ['executions', executions] as const,
        ...Object.entries(of).map(([part, { count }]) => [part, count] as const),
        ...batch_stats.map(
          ({ batch_size: size, compute_infer: { count } }) => [`of ${size}`, count] as const,
        ),
      ],
    ),
  );
}

/** Runs count on from play to play: the first of this one is number 1. */
function fromOne(lines: readonly string[]): string[] {
  const runs = lines.flatMap((line) => [...line.matchAll(/"run": (\d+)/g)].map(([, run]) => Number(run)));
  const first = Math.min(...runs);
  return lines.map((line) => line.replace(/"run": (\d+)/g, (_, run) => `"run": ${Number(run) - first + 1}`));
}

async function play(
  server: ServedProcess,
  name: string,
  { sends, isOrdered }: RandomQueue,
): Promise<string[]> {
  const before = await countsOf(server, name);
  const ends: number[] = [];
  const running: Promise<string>[] = [];
  let at = performance.now();
  for (const [index, { after, body }] of sends.entries()) {
    at += after;
    await pause(Math.max(0, at - performance.now()));
    const answer = call(server, `models/${name}/infer`, body).then((text) => {
      ends.push(index);
      return `${index} ${told(text)}`;
    });
    running.push(answer);
  }
  const answers = fromOne(await Promise.all(running));
  await pause(200);
  const counts = [...(await countsOf(server, name))]
    .map(([what, count]) => [what, count - (before.get(what) ?? 0)] as const)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${what} ${count}`);
  return [
    ...answers,
    ...(isOrdered ? [`order ${ends.join(' ')}`] : []),
    `counts ${counts.sort().join(', ')}`,
  ];
}

interface Servers {
  readonly ours: ServedProcess;
  theirs: ServedProcess;
}

async function compare(
  { ours, theirs }: Servers,
  name: string,
  queue: RandomQueue,
): Promise<readonly string[] | undefined> {
  const [mine = [], reference = []] = await Promise.all([play(ours, name, queue), play(theirs, name, queue)]);
  const even = (text = ''): string =>
    queue.hasOneInstance ? sorted(text) : sorted(text).replaceAll(/"run": \d+/g, '');
  const isSame = mine.map((line, at) => even(line) === even(reference[at]));
  if (!isSame.includes(false)) return undefined;
  return mine.flatMap((line, at) =>
    isSame[at] === true
      ? isVerbose
        ? [`  both      ${line}`]
        : []
      : [`  reference ${reference[at]}\n  ours      ${line}`],
  );
}

async function walk(program: ReferenceProgram, count: number, seed: number, from: number): Promise<number> {
  const random = new RandomQueues(seed);
  const queues = Array.from({ length: count }, (_, index) => ({
    name: `q${index}`,
    index,
    queue: random.queue(),
  }));
  const files = Object.assign({}, ...queues.slice(from).map(({ name, queue }) => queue.files(name)));
  const repositories = [await TempRepository.create(files), await TempRepository.create(files)] as const;
  // Loaded from the start: a load call holds a thread of the reference's HTTP server, and with it other connections.
  const options = repositories.map(({ path }) => [`--model-repository=${path}`, '--exit-on-error=false']) as [
    string[],
    string[],
  ];
  const python = testPython();
  const named = python === undefined ? [] : [`--backend-config=python,python-executable=${python}`];
  const ours = await serveConch([...options[0], ...named]);
  console.log(`${count - from} models are loaded by both`);
  const theirs = await startReferenceServer(program, options[1]);
  const servers: Servers = { ours, theirs };
  const waiting = queues.slice(from);
  const again: typeof queues = [];
  let differing = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (servers.theirs.hasEnded()) {
        console.log('the reference ended');
        return;
      }
      if ((await compare(servers, next.name, next.queue)) !== undefined) again.push(next);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    console.log(`${again.length} are played again`);
    const replay = async ({ name, queue, index }: (typeof queues)[number]): Promise<void> => {
      let lines: readonly string[] | undefined = [];
      for (let tries = 0; tries < TRIES && lines !== undefined; tries += 1) {
        await pause(IDLE_MS);
        lines = await compare(servers, name, queue);
      }
      if (lines === undefined) return;
      differing += 1;
      const sends = queue.sends.map(
        ({ after, body }, at) =>
          `    ${at} +${after} ${JSON.stringify(body.parameters)} ${JSON.stringify((body.inputs[0] as { shape: unknown }).shape)} ${(body.inputs[0] as { data: number[] }).data[0]}`,
      );
      console.log(`## ${index}\n${queue.text}\n${sends.join('\n')}\n${lines.join('\n')}`);
    };
    await Promise.all(
      Array.from({ length: AGAIN_AT_ONCE }, async () => {
        for (let next = again.shift(); next !== undefined; next = again.shift()) await replay(next);
      }),
    );
  } finally {
    await Promise.all([servers.ours.stop(), servers.theirs.stop()]);
    await Promise.all(repositories.map((one) => one.close()));
  }
  return differing;
}

const [count = '50', seed = '1', from = '0'] = process.argv.slice(2);
const program = await findReference();
if ('missing' in program) console.log(`skipped: ${program.missing}`);
else {
  try {
    const differing = await walk(program, Number(count), Number(seed), Number(from));
    console.log(`${count} queues of seed ${seed}: ${differing} differ each time`);
    process.exitCode = differing === 0 ? 0 : 1;
  } catch (error) {
    // Such as a reference that does not start; nothing was compared then.
    console.log(`gave up: ${String(error)}`);
    process.exit(1);
  }
}
