// Which settings are shown: groups in the order of the table, and a search over names, help and keys. Pure.

import type { SettingView } from '../../../src-shared/contract/observe-views.ts';

/** Those that are edited as they are; shortcuts have a section of their own. */
export function plainSettings(settings: readonly SettingView[]): readonly SettingView[] {
  return settings.filter(({ key }) => !key.startsWith('shortcuts.'));
}

export function settingGroups(settings: readonly SettingView[]): readonly string[] {
  return [...new Set(settings.map(({ group }) => group))];
}

export function matchingSettings(settings: readonly SettingView[], search: string): readonly SettingView[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return settings.filter(({ key, group, title, help }) => {
    const text = `${key} ${group} ${title} ${help}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
