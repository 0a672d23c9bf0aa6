// Every setting of the app: key, where it is shown, what it means, its default; those of the server come from the table
// of options. The Settings screen is drawn from this table, and the store refuses keys and values that do not fit it.

import type { SettingDefinition, SettingValue } from '../../../src-shared/contract/setting-definition.ts';
import { OPTION_SETTINGS } from '../../options/option-settings.ts';

type Extra = Partial<Pick<SettingDefinition, 'min' | 'max' | 'choices'>>;

/** A setting of the app itself; those of the server are declared with their options. */
function define(
  kind: SettingDefinition['kind'],
  key: string,
  group: string,
  title: string,
  defaultValue: SettingValue,
  help: string,
  extra: Extra = {},
): SettingDefinition {
  return {
    kind,
    key,
    group,
    section: undefined,
    title,
    help,
    defaultValue,
    choices: [],
    needsRestart: false,
    ...extra,
  };
}

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

const APP_SETTINGS: readonly SettingDefinition[] = [
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
    'The server goes on in the background; the tray, or starting the app again, brings the window back.',
  ),
  define(
    'boolean',
    'general.tray',
    'General',
    'Icon in the tray',
    true,
    'Desktop app: says in the tray whether Conch serves and where, and stops it from there.',
  ),
  define(
    'boolean',
    'general.openAtLogin',
    'General',
    'Start when you log in',
    false,
    'Desktop app: starts without a window and serves what was open last.',
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
    'text',
    'shortcuts.overrides',
    'Shortcuts',
    'Changed shortcuts',
    '{}',
    'Shortcuts that differ from the defaults, as JSON; edited on the shortcut sheet.',
  ),
];

/** In the order of the screen. */
const GROUPS = [
  'General',
  'Appearance',
  'Language',
  'Server',
  'Logs',
  'Performance tests',
  'Data',
  'Experimental',
  'Shortcuts',
];

export const SETTINGS: readonly SettingDefinition[] = GROUPS.flatMap((name) =>
  [...APP_SETTINGS, ...OPTION_SETTINGS].filter(({ group }) => group === name),
);

const BY_KEY = new Map(SETTINGS.map((setting) => [setting.key, setting]));

/** The setting of this key; undefined where there is none. */
export function settingDefinition(key: string): SettingDefinition | undefined {
  return BY_KEY.get(key);
}
