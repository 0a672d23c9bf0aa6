// Stored settings become engine options where the command line is silent: flag, then file, then default.

import type { SettingsStore } from '../../control/settings-store.ts';
import type { EngineOptions } from '../../options/engine-options.ts';
import type { SettingRule } from './setting-rules.ts';
import { SETTING_RULES } from './setting-rules.ts';

type Settings = Pick<SettingsStore, 'get' | 'isChanged'>;

/** Settings that have no say in this run, with the option that was given instead. `engine` = as the command line says. */
export function outrankedSettings(
  engine: EngineOptions,
  given: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const outranked = new Map<string, string>();
  for (const [key, rule] of Object.entries(SETTING_RULES)) {
    const flag = givenInstead(rule, engine, given);
    if (flag !== undefined) outranked.set(key, flag);
  }
  return outranked;
}

export function applySettings(
  engine: EngineOptions,
  given: ReadonlySet<string>,
  settings: Settings,
): EngineOptions {
  let result = engine;
  for (const [key, rule] of Object.entries(SETTING_RULES)) {
    if (!settings.isChanged(key) || givenInstead(rule, engine, given) !== undefined) continue;
    result = rule.apply(result, settings.get(key) as never, given);
  }
  return result;
}

function givenInstead(
  { flags, optionKey }: SettingRule,
  engine: EngineOptions,
  given: ReadonlySet<string>,
): string | undefined {
  if (optionKey === undefined) return flags.find((flag) => given.has(flag));
  return keysGiven(engine).has(optionKey) ? flags[0] : undefined;
}

/** Keys that the command line sets by options which take many of them. */
function keysGiven({ backends, metrics, trace }: EngineOptions): ReadonlySet<string> {
  return new Set([
    ...backends.settings.map(({ key }) => key),
    ...metrics.settings.map(([key]) => key),
    ...trace.settings.map(({ key }) => key),
  ]);
}
