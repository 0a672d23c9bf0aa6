// The server under attack: `conch serve --ui` as a user starts it, with all ports, over a repository of its own. Knows
// whether its engine is still the same process, answers with right values, wrote of an error that nobody caught, and
// what it holds of the system.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { writeSampleRepository } from '../../src-main/samples/sample-repository.ts';
import type { GrpcCaller } from '../../tests/conformance/checklist/grpc-caller.ts';
import { root } from '../bootstrap.mjs';
import { Health, type ServerAddress } from './health.ts';
import type { HttpCaller } from './http-caller.ts';
import type { Level } from './process-level.ts';
import { Inspector, systemLevel } from './process-level.ts';
import { victimModels } from './victim-models.ts';

const START_LIMIT_MS = 120_000;
const LOG_CHARACTERS = 60_000;
/** Lines of the log that tell of an error that no code expected. */
const UNCAUGHT =
  /^.*(?:Uncaught|Unhandled|FATAL ERROR|TypeError|RangeError|ReferenceError|SyntaxError: |AssertionError|ERR_[A-Z]+_|Segmentation|terminate called|The engine ended).*$/gm;

/** Where the attacked server listens. */
export type VictimPorts = Omit<ServerAddress, 'token'>;

/** Disposing ends the server and removes its folder. */
export class Victim implements AsyncDisposable {
  readonly ports: VictimPorts;
  readonly token: string;
  /** Holds everything: `models`, `data`, `outside`. */
  readonly folder: string;
  readonly http: HttpCaller;
  readonly grpc: GrpcCaller;
  readonly #health: Health;
  readonly #child: ChildProcess;
  readonly #log: ServerLog;
  #enginePid = 0;
  #inspectorUrl = '';

  private constructor(child: ChildProcess, log: ServerLog, folder: string, ports: VictimPorts) {
    this.#child = child;
    this.#log = log;
    this.folder = folder;
    this.ports = ports;
    this.token = /\?token=(\S+)/.exec(log.text)?.[1] ?? '';
    this.#health = new Health(this.address);
    this.http = this.#health.http;
    this.grpc = this.#health.grpc;
  }

  /** Resolves when the server is ready; rejects when it does not get there. */
  static async start(): Promise<Victim> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-attack-'));
    await mkdir(path.join(folder, 'models'));
    for (const [name, content] of Object.entries(victimModels())) {
      const file = path.join(folder, 'models', name);
      await mkdir(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
      if (!name.endsWith('/')) await writeFile(file, content);
    }
    await writeSampleRepository(path.join(folder, 'models'));
    await rm(path.join(folder, 'models', 'broken_dims'), { recursive: true });
    const child = spawn(process.execPath, victimArguments(folder), {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: {
        ...process.env,
        NODE_OPTIONS: '--inspect=127.0.0.1:0',
        XDG_DATA_HOME: path.join(folder, 'bin'),
        TMPDIR: path.join(folder, 'data'),
      },
    });
    process.once('exit', () => killGroup(child));
    const log = new ServerLog(child);
    const ports = await log.ports();
    const victim = new Victim(child, log, folder, ports);
    await victim.#findEngine();
    while ((await victim.http.get('/v2/health/ready')).status !== 200) await pause(100);
    return victim;
  }

  /** Ports of 127.0.0.1, and the token of the window's channel. */
  get address(): ServerAddress {
    return { ...this.ports, token: this.token };
  }

  /** Path of its model repository. */
  get models(): string {
    return path.join(this.folder, 'models');
  }

  /** Process id of the engine. */
  get pid(): number {
    return this.#enginePid;
  }

  /** The end of what it wrote. */
  get log(): string {
    return this.#log.text;
  }

  /** True when it ended, or its engine did and was started again. */
  get hasCrashed(): boolean {
    const hasEnded = this.#child.exitCode !== null || this.#child.signalCode !== null;
    return hasEnded || this.#log.starts > 1 || !existsSync(`/proc/${this.#enginePid}`);
  }

  /** Lines about errors that nobody caught, since the last call. */
  takeUncaught(): readonly string[] {
    return this.#log.takeUncaught();
  }

  /** What is wrong with its answers; undefined = every port answers in time and with the right values. */
  async sickness(): Promise<string | undefined> {
    if (this.hasCrashed) return `the engine has ended:\n${this.#log.text.slice(-3000)}`;
    return await this.#health.sickness();
  }

