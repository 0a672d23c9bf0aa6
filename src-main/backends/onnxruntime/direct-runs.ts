// The short runs of one session, taken past onnxruntime-node: a second session of the same file, called through the
// runtime's C interface. Only for files of which onnx/bounded-operators.ts knows that their work follows from the input shapes.
// Invariant: what it does not do, or fails at, the session itself does, as if this did not exist.

import { readFileSync } from 'node:fs';

import { DirectSession } from './direct-session.ts';
import type { BoundRun } from './direct-session.ts';
import { requireSameFile } from './file-stamp.ts';
import type { FileStamp } from './file-stamp.ts';
import { LayoutTimes } from './layout-times.ts';
import type { PreparedRun } from './prepared-run.ts';
import type { SessionSettings } from './session-messages.ts';

/** Binding costs as much as three runs save: for slots that are used again as they are. */
const RUNS_BEFORE_BINDING = 4;

/** The file as it was when it was examined, and what its sessions are opened with. */
export interface DirectRunsOptions {
  readonly path: string;
  readonly stamp: FileStamp;
  readonly settings: SessionSettings;
  /** For tests. */
  readonly open?: (model: Uint8Array, settings: SessionSettings) => DirectSession;
}

interface Bound {
  runCount: number;
  run: BoundRun | undefined;
}

/** Belongs to one session and is closed with it. */
export class DirectRuns {
  readonly #options: DirectRunsOptions;
  /** Of the session's own runs, and of those done here. */
  readonly #before = new LayoutTimes([]);
  readonly #times = new LayoutTimes([]);
  #session: DirectSession | undefined;
  #isOver = false;
  readonly #bound = new Map<PreparedRun, Bound>();

  constructor(options: DirectRunsOptions) {
    this.#options = options;
  }

  /** A run took so long that was done here, or by the session itself. */
  note(isDirect: boolean, runNs: number): void {
    if (this.#isOver) return;
    if (!isDirect) {
      if (this.#session === undefined) this.#before.note(runNs);
      return;
    }
    if (this.#options.settings.intraOpNumThreads === 1) return;
    // One thread may not be enough where the model has several.
    this.#times.note(runNs);
    if (this.#times.areLong) this.close();
  }

  /**
   * Does the run, over the outputs that it was given a place for; false where it does not. Opens its session, once 64 runs have
   * said that they are short.
   */
  run(prepared: PreparedRun): boolean {
    if (this.#isOver || prepared.placed === undefined) return false;
    if (this.#session === undefined && !this.#before.areShort) return false;
    try {
      this.#session ??= this.#open();
      const bound = this.#of(prepared);
      bound.runCount += 1;
      if (bound.runCount < RUNS_BEFORE_BINDING) return false;
      bound.run ??= this.#session.bind(prepared.feeds, prepared.placed);
      bound.run.run();
      return true;
    } catch {
      // No such interface here, a file that was changed, or outputs of other shapes.
      this.close();
      return false;
    }
  }

  /** The memory of a run is not used any more. */
  forget(prepared: PreparedRun): void {
    this.#bound.get(prepared)?.run?.release();
    this.#bound.delete(prepared);
  }

  /** Idempotent; nothing is done here any more. */
  close(): void {
    this.#isOver = true;
    for (const { run } of this.#bound.values()) run?.release();
    this.#bound.clear();
    this.#session?.close();
    this.#session = undefined;
  }

  #of(prepared: PreparedRun): Bound {
    const known = this.#bound.get(prepared);
    if (known !== undefined) return known;
    const made = { runCount: 0, run: undefined };
    this.#bound.set(prepared, made);
    return made;
  }

  #open(): DirectSession {
    const { path, stamp, settings, open } = this.#options;
    requireSameFile(path, stamp);
    const model = readFileSync(path);
    requireSameFile(path, stamp);
    return open === undefined ? new DirectSession(model, settings) : open(model, settings);
  }
}
