// Plays tests/reference/start-lives.ts on both sides: each starts, is asked and ended as its steps say; then its answers,
// its exit code and its records are compared.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import net from 'node:net';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import type { ComparedRow } from '../tests/reference/compare.ts';
import { floats } from '../tests/reference/life-calls.ts';
import { get, post, reply } from '../tests/reference/http-calls.ts';
import { hideVolatile } from '../tests/reference/normalise.ts';
import { recordsOfLife } from '../tests/reference/start-answers.ts';
import type { LifeStep, StartLife } from '../tests/reference/start-lives.ts';
import { START_LIVES } from '../tests/reference/start-lives.ts';
import { REPOSITORY_LIVES } from '../tests/reference/start-repositories.ts';
import type { ReferenceProgram } from './reference-server.ts';
import { compareSideBySide } from './reference-side-by-side.ts';
import { freePorts } from './free-ports.ts';
import { killGroup } from './served-process.ts';

const LIMIT_MS = 60_000;

/** What `ask` asks. */
const QUESTIONS = [
  'GET /v2/health/live',
  'GET /v2/health/ready',
  'POST /v2/repository/index',
  'GET /v2/models/alpha',
  'GET /v2/models/alpha/ready',
  'GET /v2/models/alpha/config',
  'POST /v2/models/alpha/infer',
  'POST /v2/models/alpha/generate',
  'GET /v2/models/alpha/versions/1/ready',
  'GET /v2/models/alpha/versions/7',
  'GET /v2/models/stats',
  'GET /v2/models/alpha/trace/setting',
  'POST /v2/repository/models/beta/unload',
  'GET /v2/models/alpha/stats',
];

/** `python`: where ours finds an interpreter. Rows are in the order of the cases. */
export function compareLives(
  program: ReferenceProgram,
  pattern: string,
  python: readonly string[],
): Promise<ComparedRow[]> {
  const cases = [...START_LIVES, ...REPOSITORY_LIVES].filter((one) => nameOf(one).includes(pattern));
  return compareSideBySide(program, { what: 'lives', cases, nameOf, play: playUndisturbed, ownArgs: python });
}

const nameOf = ({ name, args }: StartLife): string => `life ${[name, ...args].join(' ')}`;

/** Once more when another program took a port meanwhile. */
async function playUndisturbed(...how: Parameters<typeof playLife>): Promise<readonly unknown[]> {
  const answers = await playLife(...how);
  const [{ args }] = how;
  const isMeant = args.some((arg) => arg.includes('-port='));
  return isMeant || !JSON.stringify(answers).includes('already in use') ? answers : playLife(...how);
}

async function playLife(
  life: StartLife,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly unknown[]> {
  const repositories = await Promise.all(life.files.map((files) => TempRepository.create(files)));
  const folders = repositories.map((repository) => repository.path);
  await life.prepare?.(folders);
  const ports = await freePorts(3);
  const holder = await heldPort();
  const filled = (arg: string): string =>
    arg
      .replace(/<repository (\d)>/, (_, at: string) => folders[Number(at)] ?? '')
      .replace(/<ports (\d)>/, (_, at: string) => String(ports[Number(at)]))
      .replace('<taken>', String(holder.port));
  const named = ['http', 'grpc', 'metrics']
    .map((name, index) => `--${name}-port=${ports[index]}`)
    .filter((arg) => !life.args.some((own) => own.startsWith(`${arg.split('=')[0]}=`)));
  const given = [
    ...folders.map((folder) => `--model-repository=${folder}`),
    ...named,
    ...life.args.map(filled),
  ];
  const [program = '', ...before] = command;
  const child = spawn(program, [...before, ...given], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  try {
    return await answersOf(life, child, { folders, ports: [...ports, holder.port] });
  } finally {
    if (child.pid !== undefined) killGroup(child.pid);
    holder.close();
    await Promise.all(repositories.map((repository) => repository.close()));
  }
}

interface Place {
  readonly folders: readonly string[];
  readonly ports: readonly number[];
}

async function answersOf(life: StartLife, child: ChildProcess, place: Place): Promise<readonly unknown[]> {
  let text = '';
  const read = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout?.on('data', read);
  child.stderr?.on('data', read);
  let code: string | number | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (status, signal) => {
      code = status ?? signal ?? 'none';
      resolve();
    });
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  const answers: unknown[] = [];
  const running: Promise<void>[] = [];
  const calls = (at: number, names: readonly string[]): void => {
    const asked = names.map(async (call) => {
      const answer = await answerTo(place, call);
      answers.push({ step: `${at} ${call}`, answer });
    });
    running.push(...asked);
  };
  for (const [at, step] of life.steps.entries()) {
    if (
      !(await reached(
        step,
        () => text,
        () => code !== undefined,
      ))
    )
      break;
    if (step.act === 'ask') {
      for (const call of QUESTIONS)
        answers.push({ step: `${at} ${call}`, answer: await answerTo(place, call) });
    } else if (typeof step.act === 'string') child.kill(step.act);
    else if (step.act !== undefined) calls(at, step.act);
  }
  await ended;
  await Promise.all(running);
  clearTimeout(timer);
  // What was written last may still be on its way.
  await new Promise((resolve) => setTimeout(resolve, 200));
  answers.sort((a, b) => ((a as { step: string }).step < (b as { step: string }).step ? -1 : 1));
  return [...answers, { step: 'exit code', code }, { step: 'records', ...recordsOfLife(text, place) }];
}

async function reached({ at }: LifeStep, log: () => string, isOver: () => boolean): Promise<boolean> {
  if (typeof at === 'number') await new Promise((resolve) => setTimeout(resolve, at));
  else while (!at.test(log()) && !isOver()) await new Promise((resolve) => setTimeout(resolve, 20));
  return !isOver();
}

async function answerTo(place: Place, call: string): Promise<unknown> {
  const [method, target = ''] = call.split(' ');
  const wire = method === 'GET' ? get(target) : post(target, target.endsWith('infer') ? floats([1]) : '');
  const { status, body } = await reply(place.ports[0] ?? 0, wire);
  // How a connection is refused is a matter of time.
  if (status === 0) return 'no answer';
  const shown = hideVolatile(body.replace(/"(ns|last_inference)":\d+/g, '"$1":"#"'), place);
  if (!target.endsWith('index')) return [status, shown];
  try {
    return [status, (JSON.parse(shown) as unknown[]).map((entry) => JSON.stringify(entry)).sort()];
  } catch {
    return [status, shown];
  }
}

/** A port that another program listens at. */
async function heldPort(): Promise<{ readonly port: number; close(): void }> {
  const server = net.createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as net.AddressInfo).port, close: () => server.close() };
}
