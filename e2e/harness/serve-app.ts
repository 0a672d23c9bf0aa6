// Starts what the tests look at: the built headless engine with its window's port, on free ports, with a user-data
// folder of its own. Whoever starts it closes it.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { keepSamples } from './fixture-models.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Where the app listens, as it printed it. Reading one that is not printed throws: a port problem keeps the endpoints closed. */
export interface Addresses {
  /** Page for a browser, token included. */
  readonly window: string;
  /** "http://127.0.0.1:8000" */
  readonly http: string;
  /** "http://127.0.0.1:8002/metrics" */
  readonly metrics: string;
}

/** A running engine; disposing of it ends it. */
export interface ServedApp extends AsyncDisposable {
  /** As printed last. */
  readonly addresses: Addresses;
  readonly userDataPath: string;
  /** The sample repository, served when the arguments name no other. */
  readonly repositoryPath: string;
  /** Everything printed so far, for failure messages. */
  output(): string;
  /** Pid of the parent process. */
  readonly pid: number;
}

/** How the engine is started. */
export interface ServeOptions {
  /** Further arguments of `serve`. */
  readonly args?: readonly string[];
  /** Folder of an earlier run, which is kept; default: a fresh one, removed at the end. */
  readonly userDataPath?: string;
  /** The samples that its user kept at an earlier start; default: there was none, so it writes and loads all of them. */
  readonly samples?: readonly string[];
  /** Open before the tests begin; false where the ports are expected to be taken. */
  readonly waitsForEndpoints?: boolean;
  /** Port of the window; default: a free one. */
  readonly uiPort?: number;
  /** Further variables of its environment, which its own processes inherit. */
  readonly env?: Readonly<Record<string, string>>;
}

const LINE = /^\s*(Window|HTTP|gRPC|Metrics)\s+(\S+)$/;

/** Follows the printed addresses; resolves once the wanted ones are there. */
async function followAddresses(
  child: ChildProcess,
  lines: string[],
  wanted: readonly string[],
): Promise<() => Addresses> {
  const found = new Map<string, string>();
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
  const get = (name: string): string => {
    const address = found.get(name);
    if (address === undefined) throw new Error(`the app printed no address of ${name}:\n${lines.join('\n')}`);
    return address;
  };
  return () => ({
    get window() {
      return get('Window');
    },
    get http() {
      return get('HTTP');
    },
    get metrics() {
      return get('Metrics');
    },
  });
}

/** Arguments that keep an app away from the defaults of the machine; `args` come last, so they count. */
export function isolatedArguments(userDataPath: string, args: readonly string[] = []): string[] {
  const free = ['http', 'grpc', 'metrics']
    .map((name) => `--${name}-port`)
    .filter((flag) => !args.some((argument) => argument.startsWith(flag)))
    .map((flag) => `${flag}=0`);
  return [...free, `--user-data=${userDataPath}`, ...args];
}

/** Whoever asks for it removes it. */
export function newUserDataFolder(): Promise<string> {
  return mkdtemp(path.join(os.tmpdir(), 'conch-e2e-'));
}

/** Once the processes that write to it have ended. */
export async function removeUserDataFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** Where an app keeps the samples. */
export function sampleFolder(userDataPath: string): string {
  return path.join(userDataPath, 'samples');
}

/** Resolves when the window's address was printed; rejects with what was printed when the engine ends instead. */
export async function serveApp(options: ServeOptions = {}): Promise<ServedApp> {
  const userDataPath = options.userDataPath ?? (await newUserDataFolder());
  if (options.samples !== undefined) await keepSamples(sampleFolder(userDataPath), options.samples);
  const args = [
    'serve',
    '--ui',
    `--ui-port=${options.uiPort ?? 0}`,
    ...isolatedArguments(userDataPath, options.args),
  ];
  const child = spawn(process.execPath, [path.join(root, 'bin/conch.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // With a bin of its own: what a test moves there stays out of the user's.
    env: { ...process.env, XDG_DATA_HOME: path.join(userDataPath, 'xdg-data'), ...options.env },
  });
  const lines: string[] = [];
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    if (options.userDataPath === undefined) await removeUserDataFolder(userDataPath);
  };
  try {
    const wanted = options.waitsForEndpoints === false ? ['Window'] : ['Window', 'HTTP', 'gRPC'];
    const addresses = await followAddresses(child, lines, wanted);
    return {
      get addresses() {
        return addresses();
      },
      userDataPath,
      repositoryPath: sampleFolder(userDataPath),
      output: () => lines.join('\n'),
      pid: child.pid ?? 0,
      [Symbol.asyncDispose]: stop,
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}
