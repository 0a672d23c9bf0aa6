// One plan in a load-generator process: starts it, forwards what it tells, ends with its result however it ends.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel, PerfProgress } from '../../../src-shared/contract/perf-views.ts';
import { errorFromWire } from '../../../src-shared/errors.ts';
import type { ProcessSpawner, SpawnedProcess } from '../../base/process-spawner.ts';
import type { FromGenerator, ToGenerator } from '../process/perf-messages.ts';
import { PERF_PROCESS_COMMAND } from '../process/perf-messages.ts';
import { perfRunErrors } from './run-errors.ts';

/** Called in the order `prepared`, then progress and levels as they come; nothing after the run's end. */
export interface GeneratorListener {
  /** Once, when the generator has read the data and knows the server's name. */
  prepared(serverName: string): void;
  /** While a level goes on, at most four times a second. */
  progress(progress: Omit<PerfProgress, 'runId'>): void;
  /** Once per level that ended, with its final numbers. */
  level(level: PerfLevel): void;
}

/** The file that every request is written to. */
export interface RequestsFile {
  /** Where every request is written to; undefined = nowhere. */
  readonly file: string | undefined;
  /** Of this program, as the file names it. */
  readonly version: string;
}

const NO_REQUESTS: RequestsFile = { file: undefined, version: '' };

/** Starts the process when it is made. `done` settles once, whatever becomes of the process. */
export class GeneratorRun {
  readonly #process: SpawnedProcess;
  /** Warnings about fairness. Rejects with what the generator failed with, INTERNAL when its process ended. */
  readonly done: Promise<readonly string[]>;
  #hasEnded = false;

  constructor(spawner: ProcessSpawner, plan: PerfPlan, listener: GeneratorListener, requests = NO_REQUESTS) {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    this.done = promise.finally(() => {
      this.#hasEnded = true;
    });
    this.#process = spawner.spawn([PERF_PROCESS_COMMAND]);
    this.#process.onExit(({ detail }) => {
      reject(perfRunErrors.generatorEnded({ detail }));
    });
    this.#process.onMessage((message) => {
      const received = message as FromGenerator;
      switch (received.type) {
        case 'ready':
          this.#send({ type: 'start', plan, requestsFile: requests.file, version: requests.version });
          return;
        case 'prepared':
          listener.prepared(received.serverName);
          return;
        case 'progress':
          listener.progress(received.progress);
          return;
        case 'level':
          listener.level(received.level);
          return;
        case 'done':
          this.#send({ type: 'end' });
          resolve(received.warnings);
          return;
        case 'failed':
          this.#send({ type: 'end' });
          reject(errorFromWire(received.error));
          return;
      }
    });
  }

  /** Holds the level that is measured, or goes on with it. */
  pause(isPaused: boolean): void {
    this.#send({ type: 'pause', isPaused });
  }

  /** Ends the level that is measured; the next one follows. */
  skip(): void {
    this.#send({ type: 'skip' });
  }

  /** The level that goes on ends with what it has. */
  stop(): void {
    this.#send({ type: 'stop' });
  }

  /** Ends the process without waiting for anything. */
  kill(): void {
    if (!this.#hasEnded) this.#process.kill();
  }

  #send(message: ToGenerator): void {
    this.#process.send(message);
  }
}
