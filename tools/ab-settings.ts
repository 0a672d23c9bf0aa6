// `npm run ab:settings [COUNT] [SEED]`: sends the same random calls of the trace and log settings to a tritonserver and to our
// server, one after the other, and compares the answers. Exit code 1 when any differ.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { startOurs, startPeer } from '../bench/peer/peer-servers.ts';
import { grpcCall } from '../tests/reference/grpc-exchange.ts';
import { stepModels } from './ab/random-models.ts';
import type { SettingCall } from './ab/random-settings.ts';
import { RandomSettings } from './ab/random-settings.ts';
import { sorted } from './ab/sorted-members.ts';
import { neededPeerCommand } from './reference-command.ts';
import type { ServedProcess } from './served-process.ts';

const WAIT_MS = 20_000;
const SHOWN = 20;

async function answer({ http, grpc }: ServedProcess, call: SettingCall): Promise<string> {
  if (call.protocol === 'grpc') {
    const { code, details, response } = await grpcCall(
      Number(grpc.split(':').at(-1)),
      call.rpc,
      call.message,
    );
    return `${code} ${details} ${sorted(JSON.stringify(response) ?? '')}`;
  }
  const { method, path: where, body } = call;
  const response = await fetch(`http://${http}${where}`, {
    method,
    signal: AbortSignal.timeout(WAIT_MS),
    ...(body === undefined ? {} : { body }),
  });
  return `${response.status} ${sorted(await response.text())}`;
}

async function main(count: number, seed: number): Promise<number> {
  const command = neededPeerCommand();
  if (command === undefined) return 0;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-ab-'));
  for (const [file, content] of Object.entries(stepModels()['copy'] ?? {})) {
    const target = path.join(folder, 'copy', file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  const options = [`--trace-config=triton,file=${path.join(folder, 'trace.json')}`];
  const ours = await startOurs(folder, options);
  const theirs = await startPeer(command, folder, options);
  const calls = new RandomSettings(seed);
  let differing = 0;
  try {
    for (let index = 0; index < count; index += 1) {
      const call = calls.call();
      const [mine, reference] = await Promise.all([answer(ours.server, call), answer(theirs.server, call)]);
      if (mine === reference) continue;
      differing += 1;
      if (differing <= SHOWN) {
        console.log(`## ${index} ${JSON.stringify(call)}\n  reference ${reference}\n  ours      ${mine}`);
      }
    }
    console.log(`${count} calls of seed ${seed}: ${differing} answered differently`);
    return differing === 0 ? 0 : 1;
  } finally {
    await Promise.all([ours.server.stop(), theirs.server.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

const [count = '1000', seed = '1'] = process.argv.slice(2);
process.exitCode = await main(Number(count), Number(seed));
