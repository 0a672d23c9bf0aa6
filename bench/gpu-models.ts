// One ONNX file on the GPU and on the CPU of this machine, served, and with bare ONNX Runtime: how many runs per second.
// `CONCH_GPU_PROVIDER=cuda node bench/gpu-models.ts model.onnx`; the file's input sizes must be fixed. Part of
// `npm run gpu:proof`.

import { execFile } from 'node:child_process';
import os from 'node:os';
import { promisify } from 'node:util';
import { readFile } from 'node:fs/promises';

import { loadOrt, prepareProviders } from '../src-main/backends/onnxruntime/ort-library.ts';
import { inspectAnyFile } from '../src-main/onnx/onnx-inspection.ts';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import { conchProgram, ServerProcess } from '../tests/processes/served-process.ts';

const PERF_MS = 5000;
const BARE_MS = 5000;

const provider = process.env['CONCH_GPU_PROVIDER'] ?? 'cuda';
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node bench/gpu-models.ts model.onnx');

// Out of the folder that has the provider's libraries, as the server loads it.
const ort = loadOrt();
prepareProviders([provider]);

/** Runs per second of one session, one run after the other. */
async function bare(name: string): Promise<number> {
  const { description } = await inspectAnyFile(file ?? '');
  const session = await ort.InferenceSession.create(file ?? '', { executionProviders: [name] });
  const feeds = Object.fromEntries(
    description.inputs.map(({ name: input, shape }) => {
      if (shape.some((size) => size < 1)) throw new Error(`'${input}' has no fixed size`);
      const count = shape.reduce((product, size) => product * size, 1);
      const values = Float32Array.from({ length: count }, (_, at) => Math.sin(at / 100));
      return [input, new ort.Tensor('float32', values, [...shape])];
    }),
  );
  await session.run(feeds);
  const startMs = performance.now();
  let runs = 0;
  do {
    await session.run(feeds);
    runs += 1;
  } while (performance.now() - startMs < BARE_MS);
  const rate = runs / ((performance.now() - startMs) / 1000);
  await session.release();
  return rate;
}

/** Runs per second through HTTP, four requests in flight. */
async function served(http: string, model: string): Promise<number> {
  const args = [
    'perf',
    '-m',
    model,
    '-u',
    http,
    '--concurrency-range=4',
    `--measurement-interval=${PERF_MS}`,
    // A slow device leaves few requests in a window, which then differ much.
    '--stability-percentage=50',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [conchProgram, ...args]);
  const rate = /throughput: ([\d.]+) infer\/sec/.exec(stdout)?.[1];
  if (rate === undefined) throw new Error(stdout);
  return Number(rate);
}

const onnx = await readFile(file);
await using repository = await TempRepository.create(
  Object.fromEntries(
    ['GPU', 'CPU'].flatMap((kind) => [
      [`on_${kind}/1/model.onnx`, onnx],
      [
        `on_${kind}/config.pbtxt`,
        `backend: "onnxruntime"\ninstance_group [ { kind: KIND_${kind} count: 1 } ]\n`,
      ],
    ]),
  ),
);
await using server = ServerProcess.serve(
  `--model-repository=${repository.path}`,
  `--backend-config=onnxruntime,gpu-providers=${provider}`,
  '--gpu-policy=strict',
);
const http = await server.http();
const rows = [
  [`served on ${provider}`, await served(http, 'on_GPU')],
  ['served on the CPU', await served(http, 'on_CPU')],
  [`bare session on ${provider}`, await bare(provider)],
  ['bare session on the CPU', await bare('cpu')],
] as const;
console.log(`${os.cpus()[0]?.model ?? 'unknown processor'}, ${os.availableParallelism()} cores, ${file}\n`);
for (const [what, rate] of rows) console.log(`${what.padEnd(28)} ${rate.toFixed(1)} runs/s`);
