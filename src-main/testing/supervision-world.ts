// The supervisor with engines that do as they are told, a clock moved by hand, and a folder of its own.

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';

import { CrashRecord } from '../shell/supervision/crash-record.ts';
import type { CrashView, FromEngine, ToEngine } from '../shell/supervision/engine-messages.ts';
import type { EngineProcess, SupervisorOptions } from '../shell/supervision/engine-supervisor.ts';
import { EngineSupervisor } from '../shell/supervision/engine-supervisor.ts';
import { FakeClock } from './fake-clock.ts';

/** An engine's process as the supervisor sees it: a test says and ends what it likes. */
export class FakeEngine implements EngineProcess {
  readonly sent: ToEngine[] = [];
  /** A message from the engine; does nothing until the supervisor listens. */
  say: (message: FromEngine) => void = () => undefined;
  /** The engine ends, by an exit code or a signal; does nothing until the supervisor listens. */
  exit: (code: number | undefined, signal: string | undefined) => void = () => undefined;

  send(message: ToEngine): void {
    this.sent.push(message);
  }

  onMessage(listener: (message: FromEngine) => void): void {
    this.say = listener;
  }

  onExit(listener: (code: number | undefined, signal: string | undefined) => void): void {
    this.exit = listener;
  }

  kill(): void {
    this.exit(undefined, 'SIGKILL');
  }
}

/** Call `close` at the end. */
export class SupervisionWorld {
  readonly clock = new FakeClock();
  /** Every engine that was started, the running one last. */
  readonly engines: FakeEngine[] = [];
  readonly crashes: CrashView[] = [];
  /** Where the record of crashes is kept. */
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** With a folder of its own; no engine is started yet. */
  static async create(): Promise<SupervisionWorld> {
    return new SupervisionWorld(await mkdtemp(path.join(os.tmpdir(), 'conch-supervisor-')));
  }

  /** A supervisor that has started its first engine. */
  async supervise(extra: Partial<SupervisorOptions> = {}): Promise<EngineSupervisor> {
    const supervisor = new EngineSupervisor({
      clock: this.clock,
      record: await CrashRecord.open(this.folder),
      args: ['--ui'],
      userDataPath: this.folder,
      token: 'secret',
      fork: () => {
        const engine = new FakeEngine();
        this.engines.push(engine);
        return engine;
      },
      spawnChild: () => {
        throw new Error('no child expected');
      },
      onCrash: (crash) => this.crashes.push(crash),
      ...extra,
    });
    supervisor.start();
    return supervisor;
  }

  /** Ends the running engine by a signal or with an exit code, and lets the restart pause pass. */
  async crash(end: string | number = 'SIGSEGV'): Promise<void> {
    const seen = this.crashes.length;
    if (typeof end === 'number') this.engines.at(-1)?.exit(end, undefined);
    else this.engines.at(-1)?.exit(undefined, end);
    await vi.waitFor(() => expect(this.crashes).toHaveLength(seen + 1));
    const started = this.engines.length;
    await this.clock.advance(30_000);
    expect(this.engines).toHaveLength(started + 1);
  }

  /** Removes the folder; end the supervisor first. */
  async close(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