  /** From now on the engine measures for how long its event loop is held. */
  async watchLoop(): Promise<void> {
    await this.#inEngine(
      `(globalThis.conchLoop ??= process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 })).enable(); conchLoop.reset()`,
    );
  }

  /** Milliseconds for which the loop of the engine was held at the longest, since `watchLoop`. */
  async longestHoldMs(): Promise<number> {
    return Math.round(Number(await this.#inEngine('conchLoop.max')) / 1e6);
  }

  /** Of the engine's process, after a collection. */
  async level(): Promise<Level> {
    const held = systemLevel(this.#enginePid);
    const inspector = await Inspector.open(this.#inspectorUrl);
    const heapMiB = await inspector.heapMiB();
    inspector.close();
    return { ...held, heapMiB };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#health.close();
    this.#child.kill('SIGTERM');
    const ended = once(this.#child, 'exit');
    await Promise.race([ended, pause(40_000, undefined, { ref: false })]);
    killGroup(this.#child);
    await rm(this.folder, { recursive: true, force: true });
  }

  async #inEngine(expression: string): Promise<unknown> {
    const inspector = await Inspector.open(this.#inspectorUrl);
    const value = await inspector.evaluate(expression);
    inspector.close();
    return value;
  }

  /** Of the inspectors that announced themselves, the one of the engine. */
  async #findEngine(): Promise<void> {
    for (const url of this.#log.inspectors) {
      const inspector = await Inspector.open(url);
      const found = String(await inspector.evaluate('process.pid + " " + process.argv.join(" ")'));
      inspector.close();
      if (!found.includes('engine-process')) continue;
      this.#enginePid = Number.parseInt(found, 10);
      this.#inspectorUrl = url;
      return;
    }
    throw new Error('no engine among the processes of the server');
  }
}

function victimArguments(folder: string): readonly string[] {
  return [
    path.join(root, 'src-main/shell/headless/main.ts'),
    ...['serve', '--ui', '--ui-port=0', '--http-port=0', '--grpc-port=0', '--metrics-port=0'],
    `--model-repository=${path.join(folder, 'models')}`,
    `--user-data=${path.join(folder, 'data')}`,
    ...['--allow-client-shm=true', '--allow-gpu-metrics=false', '--log-info=false', '--exit-timeout-secs=5'],
  ];
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

/** What the processes of a server print: the end of it, and what was found in it. */
class ServerLog {
  text = '';
  /** How often the server said that it serves. */
  starts = 0;
  readonly inspectors: string[] = [];
  #rest = '';
  #uncaught: string[] = [];
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => this.#read(chunk.toString()));
    }
  }

  takeUncaught(): readonly string[] {
    const found = this.#uncaught;
    this.#uncaught = [];
    return found;
  }

  async ports(): Promise<VictimPorts> {
    for (let waitedMs = 0; this.starts === 0; waitedMs += 50) {
      if (this.#child.exitCode !== null || waitedMs > START_LIMIT_MS) {
        throw new Error(`the server did not start:\n${this.text}`);
      }
      await pause(50);
    }
    const port = (pattern: RegExp): number => Number(pattern.exec(this.text)?.[1]);
    return {
      http: port(/ HTTP +http:\/\/[^:]+:(\d+)/),
      grpc: port(/ gRPC +[^:]+:(\d+)/),
      metrics: port(/ Metrics +http:\/\/[^:]+:(\d+)/),
      ui: port(/ Window +http:\/\/[^:]+:(\d+)/),
    };
  }

  #read(chunk: string): void {
    const whole = this.#rest + chunk;
    const end = whole.lastIndexOf('\n') + 1;
    const lines = whole.slice(0, end);
    this.#rest = whole.slice(end);
    this.text = (this.text + lines).slice(-LOG_CHARACTERS);
    this.starts += lines.match(/^Conch is serving$/gm)?.length ?? 0;
    for (const [, url] of lines.matchAll(/^Debugger listening on (ws:\S+)$/gm))
      this.inspectors.push(url ?? '');
    for (const [line] of lines.matchAll(UNCAUGHT)) this.#uncaught.push(line.slice(0, 500));
  }
}
