// `npm run conformance:perf-analyzer`: the reference's own load generator, as its Python client brought it along until
// 2.38, measures a server of ours in every way it knows: both protocols, streams, batches, sequences, request rates, shared memory,
// metrics, traces. Each run has to end as it says here. Skipped, by name, where the program or its libraries are missing.

import { existsSync } from 'node:fs';
import path from 'node:path';

import { fixture } from '../src-main/testing/fixtures.ts';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import { conformanceModels } from '../tests/tritonclient/models.ts';
import { pythonEnvironment, runProgram } from './python-environment.ts';
import type { ServedAddresses } from './served-process.ts';
import { serveConch } from './served-process.ts';

const PACKAGES = ['tritonclient==2.38.0', 'nvidia-cuda-runtime-cu12'];
const LIMIT_MS = 60_000;
/** Short windows, and any two that follow each other are near enough: nothing is measured here. */
const QUICK = ['-p', '300', '-r', '10', '-s', '1000'];
const MODELS = ['simple', 'simple_string', 'simple_sequence', 'simple_dyna_sequence'];
const DECOUPLED = 'repeat_int32';
/** Three answers without waiting. */
const ANSWERS = ['--shape', 'IN:3', '--shape', 'DELAY:3', '--input-data', 'zero'];

interface PerfRun {
  readonly name: string;
  /** HTTP when it is not said. */
  readonly protocol?: 'grpc';
  readonly args: readonly string[];
  /** What it says; default: a throughput, and it ends with 0. */
  readonly refuses?: string;
}

const stream = ['--streaming', '--async'];
const shared = ['--shared-memory', 'system', '--output-shared-memory-size', '4096'];

const RUNS: readonly PerfRun[] = [
  { name: 'one request at a time', args: ['-m', 'simple'] },
  { name: 'a range of concurrencies', args: ['-m', 'simple', '--async', '--concurrency-range', '1:3'] },
  { name: 'batches', args: ['-m', 'simple', '-b', '4'] },
  { name: 'tensors as JSON', args: ['-m', 'simple', ...jsonTensors()] },
  { name: 'request rates', args: ['-m', 'simple', '--request-rate-range', '50:100:50'] },
  {
    name: 'request rates by chance',
    args: ['-m', 'simple', '--request-rate-range', '50', '--request-distribution', 'poisson'],
  },
  { name: 'windows of requests', args: ['-m', 'simple', ...windowsOf(50)] },
  { name: 'a percentile', args: ['-m', 'simple', '--percentile', '95', '-v'] },
  { name: 'texts', args: ['-m', 'simple_string', '--string-data', '7'] },
  { name: 'shared memory', args: ['-m', 'simple', ...shared] },
  { name: 'sequences', args: ['-m', 'simple_sequence', '--sequence-length', '5'] },
  {
    name: 'sequences at a rate',
    args: ['-m', 'simple_dyna_sequence', '--request-rate-range', '50', '--num-of-sequences', '3'],
  },
  { name: 'one gRPC request at a time', protocol: 'grpc', args: ['-m', 'simple'] },
  {
    name: 'compressed gRPC requests',
    protocol: 'grpc',
    args: ['-m', 'simple', '--grpc-compression-algorithm', 'gzip'],
  },
  {
    name: 'a gRPC stream',
    protocol: 'grpc',
    args: ['-m', 'simple', ...stream, '--concurrency-range', '4'],
  },
  { name: 'shared memory over gRPC', protocol: 'grpc', args: ['-m', 'simple', ...shared] },
  {
    name: 'sequences on a stream',
    protocol: 'grpc',
    args: ['-m', 'simple_sequence', '--streaming', '--sequence-length', '5', '--concurrency-range', '2'],
  },
  {
    name: 'sequences that share slots, on a stream',
    protocol: 'grpc',
    args: ['-m', 'simple_dyna_sequence', '--streaming'],
  },
  { name: 'a decoupled model', protocol: 'grpc', args: ['-m', DECOUPLED, ...ANSWERS, ...stream] },
  {
    name: 'a decoupled model over HTTP',
    args: ['-m', DECOUPLED, ...ANSWERS],
    refuses: "HTTP end point doesn't support models with decoupled transaction policy",
  },
  {
    name: 'a model that is not there',
    args: ['-m', 'nobody'],
    refuses: "Request for unknown model: 'nobody' is not found",
  },
  {
    name: 'a version that is not there',
    protocol: 'grpc',
    args: ['-m', 'simple', '-x', '9'],
    refuses: "Request for unknown model: 'simple' version 9 is not found",
  },
  {
    name: 'a trace without a file',
    args: ['-m', 'simple', '--trace-level', 'TIMESTAMPS'],
    refuses: 'trace file name is not given',
  },
];

