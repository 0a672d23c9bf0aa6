// One process of a model's instances: started, listened to, ended. Its own session and process group, so that what the
// model starts ends with it. It ends by itself when this process does (resources/python/conch_python/guard.py).
// Usually it runs one instance; it has a lane for each that it may run (host-lane.ts).
// Invariant: each lane is told once that it ended, after the last frame and the last line.

import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { HostChannel } from './host-channel.ts';
import { pythonHostErrors } from './host-errors.ts';
import { pythonFolder } from './host-files.ts';
import type { LaneListener, LaneOwner } from './host-lane.ts';
import { HostLane } from './host-lane.ts';
import { modelEnvironment } from './model-environment.ts';
import { PrintedLines } from './printed-lines.ts';
import type { PythonChoice } from './python-choice.ts';
import type { SharedFiles } from './shared-files.ts';
import { closeSharedFiles, openSharedFiles } from './shared-files.ts';
import { exitCodeText } from '../../base/exit-text.ts';

/** What a Python process is started with. */
export interface HostProcessOptions {
  readonly python: PythonChoice;
  /** Short name for messages of the system. */
  readonly label: string;
  readonly clock: Clock;
  /** How many instances it may run. */
  readonly laneCount: number;
  /** A line that the model printed. */
  readonly onLine: (stream: 'stdout' | 'stderr', line: string) => void;
}

/** Descriptors of the first lane in the child: its socket, its file with inputs, its file with outputs. */
const FIRST_DESCRIPTOR = 3;
const DESCRIPTORS_OF_LANE = 3;
/** After the process ended its pipes may be held open by others that it started. */
const PIPE_GRACE_MS = 200;

/**
 * Each lane takes one socket and two memory files that were made before the program started, so their number is
 * fixed.
 */
export class HostProcess implements LaneOwner {
  readonly #child: ChildProcess;
  readonly #exited = Promise.withResolvers<void>();
  readonly #clock: Clock;
  /** Of the lanes that were not opened yet. */
  readonly #unused: { readonly stream: Duplex; readonly files: SharedFiles }[];
  readonly #open = new Set<HostLane>();
  /** A clause, once it has ended: "exit code 1". */
  #how: string | undefined;
  #fault: string | undefined;

  private constructor(child: ChildProcess, files: readonly SharedFiles[], clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    this.#unused = files.map((each, index) => ({
      stream: child.stdio[FIRST_DESCRIPTOR + index * DESCRIPTORS_OF_LANE] as Duplex,
      files: each,
    }));
  }

  /** Rejects when the system cannot start the program. */
  static async start(options: HostProcessOptions): Promise<HostProcess> {
    const { python, laneCount } = options;
    const label = options.label.replaceAll(/\W+/g, '_').slice(0, 40);
    const files = await Promise.all(
      Array.from({ length: laneCount }, () => openSharedFiles(`${label}-${nextNumber()}`)),
    );
    const host = path.join(pythonFolder(), 'host.py');
    const lanes = files.flatMap(({ inputs, outputs }) => ['pipe' as const, inputs.fd, outputs.fd]);
    const child = spawn(python.program, [host, String(laneCount), String(process.pid)], {
      stdio: ['ignore', 'pipe', 'pipe', ...lanes],
      env: modelEnvironment(process.env, python.environment),
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const started = new HostProcess(child, files, options.clock);
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

  /** Takes a lane for an instance; undefined when all were taken, or the process has ended. */
  openLane(listener: LaneListener): HostLane | undefined {
    const next = this.#how === undefined ? this.#unused.shift() : undefined;
    if (next === undefined) return undefined;
    const { onFrame } = listener;
    const channel = new HostChannel({ ...next, onFrame, onFault: (thrown) => this.#misunderstood(thrown) });
    const lane = new HostLane(this, channel, listener.onExit);
    this.#open.add(lane);
    return lane;
  }

  /** Nobody uses the lane any more: the last one ends the process, which is waited for then. */
  async release(lane: HostLane): Promise<void> {
    this.#open.delete(lane);
    if (this.#open.size === 0) await this.kill();
    await lane.ended(this.#how ?? 'left its process, in which other instances go on');
  }

  /** Waits for its own end, but no longer than `graceMs`; then ends it. */
  async leave(graceMs: number): Promise<void> {
    const late = Promise.withResolvers<void>();
    const timer = this.#clock.after(graceMs, late.resolve);
    await Promise.race([this.#exited.promise, late.promise]);
    timer.cancel();
    await this.kill();
  }

  /** Ends the process and what it started, now. */
  async kill(): Promise<void> {
    if (this.#how === undefined) {
      this.#fault ??= 'ended by the server';
      this.#killGroup();
    }
    await this.#exited.promise;
  }

  /** Ends the process now; `fault` is a clause that says why. */
  fail(fault: string): void {
    this.#fault ??= fault;
    this.#killGroup();
  }

  /** Something of the model writes where only our host may: nothing it says can be relied on any more. */
  #misunderstood(thrown: unknown): void {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    this.fail(`ended, because it sent what is no message of a host: ${reason}`);
  }

  #listen({ clock, onLine }: HostProcessOptions): void {
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
      if (this.#how !== undefined) return;
      this.#how = how;
      this.#killGroup();
      const grace = new Promise<void>((resolve) => void clock.after(PIPE_GRACE_MS, resolve));
      void Promise.race([Promise.all(open), grace]).then(async () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        const unused = this.#unused.splice(0);
        await Promise.all([
          ...Array.from(this.#open, (lane) => lane.ended(how)),
          ...unused.map(({ files }) => closeSharedFiles(files)),
        ]);
        this.#open.clear();
        this.#exited.resolve();
      });
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) =>
      end(this.#fault ?? (signal === null ? exitCodeText(code) : signalClause(signal))),
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

/** SIGKILL leaves no trace of its own in the log of a model. */
function signalClause(signal: NodeJS.Signals): string {
  const cause = signal === 'SIGKILL' ? ': by hand, or by the system for want of memory' : '';
  return `signal ${signal}${cause}`;
}

let startedCount = 0;

function nextNumber(): number {
  startedCount += 1;
  return startedCount;
}
