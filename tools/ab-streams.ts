// `npm run ab:streams [COUNT] [SEED]`: plays random streams of inference against a tritonserver and our server, and compares
// what each stream gives: answers of one request in their order, ordinary answers in the order of the stream, the status at
// the end. Exit code 1 when any differ.

import { TempRepository } from '../src-main/testing/temp-repository.ts';
import { testPython } from '../src-main/testing/test-python.ts';
import { playStream } from '../tests/reference/stream-exchange.ts';
import { STREAM_MODELS } from '../tests/reference/stream-models.ts';
import type { RandomStream } from './ab/random-streams.ts';
import { RandomStreams } from './ab/random-streams.ts';
import { sorted } from './ab/sorted-members.ts';
import type { ReferenceProgram } from './reference-server.ts';
import { findReference, startReferenceServer } from './reference-server.ts';
import type { ServedProcess } from './served-process.ts';
import { serveConch } from './served-process.ts';

const SHOWN = 40;
/** Longer than a broken connection takes to become an ended process. */
const END_MS = 1500;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Servers {
  readonly ours: ServedProcess;
  readonly theirs: ServedProcess;
  stop(): Promise<unknown>;
}

async function start(program: ReferenceProgram): Promise<Servers> {
  const repositories = [
    await TempRepository.create(STREAM_MODELS),
    await TempRepository.create(STREAM_MODELS),
  ];
  const [option, other] = repositories.map(({ path }) => `--model-repository=${path}`) as [string, string];
  const python = testPython();
  const named = python === undefined ? [] : [`--backend-config=python,python-executable=${python}`];
  const [ours, theirs] = await Promise.all([
    serveConch([option, ...named]),
    startReferenceServer(program, [other]),
  ]);
  return {
    ours,
    theirs,
    stop: async () => {
      await Promise.all([ours.stop(), theirs.stop()]);
      await Promise.all(repositories.map((repository) => repository.close()));
    },
  };
}

interface Given {
  readonly id?: string;
  readonly model_name?: string;
  readonly code?: number;
}

/** How answers of several requests mix is a matter of time: those of each request stay in order. */
function evened(answers: readonly unknown[]): string {
  const byRequest = Map.groupBy(answers as readonly Given[], ({ id, model_name: model, code }) =>
    code === undefined ? `${id ?? ''} ${id === undefined ? (model ?? '') : ''}` : 'end',
  );
  const groups = [...byRequest].map(([request, given]) => `${request}: ${sorted(JSON.stringify(given))}`);
  return groups.toSorted().join('\n');
}

/** The ids of ordinary answers as they came. */
const ordinary = (answers: readonly unknown[]): string =>
  (answers as readonly Given[])
    .filter(({ model_name: model }) => ['slow', 'sums', 'oldest'].includes(model ?? ''))
    .map(({ id }) => id ?? '')
    .join(' ');

/** An error ends a strict stream: what the others had sent until then is a matter of time. */
function compared(answers: readonly unknown[], { options }: RandomStream): string {
  const end = answers.findIndex((answer) => ((answer as Given).code ?? 0) !== 0);
  if (options.metadata !== undefined && end >= 0) return sorted(JSON.stringify(answers[end]));
  return `${evened(answers)}\n${ordinary(answers)}`;
}

async function walk(program: ReferenceProgram, count: number, seed: number): Promise<number> {
  let servers = await start(program);
  const random = new RandomStreams(seed);
  let differing = 0;
  try {
    for (let index = 0; index < count; index += 1) {
      const streams = random.streams();
      const played = await Promise.all(
        [servers.ours, servers.theirs].map(({ grpc }) =>
          Promise.all(
            streams.map(({ moves, options }) => playStream(Number(grpc.split(':').at(-1)), moves, options)),
          ),
        ),
      );
      const answers = played.map((side) =>
        side.map((given, at) => compared(given, streams[at] as RandomStream)).join('\n---\n'),
      );
      if (answers[0] === answers[1]) continue;
      await pause(END_MS);
      if (servers.theirs.hasEnded()) {
        console.log(`${index}: the reference ended, both are started again`);
        await servers.stop();
        servers = await start(program);
        continue;
      }
      differing += 1;
      if (differing <= SHOWN)
        console.log(
          `## ${index} ${JSON.stringify(streams)}\n  ours\n${answers[0]}\n  reference\n${answers[1]}`,
        );
    }
  } finally {
    await servers.stop();
  }
  return differing;
}

async function main(count: number, seed: number): Promise<number> {
  const program = await findReference();
  if ('missing' in program) {
    console.log(`skipped: ${program.missing}`);
    return 0;
  }
  const differing = await walk(program, count, seed);
  console.log(`${count} rounds of seed ${seed}: ${differing} answered differently`);
  return differing === 0 ? 0 : 1;
}

const [count = '100', seed = '1'] = process.argv.slice(2);
process.exitCode = await main(Number(count), Number(seed));
