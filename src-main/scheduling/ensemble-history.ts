// The latest requests of one ensemble and the steps they ran. Every request is recorded, and few records are ever looked
// at, so each is written over the oldest one: objects that outlive their request, made at the speed of requests, teach
// the garbage collector to take everything around them for long-lived.

import type { EnsembleRunRecord, EnsembleStepRecord } from '../inference/execution.ts';
import type { ModelUse } from '../inference/model-invoker.ts';

const LENGTH = 128;
/** Numbers of one step: its index, iteration, start and duration in ns, 1 = success. */
const STEP_FIELDS = 5;

/** What a run notes down while it goes on: the numbers of its steps, in order of their end. */
export class StepNotes {
  readonly #numbers: number[] = [];

  /** A step that has ended. Nanoseconds, `startNs` from the start of the request on. */
  add(stepIndex: number, iteration: number, startNs: number, durationNs: number, isSuccess: boolean): void {
    this.#numbers.push(stepIndex, iteration, startNs, durationNs, isSuccess ? 1 : 0);
  }

  /** Writes the notes over `target`. */
  copyTo(target: number[]): void {
    target.length = 0;
    for (const number of this.#numbers) target.push(number);
  }
}

/** One run of an ensemble, kept for the window; durations are nanoseconds, `error` is undefined when it succeeded. */
export interface FinishedRun {
  readonly startedWallMs: number;
  readonly durationNs: number;
  readonly responseCount: number;
  readonly error: string | undefined;
  readonly notes: StepNotes;
  /** By step index, as far as the run got. */
  readonly uses: readonly ModelUse[];
}

class Entry {
  atWallMs = 0;
  durationNs = 0;
  responseCount = 0;
  error: string | undefined;
  readonly steps: number[] = [];
  readonly modelNames: string[] = [];
  readonly modelVersions: string[] = [];

  write(run: FinishedRun): void {
    this.atWallMs = run.startedWallMs;
    this.durationNs = run.durationNs;
    this.responseCount = run.responseCount;
    this.error = run.error;
    run.notes.copyTo(this.steps);
    this.modelNames.length = run.uses.length;
    this.modelVersions.length = run.uses.length;
    run.uses.forEach((use, index) => {
      this.modelNames[index] = use.name;
      this.modelVersions[index] = use.version;
    });
  }

  read(): EnsembleRunRecord {
    const { atWallMs, durationNs, responseCount, error } = this;
    const steps: EnsembleStepRecord[] = [];
    for (let at = 0; at < this.steps.length; at += STEP_FIELDS) {
      const [stepIndex = 0, iteration = 0, startNs = 0, stepNs = 0, isSuccess = 0] = this.steps.slice(at);
      steps.push({
        stepIndex,
        modelName: this.modelNames[stepIndex] ?? '',
        modelVersion: this.modelVersions[stepIndex] ?? '',
        iteration,
        startNs,
        durationNs: stepNs,
        isSuccess: isSuccess === 1,
      });
    }
    return { atWallMs, durationNs, responseCount, error, steps };
  }
}

/** Keeps a fixed number of requests, the newest ones; times are in nanoseconds. */
export class EnsembleHistory {
  readonly #entries: Entry[] = [];
  #next = 0;

  /** Copies the run over the oldest one. */
  record(run: FinishedRun): void {
    const entry = (this.#entries[this.#next] ??= new Entry());
    entry.write(run);
    this.#next = (this.#next + 1) % LENGTH;
  }

  /** Oldest first. */
  toArray(): readonly EnsembleRunRecord[] {
    const isFull = this.#entries.length === LENGTH;
    const ordered = isFull
      ? [...this.#entries.slice(this.#next), ...this.#entries.slice(0, this.#next)]
      : this.#entries;
    return ordered.map((entry) => entry.read());
  }
}
