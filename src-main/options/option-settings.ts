// The settings of the window that stand for options: what they are, what they make of the engine's options where the
// command line is silent, and which of them have no say.

import type { SettingDefinition, SettingValue } from '../../src-shared/contract/setting-definition.ts';
import type { EngineOptions } from './engine-options.ts';
import type { OptionSetting } from './option-definition.ts';
import { SERVER_OPTIONS } from './option-table.ts';

interface OptionOfSetting {
  readonly option: string;
  readonly setting: OptionSetting;
}

/** By key of the setting, with the options that outrank it; the first one declares what it does. */
const BY_KEY = new Map<string, [OptionOfSetting, ...OptionOfSetting[]]>();
for (const { name: option, settings = [] } of SERVER_OPTIONS) {
  for (const setting of settings) {
    const known = BY_KEY.get(setting.definition.key);
    if (known === undefined) BY_KEY.set(setting.definition.key, [{ option, setting }]);
    else known.push({ option, setting });
  }
}

/** One for each setting that stands for an option, in the order of the options. */
export const OPTION_SETTINGS: readonly SettingDefinition[] = [...BY_KEY.values()].map(
  ([{ setting }]) => setting.definition,
);

/** The settings as the user left them. */
export interface StoredSettings {
  /** The default where the user gave none. Throws for a key that is no setting. */
  get(key: string): SettingValue;
  /** True when the user gave this setting a value. */
  isChanged(key: string): boolean;
}

/** Flag, then file, then default. `given` = names of the options on the command line that made `engine`. */
export function applySettings(
  engine: EngineOptions,
  given: ReadonlySet<string>,
  stored: StoredSettings,
): EngineOptions {
  let result = engine;
  for (const [key, [{ setting }]] of BY_KEY) {
    if (!stored.isChanged(key) || optionInstead(key, engine, given) !== undefined) continue;
    result = setting.apply(result, stored.get(key), given);
  }
  return result;
}

/** Settings that have no say in this run, with the option that was given instead. */
export function outrankedSettings(
  engine: EngineOptions,
  given: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const outranked = new Map<string, string>();
  for (const key of BY_KEY.keys()) {
    const option = optionInstead(key, engine, given);
    if (option !== undefined) outranked.set(key, option);
  }
  return outranked;
}

function optionInstead(key: string, engine: EngineOptions, given: ReadonlySet<string>): string | undefined {
  return BY_KEY.get(key)?.find(({ option, setting }) =>
    setting.isGiven === undefined ? given.has(option) : setting.isGiven(engine),
  )?.option;
}
