// Remembers crashes of the engine and which model is held responsible, across restarts of the app. A model that crashed
// the engine is quarantined: shown, not loaded by itself, until the user loads it again.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { EngineActivity, EngineEnd } from './crash-blame.ts';
import { judgeEnd } from './crash-blame.ts';
import type { CrashView, LeftOut } from './engine-messages.ts';

const KEPT_CRASHES = 50;

/** A crash as `crashes.json` keeps it. */
export interface StoredCrash extends CrashView {
  /** Every model that could have been it. */
  readonly suspects: readonly string[];
  /** Every model that was loading or executing. */
  readonly active?: readonly string[];
}

/** An end of the engine, as its parent saw it. */
interface CrashReport {
  readonly atMs: number;
  /** How it ended, in words. */
  readonly detail: string;
  readonly end: EngineEnd;
  readonly activity: EngineActivity;
  /** Model -> the GPU provider that it ran through; models on the CPU are missing. */
  readonly gpuProviders: ReadonlyMap<string, string>;
}

interface Stored {
  readonly crashes: readonly StoredCrash[];
  readonly quarantined: Readonly<Record<string, string>>;
  /** Absent in records of older versions. */
  readonly leftOut?: readonly LeftOut[];
}

/** In `crashes.json` of the user-data folder; each change is written before it resolves. */
export class CrashRecord {
  readonly #file: string;
  #crashes: StoredCrash[] = [];
  #quarantined = new Map<string, string>();
  #leftOut: LeftOut[] = [];

  private constructor(file: string) {
    this.#file = file;
  }

  /** A missing or damaged file is an empty record. */
  static async open(userDataPath: string): Promise<CrashRecord> {
    const record = new CrashRecord(path.join(userDataPath, 'crashes.json'));
    const text = await readFile(record.#file, 'utf8').catch(() => '');
    try {
      const stored = JSON.parse(text) as Stored;
      // Older versions wrote "" where no model was to blame.
      record.#crashes = stored.crashes.map((crash) => ({ ...crash, model: crash.model || undefined }));
      record.#quarantined = new Map(Object.entries(stored.quarantined));
      record.#leftOut = [...(stored.leftOut ?? [])];
    } catch {
      record.#crashes = [];
    }
    return record;
  }

  /** In the order in which they happened; old ones are dropped. */
  get crashes(): readonly StoredCrash[] {
    return this.#crashes;
  }

  /** Models that are not loaded by themselves, with the reason to show. */
  get quarantined(): readonly (readonly [model: string, reason: string])[] {
    return [...this.#quarantined];
  }

  /** GPU providers that are not tried, with the reason. */
  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /**
   * Stores a crash; returns it with the model that is held responsible for it. Where that ran through a GPU provider, the
   * provider is left out for it from now on; otherwise, or when it crashes without it too, the model is quarantined.
   */
  async add({ atMs, detail, end, activity, gpuProviders }: CrashReport): Promise<CrashView> {
    const { suspects, culprit: model, innocent } = judgeEnd(end, activity, this.#crashes.at(-1));
    const active = [...activity.loading, ...activity.executing];
    this.#crashes = [...this.#crashes, { atMs, detail, model, suspects, active }].slice(-KEPT_CRASHES);
    if (innocent !== undefined) this.#quarantined.delete(innocent);
    const leftOut = model === undefined ? undefined : this.#hold(model, gpuProviders.get(model), detail);
    await this.#save();
    return { atMs, detail, model, ...(leftOut === undefined ? {} : { leftOut }) };
  }

  /** The provider that is left out for the model from now on; undefined = the model is quarantined. */
  #hold(model: string, provider: string | undefined, detail: string): string | undefined {
    if (provider !== undefined && !this.#isLeftOut(model, provider)) {
      const reason = `the server process ended while it ran this model (${detail})`;
      this.#leftOut.push({ model, provider, reason });
      return provider;
    }
    this.#quarantined.set(model, `the server process ended while it ran (${detail})`);
    return undefined;
  }

  /** Ends the quarantine of the model. Does nothing for one that is not in it. */
  async release(model: string): Promise<void> {
    if (this.#quarantined.delete(model)) await this.#save();
  }

  #isLeftOut(model: string, provider: string): boolean {
    return this.#leftOut.some((entry) => entry.model === model && entry.provider === provider);
  }

  #save(): Promise<void> {
    const stored: Stored = {
      crashes: this.#crashes,
      quarantined: Object.fromEntries(this.#quarantined),
      leftOut: this.#leftOut,
    };
    return writeFileAtomic(this.#file, `${JSON.stringify(stored, undefined, 2)}\n`);
  }
}
