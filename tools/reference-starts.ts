// Runs the command lines of tests/reference/start-cases.ts on both sides until they end.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import type { ComparedRow } from '../tests/reference/compare.ts';
import { compareAnswers } from '../tests/reference/compare.ts';
import { saidAtStart } from '../tests/reference/start-answers.ts';
import type { StartCase } from '../tests/reference/start-cases.ts';
import { START_CASES } from '../tests/reference/start-cases.ts';
import { VALUE_CASES } from '../tests/reference/start-values.ts';
import type { ReferenceProgram } from './reference-server.ts';
import { freePorts } from './free-ports.ts';

/** Reading the sources is most of what a start costs. */
const FROM_SOURCES: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../.cache/compiled'),
};
const entry = path.resolve(import.meta.dirname, '../src-main/shell/headless/main.ts');
/** Servers that start are ended as soon as they have told their listeners, or after this time. */
const LIMIT_MS = 60_000;
/** Most of their time is waiting. */
const AT_ONCE = 4;

/** `pattern`: part of a case's name, "" for all. Rows are in the order of the cases, however long each takes. */
export async function compareStarts(program: ReferenceProgram, pattern: string): Promise<ComparedRow[]> {
  const cases = [...START_CASES, ...VALUE_CASES].filter(({ name }) => `start ${name}`.includes(pattern));
  const startedAt = performance.now();
  const answers: ComparedRow[][] = [];
  const waiting = [...cases.entries()];
  const askNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, one] = next;
      const [theirs, mine] = await Promise.all([
        answerOf(one, [program.command, ...program.args], program.env),
        answerOf(one, [process.execPath, entry, 'serve'], FROM_SOURCES),
      ]);
      answers[index] = [...compareAnswers(`start ${one.name}`, theirs, mine)];
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askNext));
  const rows = answers.flat();
  if (rows.length > 0)
    console.log(`starts: ${rows.length} answers, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return rows;
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
