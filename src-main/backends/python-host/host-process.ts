// One process of a model instance: started, listened to, ended. Its own session and process group, so that what the
// model starts ends with it. It ends by itself when this process does (resources/python/conch_python/guard.py).
// Invariant: `onExit` is told exactly once, after the last frame and the last line.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { Frame } from './frames.ts';
import { HostChannel } from './host-channel.ts';
import { pythonHostErrors } from './host-errors.ts';
import { pythonFolder } from './host-files.ts';
import { modelEnvironment } from './model-environment.ts';
import { PrintedLines } from './printed-lines.ts';
import type { PythonChoice } from './python-choice.ts';
import { openSharedFiles } from './shared-files.ts';

export interface HostProcessOptions {
  readonly python: PythonChoice;
  /** Short name for messages of the system. */
  readonly label: string;
  readonly clock: Clock;
  readonly onFrame: (frame: Frame) => void | Promise<void>;
  /** A line that the model printed. */
  readonly onLine: (stream: 'stdout' | 'stderr', line: string) => void;
  /** `how` is a clause: "exit code 1", "signal SIGKILL". */
  readonly onExit: (how: string) => void;
}

/** Descriptors in the child: the channel, the file with inputs, the file with outputs. */
const CHANNEL = 3;
const INPUTS = 4;
const OUTPUTS = 5;
/** After the process ended its pipes may be held open by others that it started. */
const PIPE_GRACE_MS = 200;

export class HostProcess {
  readonly channel: HostChannel;
  readonly #child: ChildProcess;
  readonly #exited = Promise.withResolvers<void>();
  readonly #clock: Clock;
  #hasEnded = false;
  #fault: string | undefined;

  private constructor(child: ChildProcess, channel: HostChannel, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    this.channel = channel;
  }

  /** Rejects when the system cannot start the program. */
  static async start(options: HostProcessOptions): Promise<HostProcess> {
    const { python, onFrame } = options;
    const files = await openSharedFiles(
      `${options.label.replaceAll(/\W+/g, '_').slice(0, 40)}-${nextNumber()}`,
    );
    const host = path.join(pythonFolder(), 'host.py');
    const child = spawn(
      python.program,
      [host, String(CHANNEL), String(INPUTS), String(OUTPUTS), String(process.pid)],
      {
        stdio: ['ignore', 'pipe', 'pipe', 'pipe', files.inputs.fd, files.outputs.fd],
        env: modelEnvironment(process.env, python.environment),
        detached: process.platform !== 'win32',
        windowsHide: true,
      },
    );
    const started: HostProcess = new HostProcess(
      child,
      new HostChannel({
        stream: child.stdio[CHANNEL] as Duplex,
        files,
        onFrame,
        onFault: (thrown) => started.#misunderstood(thrown),
      }),
      options.clock,
    );
    started.#listen(options);
    try {
      await once(child, 'spawn');
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw pythonHostErrors.notStarted({ reason }, { cause: thrown });
    }
    return started;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves when the process is gone and everything of it was told. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  /** Waits for its own end, but no longer than `graceMs`; then ends it. */
  async leave(graceMs: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = this.#clock.after(graceMs, late.resolve);
    await Promise.race([this.exited, late.promise]);
    timer.cancel();
    await this.kill();
  }

  /** Ends the process and what it started, now. */
  async kill(): Promise<void> {
    this.#killGroup();
    await this.#exited.promise;
  }

  /** Something of the model writes where only our host may: nothing it says can be relied on any more. */
  #misunderstood(thrown: unknown): void {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    this.#fault = `ended, because it sent what is no message of a host: ${reason}`;
    this.#killGroup();
  }

  #listen({ clock, onLine, onExit }: HostProcessOptions): void {
    const child = this.#child;
    const open: Promise<unknown>[] = [];
    for (const name of ['stdout', 'stderr'] as const) {
      const lines = new PrintedLines(clock, (line) => onLine(name, line));
      child[name]?.on('data', (chunk: Buffer) => lines.push(chunk));
      open.push(
        new Promise<void>((resolve) =>
          child[name]?.once('close', () => {
            lines.end();
            resolve();
          }),
        ),
      );
    }
    const end = (how: string): void => {
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      this.#killGroup();
      const grace = new Promise<void>((resolve) => void clock.after(PIPE_GRACE_MS, resolve));
      void Promise.race([Promise.all(open), grace]).then(async () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        onExit(how);
        await this.channel.close();
        this.#exited.resolve();
      });
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) =>
      end(this.#fault ?? (signal === null ? `exit code ${code}` : `signal ${signal}`)),
    );
  }

  #killGroup(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#child.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
}

let startedCount = 0;

function nextNumber(): number {
  startedCount += 1;
  return startedCount;
}
