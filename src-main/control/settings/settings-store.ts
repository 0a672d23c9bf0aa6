// The app's settings and the window's layout on disk, below the user-data folder. The engine owns them in both shells.
// A damaged file is kept aside and defaults are used; it never stops the start.

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

  constructor(userDataPath: string) {
    this.#folder = userDataPath;
    this.#file = path.join(userDataPath, 'settings.json');
  }

  /** Reads the file; unknown keys and values that do not fit are left out with a warning. */
  async load(): Promise<void> {
    const stored = await this.#readJson(this.#file);
    const kept: Record<string, SettingValue> = {};
    for (const [key, value] of Object.entries(stored)) {
      const setting = settingDefinition(key);
      const fault = setting === undefined ? `unknown setting '${key}'` : settingFault(setting, value);
      if (fault === undefined) kept[key] = value as SettingValue;
      else log.warn(`ignored in ${this.#file}: ${fault}`);
    }
    this.#values = kept;
    this.#valuesAtStart = kept;
  }

  /** Setting -> option of the command line that outranks it in this run. */
  noteFlags(flags: ReadonlyMap<string, string>): void {
    this.#flags = flags;
  }

  get(key: string): SettingValue {
    const setting = settingDefinition(key);
    if (setting === undefined) throw settingsErrors.unknown({ key });
    return this.#values[key] ?? setting.defaultValue;
  }

  /** True when the user gave this setting a value. */
  isChanged(key: string): boolean {
    return this.#values[key] !== undefined;
  }

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

  /** Null resets. All or nothing: INVALID_ARG names the first value that does not fit. */
  async write(changes: Readonly<Record<string, SettingValue | null>>): Promise<void> {
    for (const [key, value] of Object.entries(changes)) {
      const setting = settingDefinition(key);
      if (setting === undefined) throw settingsErrors.unknown({ key });
      const fault = value === null ? undefined : settingFault(setting, value);
      if (fault !== undefined) throw settingsErrors.badValue({ reason: fault });
    }
    await this.#writes.run('settings', async () => {
      const next: Record<string, SettingValue> = { ...this.#values };
      for (const [key, value] of Object.entries(changes)) {
        if (value === null || value === settingDefinition(key)?.defaultValue)
          Reflect.deleteProperty(next, key);
        else next[key] = value;
      }
      await writeFileAtomic(this.#file, `${JSON.stringify(next, null, 2)}\n`);
      // What could not be kept is not in force either: the window says that it was refused.
      this.#values = next;
    });
  }

  async readLayout(key: string): Promise<string> {
    try {
      return await readFile(this.#layoutFile(key), 'utf8');
    } catch {
      return '';
    }
  }

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

  async #readJson(file: string): Promise<Record<string, unknown>> {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch {
      return {};
    }
    try {
      const value: unknown = JSON.parse(text);
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>;
      throw new Error('not a JSON object');
    } catch (thrown) {
      const aside = `${file}.damaged`;
      await rename(file, aside).catch(() => undefined);
      log.warn(`${file} cannot be read (${String(thrown)}); it was kept as ${aside} and defaults are used`);
      return {};
    }
  }
}
