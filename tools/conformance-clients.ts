// `npm run conformance:clients`: client libraries of other languages, which share no code with the server, against it:
// tests/clients/README.md. A program whose language is not installed is skipped by name.

import path from 'node:path';

import { TempRepository } from '../src-main/testing/temp-repository.ts';
import { pythonEnvironment, runProgram } from './python-environment.ts';
import { serveConch } from './served-process.ts';

const clients = path.resolve(import.meta.dirname, '../tests/clients');
const PYTHON_PACKAGES = ['grpclib==0.4.9', 'httpx[http2]==0.28.1', 'aiohttp==3.14.5', 'requests==2.34.2'];
const BUILD_LIMIT_MS = 400_000;
const RUN_LIMIT_MS = 240_000;
const OLDEST_GO = [1, 26] as const;
const OLDEST_JAVA = 17;

/** A command that takes the three addresses behind its arguments, or why it cannot be run. */
type ClientProgram = readonly string[] | { readonly missing: string };

/** `echo` and `slow` of tests/clients/README.md. */
function echoModel(parameters = ''): string {
  return `backend: "identity" max_batch_size: 0
input [{ name: "INPUT0" data_type: TYPE_FP32 dims: [ -1 ] }]
output [{ name: "OUTPUT0" data_type: TYPE_FP32 dims: [ -1 ] }]
${parameters}`;
}

async function goProgram(): Promise<ClientProgram> {
  const version = await runProgram('go', ['env', 'GOVERSION']);
  const found = /^go(\d+)\.(\d+)/.exec(version.output);
  const [major, minor] = OLDEST_GO;
  if (found === null || Number(found[1]) !== major || Number(found[2]) < minor)
    return { missing: `grpc-go needs Go ${major}.${minor} or newer: ${version.output.trim()}` };
  const program = path.resolve(import.meta.dirname, '../.cache/go-client');
  const built = await runProgram('go', ['-C', path.join(clients, 'go'), 'build', '-o', program, '.'], {
    limitMs: BUILD_LIMIT_MS,
    env: { ...process.env, GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local' },
  });
  if (built.code === 0) return [program];
  if (/dial tcp|lookup |i\/o timeout|reading https?:/.test(built.output))
    return { missing: `grpc-go cannot be fetched here: ${built.output.trim().slice(-300)}` };
  throw new Error(`the Go client does not build:\n${built.output}`);
}

async function javaProgram(): Promise<ClientProgram> {
  const { output } = await runProgram('java', ['-version']);
  const version = Number(/version "(\d+)/.exec(output)?.[1] ?? 0);
  return version >= OLDEST_JAVA
    ? ['java', path.join(clients, 'java/HttpChecks.java')]
    : { missing: `java.net.http needs a JDK of ${OLDEST_JAVA} or newer: ${output.trim().slice(-300)}` };
}

async function pythonProgram(): Promise<ClientProgram> {
  const environment = await pythonEnvironment('venv-clients', PYTHON_PACKAGES);
  return 'missing' in environment
    ? environment
    : [environment.python, path.join(clients, 'python/checks.py')];
}

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs one program to its end, prints its checks and counts them; one that ends badly without saying why has failed, too. */
async function runClient(client: ClientProgram, addresses: readonly string[], tally: Tally): Promise<void> {
  if ('missing' in client) {
    console.log(`skipped: ${client.missing}`);
    tally.skipped += 1;
    return;
  }
  const [command = '', ...args] = client;
  const ended = await runProgram(command, [...args, ...addresses], { limitMs: RUN_LIMIT_MS });
  const lines = ended.output.split('\n');
  const failed = lines.filter((line) => line.startsWith('FAILED ')).length;
  const isUntold = ended.code !== 0 && failed === 0;
  console.log(ended.output.trim());
  if (isUntold) console.log(`FAILED ${command} ended with exit code ${ended.code}`);
  tally.passed += lines.filter((line) => line.startsWith('ok ')).length;
  tally.failed += failed + (isUntold ? 1 : 0);
}

async function main(): Promise<number> {
  await using repository = await TempRepository.create({
    'echo/config.pbtxt': echoModel(),
    'echo/1/': '',
    'slow/config.pbtxt': echoModel('parameters { key: "execute_delay_ms" value { string_value: "500" } }'),
    'slow/1/': '',
  });
  const programs = [await goProgram(), await javaProgram(), await pythonProgram()];
  const plain = await serveConch([`--model-repository=${repository.path}`]);
  const threaded = await serveConch([`--model-repository=${repository.path}`, '--http-wire-threads=2']);
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  try {
    for (const client of programs) await runClient(client, [plain.grpc, plain.http, threaded.http], tally);
  } finally {
    await Promise.all([plain.stop(), threaded.stop()]);
  }
  console.log(`${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped`);
  return tally.failed === 0 ? 0 : 1;
}

process.exit(await main());
