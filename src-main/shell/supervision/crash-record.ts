// Remembers crashes of the engine and which model is held responsible, across restarts of the app. A model that crashed
// the engine is quarantined: shown, not loaded by itself, until the user loads it again.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { writeFileAtomic } from '../../base/atomic-file.ts';
import type { EngineActivity, EngineEnd } from './crash-blame.ts';
import { judgeEnd } from './crash-blame.ts';
import type { CrashView } from './engine-messages.ts';

const KEPT_CRASHES = 50;

export interface StoredCrash extends CrashView {
  /** Every model that could have been it. */
  readonly suspects: readonly string[];
  /** Every model that was loading or executing. */
  readonly active?: readonly string[];
}

interface Stored {
  readonly crashes: readonly StoredCrash[];
  readonly quarantined: Readonly<Record<string, string>>;
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
  async add(atMs: number, detail: string, end: EngineEnd, activity: EngineActivity): Promise<string> {
    const { suspects, culprit: model, innocent } = judgeEnd(end, activity, this.#crashes.at(-1));
    const active = [...activity.loading, ...activity.executing];
    this.#crashes = [...this.#crashes, { atMs, detail, model, suspects, active }].slice(-KEPT_CRASHES);
    if (innocent !== '') this.#quarantined.delete(innocent);
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
