// The app's settings and the window's layout on disk, below the user-data folder. The engine owns them in both shells.
// A damaged file is kept aside and defaults are used; it never stops the start. What somebody writes into the file while the
// app runs counts from the next time that settings are read or written.

import { createHash } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';

import type { SettingsView } from '../../../src-shared/contract/observe-views.ts';
import type { SettingValue } from '../../../src-shared/contract/setting-definition.ts';
import { writeFileAtomic } from '../../base/atomic-file.ts';
import { getLogger } from '../../base/log.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { settingFault } from '../../options/setting-definition.ts';
import { settingDefinition, SETTINGS } from './settings-table.ts';
import { settingsErrors } from './settings-errors.ts';

const log = getLogger('settings');

/**
 * An option of the command line goes before the file, and the page is told so. Writes are complete files, one
 * after the other.
 */
export class SettingsStore {
  readonly #folder: string;
  readonly #file: string;
  readonly #writes = new SerialQueue();
  #values: Readonly<Record<string, SettingValue>> = {};
  #valuesAtStart: Readonly<Record<string, SettingValue>> = {};
  #flags: ReadonlyMap<string, string> = new Map();
  /** Of the file as it was read or written last; undefined = there was none. */
  #text: string | undefined;

  constructor(userDataPath: string) {
    this.#folder = userDataPath;
    this.#file = path.join(userDataPath, 'settings.json');
  }

  /** Reads the file; unknown keys and values that do not fit are left out with a warning. */
  async load(): Promise<void> {
    this.#values = (await this.#editedValues()) ?? {};
    this.#valuesAtStart = this.#values;
  }

  /** Takes over what was written into the file by hand since; the keys whose value is another now. */
  takeEdits(): Promise<readonly string[]> {
    return this.#writes.run('settings', async () => {
      const before = this.#values;
      this.#values = (await this.#editedValues()) ?? before;
      return changedKeys(before, this.#values);
    });
  }

  /** Values of a file that is not as it was read or written last; undefined = it is, or cannot be read. */
  async #editedValues(): Promise<Readonly<Record<string, SettingValue>> | undefined> {
    const text = await readFile(this.#file, 'utf8').catch(() => undefined);
    if (text === undefined || text === this.#text) return undefined;
    const stored = await this.#readJson(text);
    if (stored === undefined) return undefined;
    this.#text = text;
    const kept: Record<string, SettingValue> = {};
    for (const [key, value] of Object.entries(stored)) {
      const setting = settingDefinition(key);
      const fault = setting === undefined ? `unknown setting '${key}'` : settingFault(setting, value);
      if (fault === undefined) kept[key] = value as SettingValue;
      else log.warn(`ignored in ${this.#file}: ${fault}`);
    }
    return kept;
  }

  /** Setting -> option of the command line that outranks it in this run. */
  noteFlags(flags: ReadonlyMap<string, string>): void {
    this.#flags = flags;
  }

  /** The default where the file has none. NOT_FOUND for a key that is no setting. */
  get(key: string): SettingValue {
    const setting = settingDefinition(key);
    if (setting === undefined) throw settingsErrors.unknown({ key });
    return this.#values[key] ?? setting.defaultValue;
  }

  /** True when the user gave this setting a value. */
  isChanged(key: string): boolean {
    return this.#values[key] !== undefined;
  }

  /** `isPending`: it was changed since the start and counts from the next one on. */
  view(): SettingsView {
    return {
      path: this.#file,
      settings: SETTINGS.map((setting) => {
        const { key, needsRestart, defaultValue } = setting;
        const value = this.get(key);
        const flag = this.#flags.get(key);
        const valueAtStart = this.#valuesAtStart[key] ?? defaultValue;
        return {
          ...setting,
          value,
          flag,
          isPending: needsRestart && flag === undefined && value !== valueAtStart,
        };
      }),
    };
  }

  /**
   * Null resets. All or nothing: INVALID_ARG names the first value that does not fit. What was written into the file by
   * hand stays, but for these keys; resolves with all keys whose value is another now, and those of `changes`.
   */
  async write(changes: Readonly<Record<string, SettingValue | null>>): Promise<readonly string[]> {
    for (const [key, value] of Object.entries(changes)) {
      const setting = settingDefinition(key);
      if (setting === undefined) throw settingsErrors.unknown({ key });
      const fault = value === null ? undefined : settingFault(setting, value);
      if (fault !== undefined) throw settingsErrors.badValue({ reason: fault });
    }
    return this.#writes.run('settings', async () => {
      const before = this.#values;
      const next: Record<string, SettingValue> = { ...((await this.#editedValues()) ?? before) };
      for (const [key, value] of Object.entries(changes)) {
        if (value === null || value === settingDefinition(key)?.defaultValue)
          Reflect.deleteProperty(next, key);
        else next[key] = value;
      }
      const text = `${JSON.stringify(next, null, 2)}\n`;
      await writeFileAtomic(this.#file, text);
      // What could not be kept is not in force either: the window says that it was refused.
      this.#text = text;
      this.#values = next;
      return [...new Set([...Object.keys(changes), ...changedKeys(before, next)])];
    });
  }

  /** JSON as the page wrote it last, or no characters at all. */
  async readLayout(key: string): Promise<string> {
    try {
      return await readFile(this.#layoutFile(key), 'utf8');
    } catch {
      return '';
    }
  }

  /** Replaces the file whole; writes of one key come one after the other. */
  async writeLayout(key: string, json: string): Promise<void> {
    await this.#writes.run(key, () => writeFileAtomic(this.#layoutFile(key), json));
  }

  #layoutFile(key: string): string {
    return path.join(
      this.#folder,
      'layouts',
      `${createHash('sha256').update(key).digest('hex').slice(0, 16)}.json`,
    );
  }

  /** Undefined = damaged; it was kept aside. */
  async #readJson(text: string): Promise<Record<string, unknown> | undefined> {
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>;
      throw new Error('not a JSON object');
    } catch (thrown) {
      const aside = `${this.#file}.damaged`;
      await rename(this.#file, aside).catch(() => undefined);
      const used = this.#text === undefined ? 'defaults are used' : 'the settings stay as they were';
      log.warn(`${this.#file} cannot be read (${String(thrown)}); it was kept as ${aside} and ${used}`);
      return undefined;
    }
  }
}

function changedKeys(
  before: Readonly<Record<string, SettingValue>>,
  after: Readonly<Record<string, SettingValue>>,
): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
}
