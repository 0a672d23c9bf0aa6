// Remembers crashes of the engine and which model is held responsible, across restarts of the app. A model that crashed
// the engine is quarantined: shown, not loaded by itself, until the user loads it again.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { CrashView } from './engine-messages.ts';

const KEPT_CRASHES = 50;

export interface EngineActivity {
  readonly loading: readonly string[];
  readonly executing: readonly string[];
}

export interface StoredCrash extends CrashView {
  /** Every model that could have been it. */
  readonly suspects: readonly string[];
}

interface Stored {
  readonly crashes: readonly StoredCrash[];
  readonly quarantined: Readonly<Record<string, string>>;
}

/** Models that were in native code when the engine ended; loading is the likelier cause, so it goes first. */
export function suspectsOf(activity: EngineActivity): readonly string[] {
  return activity.loading.length > 0 ? activity.loading : activity.executing;
}

/** The one model to blame: the only suspect, or the only one that was a suspect the last time too; else "". */
export function culpritOf(suspects: readonly string[], previous: readonly string[]): string {
  const [only] = suspects;
  if (suspects.length === 1 && only !== undefined) return only;
  const again = suspects.filter((model) => previous.includes(model));
  return again.length === 1 ? (again[0] ?? '') : '';
}

export class CrashRecord {
  readonly #file: string;
  #crashes: StoredCrash[] = [];
  #quarantined = new Map<string, string>();

  private constructor(file: string) {
    this.#file = file;
  }

  /** A missing or damaged file is an empty record. */
  static async open(userDataPath: string): Promise<CrashRecord> {
    const record = new CrashRecord(path.join(userDataPath, 'crashes.json'));
    const text = await readFile(record.#file, 'utf8').catch(() => '');
    try {
      const stored = JSON.parse(text) as Stored;
      record.#crashes = [...stored.crashes];
      record.#quarantined = new Map(Object.entries(stored.quarantined));
    } catch {
      record.#crashes = [];
    }
    return record;
  }

  get crashes(): readonly StoredCrash[] {
    return this.#crashes;
  }

  get quarantined(): readonly (readonly [model: string, reason: string])[] {
    return [...this.#quarantined];
  }

  /** Stores a crash; returns the model that is quarantined for it, "" = none. */
  async add(atMs: number, detail: string, activity: EngineActivity): Promise<string> {
    const suspects = suspectsOf(activity);
    const model = culpritOf(suspects, this.#crashes.at(-1)?.suspects ?? []);
    this.#crashes = [...this.#crashes, { atMs, detail, model, suspects }].slice(-KEPT_CRASHES);
    if (model !== '') this.#quarantined.set(model, `the server process ended while it ran (${detail})`);
    await this.#save();
    return model;
  }

  async release(model: string): Promise<void> {
    if (this.#quarantined.delete(model)) await this.#save();
  }

  #save(): Promise<void> {
    const stored: Stored = { crashes: this.#crashes, quarantined: Object.fromEntries(this.#quarantined) };
    return writeFileAtomic(this.#file, `${JSON.stringify(stored, undefined, 2)}\n`);
  }
}
