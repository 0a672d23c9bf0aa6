// `npm run conformance:reference`: asks a real Triton server and ours the same things and compares the answers. Writes
// `.cache/test-reports/reference.json`; exit code 1 when they differ where tests/reference/known-differences.ts does not
// say so, or agree where it says they differ. A pattern as argument runs the cases whose name contains it, `@scene`
// those of a scene.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OtlpReceiver } from '../src-main/testing/otlp-receiver.ts';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import { testPython } from '../src-main/testing/test-python.ts';
import type { ComparedRow } from '../tests/reference/compare.ts';
import { compareAnswers } from '../tests/reference/compare.ts';
import { KNOWN_DIFFERENCES, levelled } from '../tests/reference/known-differences.ts';
import type { ReferenceCase, Target } from '../tests/reference/reference-case.ts';
import type { Scene, Side } from '../tests/reference/scene.ts';
import { SCENES } from '../tests/reference/scenes.ts';
import { freePorts } from './free-ports.ts';
import { compareLives } from './reference-lives.ts';
import { compareStarts } from './reference-starts.ts';
import type { ReferenceProgram } from './reference-server.ts';
import { findReference, startReferenceServer } from './reference-server.ts';
import type { ServedProcess } from './served-process.ts';
import { serveConch } from './served-process.ts';

const reports = path.resolve(import.meta.dirname, '../.cache/test-reports');
const CASE_LIMIT_MS = 60_000;
/** So often a case is asked again of servers that were started anew. */
const RESTARTS = 3;

async function main(given: string): Promise<number> {
  mkdirSync(reports, { recursive: true });
  const program = await findReference();
  if ('missing' in program) {
    console.log(`the comparison with a running reference is skipped: ${program.missing}`);
    return 0;
  }
  const [pattern, scene] = given.startsWith('@') ? ['', given.slice(1)] : [given, ''];
  const rows: ComparedRow[] = [];
  const add = (more: readonly ComparedRow[]): void => {
    rows.push(...more);
    printUnexpected(more);
  };
  const scenes = SCENES.filter(({ name }) => name.includes(scene));
  for (const group of Map.groupBy(scenes, ({ name, together }) => together ?? name).values())
    for (const answers of await Promise.all(group.map((one) => runScene(program, one, pattern))))
      add(answers);
  if ('starts'.includes(scene)) add(await compareStarts(program, pattern));
  if ('lives'.includes(scene)) add(await compareLives(program, pattern, namedPython()));
  return report(rows, given === '');
}

/** The reference ends itself now and then while it loads several models: such a scene is played once more, one by one. */
async function runScene(
  program: ReferenceProgram,
  scene: Scene,
  pattern: string,
  isSecond = false,
): Promise<ComparedRow[]> {
  const cases = scene.cases.filter(({ name }) => name.includes(pattern));
  if (cases.length === 0) return [];
  if (scene.needs !== undefined && !program.backends.includes(scene.needs)) {
    console.log(`${scene.name}: skipped, this reference has no backend '${scene.needs}'`);
    return [];
  }
  const startedAt = performance.now();
  let stages = await openStages(program, scene);
  const hasLost = (): boolean => stages[0].server.hasEnded() && scene.endsItself !== true;
  try {
    const answers: ComparedRow[][] = [];
    const waiting = [...cases.entries()];
    const ask = async (one: ReferenceCase): Promise<ComparedRow[]> => {
      const [theirs, mine] = await Promise.all(stages.map(({ target }) => answerOf(one, target)));
      return [...compareAnswers(one.name, theirs, mine)];
    };
    /** A server that is about to end has broken its connections already. */
    const untilEnded = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 1500));
    const askNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, one] = next;
        answers[index] = await ask(one);
        if (scene.restarts === true && answers[index].some((row) => !row.isSame)) await untilEnded();
        for (let tries = 1; scene.restarts === true && hasLost(); tries += 1) {
          console.log(`${one.name}: the reference ended, both are started anew`);
          await Promise.all(stages.map((stage) => stage.close()));
          stages = await openStages(program, scene);
          if (tries > RESTARTS) console.log(`${one.name}: left out, the reference ends by it`);
          answers[index] = tries > RESTARTS ? [] : await ask(one);
        }
      }
    };
    await Promise.all(Array.from({ length: isSecond ? 1 : (scene.atOnce ?? 1) }, askNext));
    const rows = answers.flat();
    for (const { server } of stages)
      if (server.hasEnded() && scene.endsItself !== true)
        console.log(`a server ended:\n${server.log().slice(-3000)}`);
    if (hasLost() && !isSecond) {
      console.log(`${scene.name}: the reference ended, so it is played once more`);
      return await runScene(program, scene, pattern, true);
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${scene.name}: ${rows.length} answers, ${seconds} s`);
    return rows;
  } finally {
    await Promise.all(stages.map((stage) => stage.close()));
  }
}

const openStages = (program: ReferenceProgram, scene: Scene): Promise<[Stage, Stage]> =>
  Promise.all([openStage(program, scene, 'reference'), openStage(program, scene, 'ours')]);

/** A server that stops answering is an answer too. */
async function answerOf(one: ReferenceCase, target: Target): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const limitMs = one.limitMs ?? CASE_LIMIT_MS;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ thrown: `no answer after ${limitMs / 1000} s` }), limitMs);
  });
  try {
    return await Promise.race([one.run(target), late]);
  } catch (error) {
    return { thrown: String(error) };
  } finally {
    clearTimeout(timer);
  }
}

interface Stage {
  readonly target: Target;
  readonly server: ServedProcess;
  close(): Promise<void>;
}

async function openStage(program: ReferenceProgram, scene: Scene, side: Side): Promise<Stage> {
  const repositories = await Promise.all(
    scene.repositories(side).map((files) => TempRepository.create(files)),
  );
  const folders = repositories.map((repository) => repository.path);
  const spans = scene.hasReceiver === true ? await OtlpReceiver.start() : undefined;
  const [sagemaker = 0, vertexAi = 0] = scene.hasClouds === true ? await freePorts(2) : [];
  const cloudPorts = [sagemaker, vertexAi] as const;
  const args = [
    ...folders.map((folder) => `--model-repository=${folder}`),
    ...(spans === undefined
      ? []
      : [`--trace-config=opentelemetry,url=http://127.0.0.1:${spans.port}/v1/traces`]),
    ...(scene.hasClouds === true ? cloudArgs(cloudPorts) : []),
    ...(scene.args ?? []),
    ...(scene.argsOf?.(side, folders) ?? []),
  ];
  const server = await startSide(program, side, args, scene.env ?? {});
  return {
    target: { ...targetOf(server, folders, side), cloudPorts, ...(spans === undefined ? {} : { spans }) },
    server,
    close: async () => {
      await server.stop();
      await spans?.close();
      await Promise.all(repositories.map((repository) => repository.close()));
    },
  };
}

