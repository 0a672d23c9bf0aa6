// Runs the command lines of tests/reference/start-cases.ts on both sides until they end.

import { spawn } from 'node:child_process';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import type { ComparedRow } from '../tests/reference/compare.ts';
import { saidAtStart } from '../tests/reference/start-answers.ts';
import type { StartCase } from '../tests/reference/start-cases.ts';
import { START_CASES } from '../tests/reference/start-cases.ts';
import { MORE_START_CASES } from '../tests/reference/start-more.ts';
import { PAIR_CASES } from '../tests/reference/start-pairs.ts';
import { VALUE_CASES } from '../tests/reference/start-values.ts';
import type { ReferenceProgram } from './reference-server.ts';
import { compareSideBySide } from './reference-side-by-side.ts';
import { freePorts } from './free-ports.ts';

/** Servers that start are ended as soon as they have told their listeners, or after this time. */
const LIMIT_MS = 60_000;

/** `pattern`: part of a case's name, "" for all. Rows are in the order of the cases. */
export function compareStarts(program: ReferenceProgram, pattern: string): Promise<ComparedRow[]> {
  const nameOf = ({ name }: StartCase): string => `start ${name}`;
  const cases = [...START_CASES, ...VALUE_CASES, ...PAIR_CASES, ...MORE_START_CASES].filter((one) =>
    nameOf(one).includes(pattern),
  );
  return compareSideBySide(program, { what: 'starts', cases, nameOf, play: answerOf });
}

async function answerOf(
  one: StartCase,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<unknown> {
  await using repository = await TempRepository.create(one.files ?? {});
  const ports = await freePorts(3);
  const given = [
    ...(one.files === null ? [] : [`--model-repository=${repository.path}`]),
    ...['http', 'grpc', 'metrics'].map((name, index) => `--${name}-port=${ports[index]}`),
    ...one.args.map((arg) => arg.replaceAll('<repository>', repository.path)),
  ];
  const [program = '', ...before] = command;
  const { code, text } = await runToEnd(program, [...before, ...given], env);
  return { code, said: saidAtStart(text, { folders: [repository.path], ports }) };
}

function runToEnd(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | string; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    let isAsked = false;
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (isAsked || !/Started Metrics Service|Started HTTPService/.test(text)) return;
      isAsked = true;
      setTimeout(() => child.kill('SIGTERM'), 300);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? signal ?? 'none', text });
    });
  });
}
