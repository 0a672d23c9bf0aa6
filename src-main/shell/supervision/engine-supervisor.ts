// Keeps one engine process alive: starts it, remembers its ports and token, starts it again after a crash with growing
// pauses, and relays the children it asks for. Owns no socket and no window; both shells hand in how to fork.

import type { Clock, Timer } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import type { ProcessSpawner, SpawnedProcess } from '../../base/process-spawner.ts';
import type { EngineActivity } from './crash-blame.ts';
import type { CrashRecord } from './crash-record.ts';
import type { CrashView, FromEngine, ListeningPorts, OpenWork, ToEngine } from './engine-messages.ts';
import { countMemoryKills } from './memory-kills.ts';
import { crashesInARow, describeExit, judgeExit } from './restart-policy.ts';

const log = getLogger('supervisor');

/** A forked engine, in whichever way the shell forks. */
export interface EngineProcess {
  /** Goes nowhere when the process has ended. */
  send(message: ToEngine): void;
  /** In the order in which they were sent. */
  onMessage(listener: (message: FromEngine) => void): void;
  /** Called once. `undefined` for the code when a signal ended it, for the signal when it ended itself. */
  onExit(listener: (code: number | undefined, signal: string | undefined) => void): void;
  /** Ends it at once, whatever it does. */
  kill(): void;
}

/** How engines are started, and who hears of their ends. */
export interface SupervisorOptions {
  readonly clock: Clock;
  readonly record: CrashRecord;
  readonly args: readonly string[];
  readonly userDataPath: string;
  readonly token: string | undefined;
  /** What the engine's stop may take until it says so itself; default 30, as in the reference. */
  readonly exitTimeoutSec?: number;
  /** A new process each time, which waits for its start message. */
  readonly fork: () => EngineProcess;
  /** How often the system ended a process for want of memory; default: what Linux counts. */
  readonly memoryKills?: () => number | undefined;
  readonly spawnChild: ProcessSpawner['spawn'];
  /** The engine listens, for the first time or again. */
  readonly onListening?: (ports: ListeningPorts) => void;
  /** Once for each engine: all models of its start set were loaded, or could not be. */
  readonly onStartSetTried?: (work: OpenWork) => void;
  /** A new process took the place of an old one; shells hand their channels over again. */
  readonly onStarted?: (engine: EngineProcess) => void;
  /** The next engine starts in `restartInMs` milliseconds. */
  readonly onCrash?: (crash: CrashView, restartInMs: number) => void;
  /** The engine was asked to stop, did not end in `afterSec` seconds, and is killed. */
  readonly onOverdue?: (afterSec: number) => void;
}

/** Crashes in a row after which models are loaded one at a time, so that the next crash has one suspect. */
const CAREFUL_AFTER_CRASHES = 2;
const DEFAULT_EXIT_TIMEOUT_SEC = 30;
/** Beyond its exit timeout: an engine that works ends itself within it. */
const EXIT_GRACE_SEC = 5;
/** A killed process is given up after this time: the system cannot end one that waits for a device. */
const KILL_LIMIT_MS = 2000;
const NO_ACTIVITY: EngineActivity = { loading: [], executing: [] };

/**
 * One engine at a time. A crash is answered by a new engine after a pause; an end that was asked for is its own,
 * exit code included.
 */
export class EngineSupervisor {
  readonly #options: SupervisorOptions;
  readonly #children = new Map<number, SpawnedProcess>();
  readonly #crashes: CrashView[] = [];
  /** Model -> GPU provider that a session of it was last made with, in the engine that runs. */
  readonly #gpuProviders = new Map<string, string>();
  #engine: EngineProcess | undefined;
  #ports: ListeningPorts = {};
  #work: OpenWork | undefined;
  #activity: EngineActivity = NO_ACTIVITY;
  #startedAtMs = 0;
  /** As counted when the engine was started. */
  #memoryKills: number | undefined;
  #crashCount = 0;
  #isListening = false;
  #isStartSetTried = false;
  #isStopping = false;
  #isRestarting = false;
  #exitTimeoutSec: number;
  #pause: Timer | undefined;
  /** Runs from the first request to stop until the engine has ended. */
  #stopLimit: Timer | undefined;
  #end: (exitCode: number) => void = () => undefined;
  /** Exit code of the whole program, once the engine has ended for good. */
  readonly ended: Promise<number>;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#exitTimeoutSec = options.exitTimeoutSec ?? DEFAULT_EXIT_TIMEOUT_SEC;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Called once by whoever owns it; later engines start by themselves, with the ports and the work of before. */
  start(): void {
    const { clock, fork, args, userDataPath, token, record } = this.#options;
    this.#memoryKills = this.#countMemoryKills();
    const engine = fork();
    this.#engine = engine;
    this.#startedAtMs = clock.wallMs();
    this.#isListening = false;
    this.#isStartSetTried = false;
    this.#isRestarting = false;
    this.#activity = NO_ACTIVITY;
    this.#gpuProviders.clear();
    engine.onMessage((message) => this.#receive(message));
    engine.onExit((code, signal) => this.#noteExit(engine, code, signal));
    engine.send({
      type: 'start',
      args,
      userDataPath,
      token,
      ports: this.#ports,
      work: this.#work,
      quarantined: record.quarantined,
      leftOut: record.leftOut,
      isCareful: this.#crashCount >= CAREFUL_AFTER_CRASHES,
      crashes: this.#crashes,
    });
    this.#options.onStarted?.(engine);
  }

  /**
   * Asks the engine to drain and end, and kills it when it has not ended some time after its exit timeout; `ended` tells
   * when it has. During a restart pause there is nothing to drain.
   * `withinSec`: less than the exit timeout, for a session that ends; counts in a second call too.
   */
  stop(withinSec?: number): void {
    this.#isStopping = true;
    if (this.#pause !== undefined) {
      this.#pause.cancel();
      this.#end(0);
      return;
    }
    this.#stopEngine(withinSec);
  }

  #stopEngine(withinSec?: number): void {
    const engine = this.#engine;
    if (engine === undefined) return;
    engine.send(withinSec === undefined ? { type: 'stop' } : { type: 'stop', withinSec });
    const afterSec = Math.min(withinSec ?? Infinity, this.#exitTimeoutSec) + EXIT_GRACE_SEC;
    if (withinSec !== undefined) this.#stopLimit?.cancel();
    if (withinSec !== undefined || this.#stopLimit === undefined) {
      this.#stopLimit = this.#options.clock.after(afterSec * 1000, () => this.#kill(engine, afterSec));
    }
  }

  #kill(engine: EngineProcess, afterSec: number): void {
    this.#options.onOverdue?.(afterSec);
    this.#stopLimit = this.#options.clock.after(KILL_LIMIT_MS, () =>
      this.#noteExit(engine, undefined, 'SIGKILL'),
    );
    engine.kill();
  }