function cloudArgs([sagemaker, vertexAi]: Target['cloudPorts']): readonly string[] {
  return [
    '--allow-sagemaker=true',
    `--sagemaker-port=${sagemaker}`,
    '--allow-vertex-ai=true',
    `--vertex-ai-port=${vertexAi}`,
  ];
}

function startSide(
  program: ReferenceProgram,
  side: Side,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ServedProcess> {
  if (side === 'reference')
    return startReferenceServer({ ...program, env: { ...program.env, ...env } }, args);
  return serveConch([...args, '--allow-client-shm=true', ...namedPython()], env);
}

function namedPython(): readonly string[] {
  const python = testPython();
  return python === undefined ? [] : [`--backend-config=python,python-executable=${python}`];
}

function targetOf(server: ServedProcess, folders: readonly string[], side: Side): Omit<Target, 'cloudPorts'> {
  const port = (address: string): number => Number(address.split(':').at(-1));
  const [httpPort, grpcPort, metricsPort] = [port(server.http), port(server.grpc), port(server.metrics)];
  return {
    httpPort,
    grpcPort,
    metricsPort,
    ports: [httpPort, grpcPort, metricsPort],
    folders,
    side,
    pid: server.pid,
    log: () => server.log(),
    stop: () => server.stop(),
  };
}

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  return index;
}

function printUnexpected(rows: readonly ComparedRow[]): void {
  const unexpected = rows.filter((row) => !row.isSame && !isKnown(row));
  for (const { name, reference, ours } of unexpected) {
    const from = Math.max(0, firstDifference(reference, ours) - 120);
    const around = (answer: string): string => answer.slice(from, from + 500);
    console.log(`## ${name}\n  reference ${around(reference)}\n  ours      ${around(ours)}`);
  }
}

/** Different, but as known-differences.ts says. */
function isKnown({ name, reference, ours }: ComparedRow): boolean {
  if (levelled(name, reference) === levelled(name, ours)) return true;
  return KNOWN_DIFFERENCES.some(({ rows, level }) => level === undefined && rows.test(name));
}

function report(rows: readonly ComparedRow[], isComplete: boolean): number {
  const different = rows.filter(({ isSame }) => !isSame);
  const unexpected = different.filter((row) => !isKnown(row));
  const unused = isComplete
    ? KNOWN_DIFFERENCES.filter(
        (known) => known.isChance !== true && !different.some(({ name }) => known.rows.test(name)),
      )
    : [];
  for (const { rows: pattern, reason } of unused)
    console.log(`## no longer different: ${pattern.source} (${reason})`);
  const known = different.length - unexpected.length;
  console.log(
    `${rows.length} answers compared: ${rows.length - different.length} the same, ${known} known differences, ${unexpected.length} unexpected`,
  );
  const counts = { passed: rows.length - unexpected.length, failed: unexpected.length + unused.length };
  writeFileSync(
    path.join(reports, 'reference.json'),
    JSON.stringify({ ...counts, skipped: 0, rows }, null, 1),
  );
  return counts.failed === 0 ? 0 : 1;
}

const USAGE = `npm run conformance:reference [-- WORD | -- @SCENE]
WORD: the cases whose names contain it; @SCENE: all cases of the scenes whose names contain it; without: everything.
CONCH_PEER names the command that starts the reference and takes the options of tritonserver behind it.`;

const [given = ''] = process.argv.slice(2);
if (given === '--help' || given === '-h') console.log(USAGE);
// Calls that were given up may hold the process.
else process.exit(await main(given));
