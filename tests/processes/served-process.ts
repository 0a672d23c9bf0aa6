// Real server processes for tests of how they end: started from the sources, watched, and killed with all of their
// children when a test is over.

import type { ChildProcess } from 'node:child_process';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { isRunning } from '../../src-main/testing/is-running.ts';
import { endlessModel } from '../../src-main/testing/onnx-test-models.ts';

const root = path.resolve(import.meta.dirname, '../..');
export const conchProgram = path.join(root, 'src-main/shell/headless/main.ts');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly afterMs: number;
}

export class ServerProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  #log = '';

  constructor(
    command: string,
    args: readonly string[],
    options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ) {
    // A group of its own, so that everything it started can be killed at the end.
    this.child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#log += chunk.toString()));
    }
  }

  /** `conch serve` with these arguments, on free ports. */
  static serve(...args: readonly string[]): ServerProcess {
    return new ServerProcess(process.execPath, [conchProgram, ...serveArguments(...args)]);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get log(): string {
    return this.#log;
  }

  /** Resolves with the first match in the output. */
  async printed(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(this.#log);
      if (match !== null) return match[1] ?? match[0];
      if (this.child.exitCode !== null) throw new Error(`ended before it printed ${pattern}:\n${this.#log}`);
      await pause(20);
    }
  }

  /** "127.0.0.1:port" once it serves. */
  http(): Promise<string> {
    return this.printed(/Started HTTPService at ([^"\s]+)/);
  }

  /** Ends by itself. */
  async ended(): Promise<Ended> {
    const startedAt = performance.now();
    const [code, signal] = (await once(this.child, 'close')) as [number | null, NodeJS.Signals | null];
    return { code, signal, afterMs: performance.now() - startedAt };
  }

  async kill(signal: NodeJS.Signals): Promise<Ended> {
    const sentAt = performance.now();
    this.child.kill(signal);
    const [code, by] = (await once(this.child, 'exit')) as [number | null, NodeJS.Signals | null];
    return { code, signal: by, afterMs: performance.now() - sentAt };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // Everything of it has ended.
    }
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.destroy();
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
  }
}

export function serveArguments(...args: readonly string[]): readonly string[] {
  return ['serve', '--http-port=0', '--grpc-port=0', '--metrics-port=0', ...args];
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Pid of the engine below a parent. */
export function enginePid(parent: number): number {
  const found = execFileSync('pgrep', ['-f', '-P', String(parent), 'engine-process'], { encoding: 'utf8' });
  return Number(found.trim());
}

/** Resolves once a process is gone; false when it is still there after `limitMs`. */
export async function hasGone(pid: number, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  while (isRunning(pid)) {
    if (performance.now() > until) return false;
    await pause(20);
  }
  return true;
}

export interface EndlessWorld extends AsyncDisposable {
  readonly folder: string;
  /** `--model-repository` of the model `endless`, and a user-data folder of its own. */
  readonly args: readonly string[];
}

/** A repository whose only model stays in native code for ever when it is asked below 0. */
export async function endlessWorld(): Promise<EndlessWorld> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-process-'));
  await mkdir(path.join(folder, 'models/endless/1'), { recursive: true });
  await writeFile(path.join(folder, 'models/endless/1/model.onnx'), endlessModel());
  return {
    folder,
    args: [`--model-repository=${path.join(folder, 'models')}`, `--user-data=${path.join(folder, 'data')}`],
    [Symbol.asyncDispose]: () =>
      rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }),
  };
}

/** One request; resolves with its status, or undefined when the connection ended without an answer. */
export async function infer(http: string, value: number): Promise<number | undefined> {
  const inputs = [{ name: 'INPUT', datatype: 'FP32', shape: [1], data: [value] }];
  const answer = await fetch(`http://${http}/v2/models/endless/infer`, {
    method: 'POST',
    body: JSON.stringify({ inputs }),
  }).catch(() => undefined);
  return answer?.status;
}

/** Gives the model, once it is ready, a request that never ends. */
export async function occupy(http: string): Promise<void> {
  while ((await infer(http, 1)) !== 200) await pause(50);
  void infer(http, -1);
  await pause(300);
}
