// Starts what the tests look at: the built headless engine with its window's port, on free ports, with its own
// user-data folder and a fresh sample repository. Whoever starts it closes it.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const root = path.resolve(import.meta.dirname, '../..');

export interface Addresses {
  /** Page for a browser, token included. */
  readonly window: string;
  /** "http://127.0.0.1:8000" */
  readonly http: string;
  /** "127.0.0.1:8001" */
  readonly grpc: string;
  readonly metrics: string;
}

export interface ServedApp extends AsyncDisposable {
  readonly addresses: Addresses;
  readonly userDataPath: string;
  /** The sample repository that is served. */
  readonly repositoryPath: string;
  /** Everything printed so far, for failure messages. */
  output(): string;
  /** Pid of the parent process. */
  readonly pid: number;
}

const LINE = /^\s*(Window|HTTP|gRPC|Metrics)\s+(\S+)$/;

async function readAddresses(child: ChildProcess, lines: string[]): Promise<Addresses> {
  const found = new Map<string, string>();
  const wanted = ['Window', 'HTTP', 'gRPC', 'Metrics'];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      const match = LINE.exec(line);
      if (match?.[1] !== undefined && match[2] !== undefined) found.set(match[1], match[2]);
      if (wanted.every((name) => found.has(name))) child.emit('addresses');
    });
  }
  const outcome = await Promise.race([
    once(child, 'addresses').then(() => 'ready' as const),
    once(child, 'exit').then(() => 'ended' as const),
  ]);
  if (outcome === 'ended') throw new Error(`the app ended before it listened:\n${lines.join('\n')}`);
  const get = (name: string): string => found.get(name) ?? '';
  return { window: get('Window'), http: get('HTTP'), grpc: get('gRPC'), metrics: get('Metrics') };
}

/** Arguments that keep an app away from the defaults of the machine. */
export function isolatedArguments(userDataPath: string): string[] {
  return ['--http-port=0', '--grpc-port=0', '--metrics-port=0', `--user-data=${userDataPath}`];
}

export async function serveApp(extraArguments: readonly string[] = []): Promise<ServedApp> {
  const userDataPath = await mkdtemp(path.join(os.tmpdir(), 'conch-e2e-'));
  const args = ['serve', '--ui', '--ui-port=0', ...isolatedArguments(userDataPath), ...extraArguments];
  const child = spawn(process.execPath, [path.join(root, 'bin/conch.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(userDataPath, { recursive: true, force: true });
  };
  try {
    const addresses = await readAddresses(child, lines);
    return {
      addresses,
      userDataPath,
      repositoryPath: path.join(userDataPath, 'samples'),
      output: () => lines.join('\n'),
      pid: child.pid ?? 0,
      [Symbol.asyncDispose]: stop,
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}
