// Starts a made package as its user does, with a model repository: it must serve a model and end with 0 when asked to,
// and carry native libraries of this system only. Ports are free ones, the user's data a folder of its own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { root } from '../bootstrap.mjs';
import { freePorts } from '../free-ports.ts';

const START_LIMIT_MS = 60_000;
const STEP_MS = 100;
const MODEL = 'simple';

/** Folders of ONNX Runtime in the package: "linux/x64". */
function runtimes(resources: string): readonly string[] {
  const bin = path.join(resources, 'app/node_modules/onnxruntime-node/bin');
  return readdirSync(bin).flatMap((api) =>
    readdirSync(path.join(bin, api)).flatMap((platform) =>
      readdirSync(path.join(bin, api, platform)).map((arch) => `${platform}/${arch}`),
    ),
  );
}

async function untilReady(address: string, hasEnded: () => boolean): Promise<void> {
  const limit = Date.now() + START_LIMIT_MS;
  while (Date.now() < limit && !hasEnded()) {
    const response = await fetch(`${address}/v2/models/${MODEL}/ready`).catch(() => undefined);
    if (response?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  throw new Error(
    hasEnded() ? 'the app ended' : `'${MODEL}' was not served within ${START_LIMIT_MS / 1000} s`,
  );
}

async function infer(address: string): Promise<unknown> {
  const data = Array.from({ length: 16 }, (_, at) => at);
  const inputs = ['INPUT0', 'INPUT1'].map((name) => ({ name, datatype: 'INT32', shape: [1, 16], data }));
  const response = await fetch(`${address}/v2/models/${MODEL}/infer`, {
    method: 'POST',
    body: JSON.stringify({ inputs }),
  });
  const { outputs } = (await response.json()) as { outputs?: readonly { name: string; data: unknown }[] };
  return outputs?.find(({ name }) => name === 'OUTPUT0')?.data;
}

/** Seconds from the start until a model was served. Throws what went wrong. `folder`: the unpacked app. Needs a display. */
export async function tryPackage(folder: string): Promise<number> {
  const found = runtimes(path.join(folder, 'resources'));
  const own = `${process.platform}/${process.arch}`;
  if (found.join(' ') !== own)
    throw new Error(`the package has ONNX Runtime for ${found.join(', ')}, not only ${own}`);
  const work = mkdtempSync(path.join(os.tmpdir(), 'conch-try-'));
  try {
    cpSync(path.join(root, 'tests/fixtures/models', MODEL), path.join(work, 'models', MODEL), {
      recursive: true,
    });
    return await serveOnce(folder, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function serveOnce(folder: string, work: string): Promise<number> {
  const [http = 0, grpc = 0, metrics = 0] = await freePorts(3);
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [
    ...sandbox,
    `--user-data=${path.join(work, 'data')}`,
    `--model-repository=${path.join(work, 'models')}`,
    `--http-port=${http}`,
    `--grpc-port=${grpc}`,
    `--metrics-port=${metrics}`,
  ];
  const beganMs = Date.now();
  const child = spawn(path.join(folder, 'conch'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  try {
    await untilReady(`http://127.0.0.1:${http}`, () => child.exitCode !== null || child.signalCode !== null);
    const seconds = (Date.now() - beganMs) / 1000;
    const answer = JSON.stringify(await infer(`http://127.0.0.1:${http}`));
    const wanted = JSON.stringify(Array.from({ length: 16 }, (_, at) => 2 * at));
    if (answer !== wanted) throw new Error(`'${MODEL}' answered ${answer}, expected ${wanted}`);
    if (!existsSync(path.join(work, 'data', 'recent.json')))
      throw new Error('the repository is not among the recent ones');
    child.kill('SIGTERM');
    const [code] = await ended;
    if (code !== 0) throw new Error(`the app ended with ${code}`);
    return seconds;
  } catch (thrown) {
    child.kill('SIGKILL');
    throw new Error(`${String(thrown)}; it said:\n${said}`, { cause: thrown });
  }
}
