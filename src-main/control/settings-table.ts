// Every setting of the app: key, where it is shown, what it means, its default. The Settings screen is drawn from
// this table, and the store refuses keys and values that do not fit it.

import { FRONTEND_SETTINGS } from './frontend-settings.ts';
import { SERVER_SETTINGS } from './server-settings.ts';
import type { SettingDefinition } from '../options/setting-definition.ts';
import { define } from '../options/setting-definition.ts';

/** Locales to choose from beside the system's, as Intl names them. */
const NUMBER_LOCALES = [
  'ar-EG',
  'de-CH',
  'de-DE',
  'en-GB',
  'en-IN',
  'en-US',
  'es-ES',
  'fr-FR',
  'hi-IN',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'ru-RU',
  'sv-SE',
  'tr-TR',
  'zh-CN',
];

export const SETTINGS: readonly SettingDefinition[] = [
  define(
    'boolean',
    'general.restoreTabs',
    'General',
    'Restore tabs',
    true,
    'Open the tabs of the last session again.',
  ),
  define(
    'boolean',
    'general.startAtLaunch',
    'General',
    'Start server at launch',
    true,
    'Open the HTTP, gRPC and metrics ports when the app starts. Off: models are loaded, and clients wait until you start the server.',
  ),
  define(
    'boolean',
    'general.loadAfterImport',
    'General',
    'Load after import',
    true,
    'Load a model as soon as it was copied into the repository.',
  ),
  define(
    'boolean',
    'general.keepServing',
    'General',
    'Keep serving when the window closes',
    false,
    'The server goes on in the background; the desktop app stays in the tray.',
  ),
  define('choice', 'appearance.theme', 'Appearance', 'Theme', 'system', 'System follows your desktop.', {
    choices: ['system', 'light', 'dark', 'high-contrast'],
  }),
  define(
    'choice',
    'appearance.density',
    'Appearance',
    'Density',
    'comfortable',
    'How tall rows of tables and lists are.',
    { choices: ['comfortable', 'compact'] },
  ),
  define('number', 'appearance.fontSize', 'Appearance', 'Font size', 13, 'Size of text in pixels.', {
    min: 10,
    max: 20,
  }),
  define(
    'choice',
    'appearance.motion',
    'Appearance',
    'Motion',
    'system',
    'Reduced switches all transitions off.',
    { choices: ['system', 'full', 'reduced'] },
  ),
  define(
    'choice',
    'appearance.chartPalette',
    'Appearance',
    'Chart colours',
    'okabe-ito',
    'Okabe Ito is made for colour-blind eyes and easy to look at; high distinction sets the lines further apart, in lightness too.',
    { choices: ['okabe-ito', 'high-distinction'] },
  ),
  define(
    'choice',
    'language.numbers',
    'Language',
    'Numbers and dates',
    'system',
    'How numbers and dates are written in the window. Exports, configurations and requests never follow it.',
    { choices: ['system', ...NUMBER_LOCALES] },
  ),
  ...SERVER_SETTINGS,
  ...FRONTEND_SETTINGS,
  define(
    'number',
    'logs.verboseLevel',
    'Logs',
    'Verbose level',
    0,
    '0 prints errors, warnings and notices only.',
    { min: 0, max: 3 },
  ),
  define(
    'choice',
    'logs.format',
    'Logs',
    'Line format',
    'default',
    'Form of the lines in the log file and the console.',
    { choices: ['default', 'ISO8601'] },
  ),
  define(
    'number',
    'perf.windowMs',
    'Performance tests',
    'Measurement window',
    5000,
    'Milliseconds of one measurement window.',
    { min: 100, max: 600000 },
  ),
  define(
    'number',
    'perf.stabilityPercent',
    'Performance tests',
    'Stability',
    10,
    'Windows that differ by at most this many percent count as stable.',
    { min: 1, max: 100 },
  ),
  define(
    'number',
    'perf.maxTrials',
    'Performance tests',
    'Windows at most',
    10,
    'After so many windows a level ends as not stable.',
    { min: 3, max: 100 },
  ),
  define(
    'number',
    'perf.verifySecs',
    'Performance tests',
    'Check of an applied configuration',
    20,
    'Seconds that are measured before, and again after, a configuration is applied.',
    { min: 1, max: 120 },
  ),
  define(
    'number',
    'data.keepRuns',
    'Data',
    'Performance runs kept',
    200,
    'Older runs without a star are removed.',
    { min: 1, max: 10000 },
  ),
  define(
    'boolean',
    'experimental.modelNamespacing',
    'Experimental',
    'Model namespaces',
    false,
    'The same model name may exist in several repositories; an ensemble takes its steps from its own. Clients cannot name a repository, so a name that exists twice is refused.',
    { needsRestart: true },
  ),
  define(
    'text',
    'shortcuts.overrides',
    'Shortcuts',
    'Changed shortcuts',
    '{}',
    'Shortcuts that differ from the defaults, as JSON; edited on the shortcut sheet.',
  ),
];

const BY_KEY = new Map(SETTINGS.map((setting) => [setting.key, setting]));

export function settingDefinition(key: string): SettingDefinition | undefined {
  return BY_KEY.get(key);
}

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

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