function jsonTensors(): readonly string[] {
  return ['--input-tensor-format', 'json', '--output-tensor-format', 'json'];
}

function windowsOf(count: number): readonly string[] {
  return ['--measurement-mode', 'count_windows', '--measurement-request-count', `${count}`];
}

/** Undefined when the run ended as it should, else what was seen. */
async function faultOf(
  { protocol, args, refuses }: PerfRun,
  addresses: ServedAddresses,
  { program, env }: { readonly program: string; readonly env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  const where = protocol === 'grpc' ? ['-i', 'grpc', '-u', addresses.grpc] : ['-u', addresses.http];
  const { code, output } = await runProgram(program, [...args, ...where, ...QUICK], {
    env,
    limitMs: LIMIT_MS,
  });
  const isGood =
    refuses === undefined
      ? code === 0 && /throughput: [1-9]/i.test(output)
      : code !== 0 && output.includes(refuses);
  return isGood ? undefined : `exit code ${code}:\n${output.slice(-1500)}`;
}

async function main(): Promise<number> {
  const environment = await pythonEnvironment('venv-perf-analyzer', PACKAGES);
  if ('missing' in environment) return skipped(environment.missing);
  const found = await runProgram(environment.python, [
    '-c',
    'import nvidia.cuda_runtime as it; print(list(it.__path__)[0])',
  ]);
  const program = path.join(environment.folder, 'bin/perf_analyzer');
  const env = { ...process.env, LD_LIBRARY_PATH: path.join(found.output.trim(), 'lib') };
  if (!existsSync(program)) return skipped('the client of this platform comes without perf_analyzer');
  const version = await runProgram(program, ['--version'], { env });
  if (!version.output.includes('Perf Analyzer Version'))
    return skipped(`perf_analyzer does not start here (Debian: libb64-0d): ${version.output.trim()}`);
  const models = Object.entries(conformanceModels()).filter(([file]) => file.startsWith(`${DECOUPLED}/`));
  await using repository = await TempRepository.create(Object.fromEntries(models));
  const server = await serveConch([
    `--model-repository=${repository.path}`,
    `--model-repository=${fixture('models')}`,
    '--model-control-mode=explicit',
    '--allow-client-shm=true',
    ...[DECOUPLED, ...MODELS].map((name) => `--load-model=${name}`),
  ]);
  let failed = 0;
  try {
    for (const run of RUNS) {
      const fault = await faultOf(run, server, { program, env });
      console.log(fault === undefined ? `ok      ${run.name}` : `FAILED  ${run.name}: ${fault}`);
      if (fault !== undefined) failed += 1;
    }
  } finally {
    await server.stop();
  }
  console.log(`${RUNS.length - failed} passed, ${failed} failed, 0 skipped`);
  return failed === 0 ? 0 : 1;
}

function skipped(reason: string): number {
  console.log(`the measurements by perf_analyzer are skipped: ${reason}`);
  console.log('0 passed, 0 failed, 1 skipped');
  return 0;
}

process.exit(await main());
