// What may be the value of a setting.

import type { SettingDefinition } from '../../src-shared/contract/setting-definition.ts';

/** Why `value` does not fit the setting, or undefined when it does. */
export function settingFault(setting: SettingDefinition, value: unknown): string | undefined {
  const { key, kind, choices, min, max, words } = setting;
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : `${key} must be true or false`;
  if (kind === 'number') {
    if (typeof value !== 'number' || !Number.isInteger(value)) return `${key} must be a whole number`;
    const isInside = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
    return isInside ? undefined : `${key} must be between ${min} and ${max}, got ${value}`;
  }
  if (typeof value !== 'string') return `${key} must be a text`;
  if (kind === 'choice' && !choices.includes(value))
    return `${key} must be one of ${choices.join(', ')}, got '${value}'`;
  const unknown = words === undefined ? undefined : wordsOf(value).find((word) => !words.includes(word));
  if (unknown !== undefined) return `${key} may name ${words?.join(', ')}, got '${unknown}'`;
  return undefined;
}

/** Words separated by blanks or commas. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