  #noteExit(engine: EngineProcess, code: number | undefined, signal: string | undefined): void {
    if (this.#engine !== engine) return;
    this.#engine = undefined;
    this.#stopLimit?.cancel();
    this.#stopLimit = undefined;
    void this.#handleExit(code, signal);
  }

  #receive(message: FromEngine): void {
    switch (message.type) {
      case 'listening':
        this.#ports = message.ports;
        this.#isListening = true;
        this.#options.onListening?.(message.ports);
        return;
      case 'work':
        this.#work = message.work;
        if (!this.#isStartSetTried) this.#options.onStartSetTried?.(message.work);
        this.#isStartSetTried = true;
        return;
      case 'restart':
        this.#ports = message.ports;
        this.#isRestarting = true;
        this.#stopEngine();
        return;
      case 'exit-timeout':
        this.#exitTimeoutSec = message.seconds;
        return;
      case 'activity':
        this.#activity = { loading: message.loading, executing: message.executing };
        return;
      case 'gpu-session':
        this.#gpuProviders.set(message.model, message.provider);
        return;
      case 'unquarantine':
        this.#options.record.release(message.model).catch((thrown: unknown) => {
          log.error(`crash record: ${String(thrown)}`);
        });
        return;
      case 'spawn':
        this.#spawn(message.childId, this.#options.spawnChild(message.args, message.file));
        return;
      case 'spawn-message':
        this.#children.get(message.childId)?.send(message.message);
        return;
      case 'spawn-kill':
        this.#children.get(message.childId)?.kill();
        return;
      case 'ending':
        return;
    }
  }

  #countMemoryKills(): number | undefined {
    return (this.#options.memoryKills ?? countMemoryKills)();
  }

  #ranOutOfMemory(): boolean | undefined {
    const now = this.#countMemoryKills();
    return now === undefined || this.#memoryKills === undefined ? undefined : now > this.#memoryKills;
  }

  #spawn(childId: number, child: SpawnedProcess): void {
    this.#children.set(childId, child);
    child.onMessage((message) => this.#engine?.send({ type: 'child-message', childId, message }));
    child.onExit((end) => {
      this.#children.delete(childId);
      this.#engine?.send({ type: 'child-exit', childId, end });
    });
  }

  /** They work for the engine alone, so the second call, by force, may follow at once. */
  #endChildren(): void {
    for (const child of this.#children.values()) {
      child.kill();
      child.kill();
    }
    this.#children.clear();
  }

  async #handleExit(code: number | undefined, signal: string | undefined): Promise<void> {
    this.#endChildren();
    if (this.#isRestarting && !this.#isStopping) {
      this.start();
      return;
    }
    const { clock, record } = this.#options;
    const exit = {
      code,
      signal,
      uptimeMs: clock.wallMs() - this.#startedAtMs,
      wasListening: this.#isListening,
      wasStopping: this.#isStopping,
    };
    const verdict = judgeExit(exit, this.#crashCount);
    if (verdict.action === 'end') {
      this.#end(verdict.exitCode);
      return;
    }
    this.#crashCount = crashesInARow(this.#crashCount, exit.uptimeMs);
    const detail = describeExit(exit);
    const atMs = clock.wallMs();
    const end = { code, signal, ranOutOfMemory: this.#ranOutOfMemory() };
    const crash = await record
      .add({ atMs, detail, end, activity: this.#activity, gpuProviders: this.#gpuProviders })
      .catch((): CrashView => ({ atMs, detail, model: undefined }));
    this.#crashes.push(crash);
    this.#options.onCrash?.(crash, verdict.delayMs);
    if (this.#isStopping) {
      this.#end(code ?? 1);
      return;
    }
    this.#pause = clock.after(verdict.delayMs, () => {
      this.#pause = undefined;
      this.start();
    });
  }
}
