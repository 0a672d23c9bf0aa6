// `npm run ab:protocol [COUNT] [SEED]`: asks a tritonserver and our server the same random things, every route of HTTP and every
// unary call of gRPC, one after the other, and compares the answers. Exit code 1 when any differ.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';

import { grpcCall } from '../tests/reference/grpc-exchange.ts';
import { evenedProtocol } from './ab/evened-protocol.ts';
import { stepModels } from './ab/random-models.ts';
import type { ProtocolQuestion } from './ab/random-protocol.ts';
import { PROTOCOL_MODEL, RandomProtocol } from './ab/random-protocol.ts';
import { sorted } from './ab/sorted-members.ts';
import type { ReferenceProgram } from './reference-server.ts';
import { findReference, startReferenceServer } from './reference-server.ts';
import type { ServedProcess } from './served-process.ts';
import { serveConch } from './served-process.ts';

const WAIT_MS = 30_000;
const SHOWN = 40;

function overHttp(address: string, question: ProtocolQuestion & { protocol: 'http' }): Promise<string> {
  const { method, headers, body } = question;
  return new Promise((resolve) => {
    const broken = (thrown: Error): void => resolve(`no answer: ${thrown.message}`);
    const [host, port] = address.split(':');
    const sent = http.request(
      {
        host,
        port,
        path: question.path,
        method,
        agent: false,
        timeout: WAIT_MS,
        headers: { ...headers, ...(method === 'GET' ? {} : { 'Content-Length': body.length }) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', broken);
        response.on('end', () => {
          const type = response.statusCode === 200 ? (response.headers['content-type'] ?? '') : '';
          const encoding = response.headers['content-encoding'] ?? '';
          const whole = Buffer.concat(chunks);
          const text = encoding === '' ? sorted(whole.toString('latin1')) : '<packed>';
          resolve(`${response.statusCode} ${type} ${encoding} ${text}`);
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error('nothing came')));
    sent.on('error', broken);
    sent.end(body);
  });
}

async function answer({ http: address, grpc }: ServedProcess, question: ProtocolQuestion): Promise<string> {
  if (question.protocol === 'http') return overHttp(address, question);
  const port = Number(grpc.split(':').at(-1));
  const { code, details, response } = await grpcCall(port, question.rpc, question.message);
  return `${code} ${details} ${sorted(JSON.stringify(response) ?? '')}`;
}

/** Unloads go on after their answer: both servers have finished them before the next question. */
async function settle(servers: readonly ServedProcess[]): Promise<void> {
  for (;;) {
    const indexes = await Promise.all(
      servers.map(({ http: address }) =>
        fetch(`http://${address}/v2/repository/index`, { method: 'POST' }).then(
          (response) => response.text(),
          () => '',
        ),
      ),
    );
    if (!indexes.some((index) => /"(UN)?LOADING"/.test(index))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const changes = (question: ProtocolQuestion): boolean =>
  question.protocol === 'grpc'
    ? question.rpc.startsWith('RepositoryModel')
    : question.path.startsWith('/v2/repository/models');

const shown = (question: ProtocolQuestion): string =>
  question.protocol === 'grpc'
    ? `${question.rpc} ${JSON.stringify(question.message)}`
    : `${question.method} ${question.path} ${JSON.stringify(question.headers)} ${question.body.toString('latin1').slice(0, 400)}`;

interface Servers {
  readonly ours: ServedProcess;
  readonly theirs: ServedProcess;
  stop(): Promise<unknown>;
}

async function start(program: ReferenceProgram, folder: string): Promise<Servers> {
  const options = [
    `--model-repository=${folder}`,
    '--model-control-mode=explicit',
    `--load-model=${PROTOCOL_MODEL}`,
  ];
  const ours = await serveConch([...options, '--allow-client-shm=true']);
  const theirs = await startReferenceServer(program, options);
  return { ours, theirs, stop: () => Promise.all([ours.stop(), theirs.stop()]) };
}

/** How many of the questions were answered differently; those are printed. */
async function walk(program: ReferenceProgram, folder: string, count: number, seed: number): Promise<number> {
  let servers = await start(program, folder);
  const questions = new RandomProtocol(seed);
  let differing = 0;
  try {
    for (let index = 0; index < count; index += 1) {
      const question = questions.question();
      const { ours, theirs } = servers;
      const [mine, reference] = await Promise.all([answer(ours, question), answer(theirs, question)]);
      if (reference.startsWith('no answer') && !mine.startsWith('no answer')) {
        console.log(`${index}: the reference answers no longer, both are started again: ${shown(question)}`);
        await servers.stop();
        servers = await start(program, folder);
        continue;
      }
      if (changes(question)) await settle([ours, theirs]);
      if (evenedProtocol(mine) === evenedProtocol(reference)) continue;
      differing += 1;
      if (differing <= SHOWN)
        console.log(
          `## ${index} ${shown(question)}\n  reference ${reference.slice(0, 400)}\n  ours      ${mine.slice(0, 400)}`,
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
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-ab-'));
  try {
    for (const [file, content] of Object.entries(stepModels()[PROTOCOL_MODEL] ?? {})) {
      const target = path.join(folder, PROTOCOL_MODEL, file);
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, content);
    }
    const differing = await walk(program, folder, count, seed);
    console.log(`${count} questions of seed ${seed}: ${differing} answered differently`);
    return differing === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const [count = '1500', seed = '1'] = process.argv.slice(2);
process.exitCode = await main(Number(count), Number(seed));
