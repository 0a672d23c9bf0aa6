// Which settings are shown: groups in the order of the table, and a search over names, help, keys and commands. Pure.

import type { SettingView } from '../../../src-shared/contract/observe-views.ts';
import type { CommandDefinition } from '../../lib/command-table.ts';
import { COMMANDS } from '../../lib/command-table.ts';
import { t } from '../../texts/translate.ts';

/** Those that are edited as they are; shortcuts have a section of their own. */
export function plainSettings(settings: readonly SettingView[]): readonly SettingView[] {
  return settings.filter(({ key }) => !key.startsWith('shortcuts.'));
}

/** Each group once, in the order in which they first come. */
export function settingGroups(settings: readonly SettingView[]): readonly string[] {
  return [...new Set(settings.map(({ group }) => group))];
}

/** Settings that have all the words of a search in their key, group, title or help; all of them without a word. */
export function matchingSettings(settings: readonly SettingView[], search: string): readonly SettingView[] {
  const words = wordsOf(search);
  return settings.filter(({ key, group, title, help }) => {
    const text = `${key} ${group} ${title} ${help}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Commands whose name has all the words. */
export function matchingCommands(search: string): readonly CommandDefinition[] {
  const words = wordsOf(search);
  return COMMANDS.filter(({ title }) => words.every((word) => t(title).toLowerCase().includes(word)));
}

/** Sections that say something no setting says. */
const TOPICS = [
  { section: 'general', title: 'settings.updates', text: 'settings.updates.text' },
  { section: 'language', title: 'settings.language', text: 'settings.language.english' },
  { section: 'privacy', title: 'settings.privacy', text: 'settings.privacyText' },
  { section: 'experimental', title: 'settings.experimental', text: 'settings.experimental.text' },
  { section: 'about', title: 'settings.about', text: 'settings.about.compatible' },
] as const;

/** The same for sections without settings. */
export function matchingTopics(search: string): readonly (typeof TOPICS)[number][] {
  const words = wordsOf(search);
  return TOPICS.filter(({ title, text }) => {
    const all = `${t(title)} ${t(text)}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

function wordsOf(search: string): readonly string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}
