// Every setting of the app: key, where it is shown, what it means, its default; those of the server come from the table
// of options. The Settings screen is drawn from this table, and the store refuses keys and values that do not fit it.

import type { SettingDefinition } from '../../../src-shared/contract/setting-definition.ts';
import { OPTION_SETTINGS } from '../../options/option-settings.ts';

type AppSetting = Pick<SettingDefinition, 'kind' | 'key' | 'group' | 'title' | 'help' | 'defaultValue'> &
  Partial<Pick<SettingDefinition, 'min' | 'max' | 'choices'>>;

/** A setting of the app itself; those of the server are declared with their options. */
function define(setting: AppSetting): SettingDefinition {
  return { section: undefined, choices: [], needsRestart: false, ...setting };
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
  define({
    kind: 'boolean',
    key: 'general.restoreTabs',
    group: 'General',
    title: 'Restore tabs',
    defaultValue: true,
    help: 'Open the tabs of the last session again.',
  }),
  define({
    kind: 'boolean',
    key: 'general.startAtLaunch',
    group: 'General',
    title: 'Start server at launch',
    defaultValue: true,
    help: 'Open the HTTP, gRPC and metrics ports when the app starts. Off: models are loaded, and clients wait until you start the server.',
  }),
  define({
    kind: 'boolean',
    key: 'general.loadAfterImport',
    group: 'General',
    title: 'Load after import',
    defaultValue: true,
    help: 'Load a model as soon as it was copied into the repository.',
  }),
  define({
    kind: 'boolean',
    key: 'general.keepServing',
    group: 'General',
    title: 'Keep serving when the window closes',
    defaultValue: false,
    help: 'The server goes on in the background; the tray, or starting the app again, brings the window back.',
  }),
  define({
    kind: 'boolean',
    key: 'general.tray',
    group: 'General',
    title: 'Icon in the tray',
    defaultValue: true,
    help: 'Desktop app: says in the tray whether Conch serves and where, and stops it from there.',
  }),
  define({
    kind: 'boolean',
    key: 'general.openAtLogin',
    group: 'General',
    title: 'Start when you log in',
    defaultValue: false,
    help: 'Desktop app: starts without a window and serves what was open last.',
  }),
  define({
    kind: 'choice',
    key: 'appearance.theme',
    group: 'Appearance',
    title: 'Theme',
    defaultValue: 'system',
    help: 'System follows your desktop.',
    choices: ['system', 'light', 'dark', 'high-contrast'],
  }),
  define({
    kind: 'choice',
    key: 'appearance.density',
    group: 'Appearance',
    title: 'Density',
    defaultValue: 'comfortable',
    help: 'How tall rows of tables and lists are.',
    choices: ['comfortable', 'compact'],
  }),
  define({
    kind: 'number',
    key: 'appearance.fontSize',
    group: 'Appearance',
    title: 'Font size',
    defaultValue: 13,
    help: 'Size of text in pixels.',
    min: 10,
    max: 20,
  }),
  define({
    kind: 'choice',
    key: 'appearance.motion',
    group: 'Appearance',
    title: 'Motion',
    defaultValue: 'system',
    help: 'Reduced switches all transitions off.',
    choices: ['system', 'full', 'reduced'],
  }),
  define({
    kind: 'choice',
    key: 'appearance.chartPalette',
    group: 'Appearance',
    title: 'Chart colours',
    defaultValue: 'okabe-ito',
    help: 'Okabe Ito is made for colour-blind eyes and easy to look at; high distinction sets the lines further apart, in lightness too.',
    choices: ['okabe-ito', 'high-distinction'],
  }),
  define({
    kind: 'choice',
    key: 'language.numbers',
    group: 'Language',
    title: 'Numbers and dates',
    defaultValue: 'system',
    help: 'How numbers and dates are written in the window. Exports, configurations and requests never follow it.',
    choices: ['system', ...NUMBER_LOCALES],
  }),
  define({
    kind: 'number',
    key: 'perf.windowMs',
    group: 'Performance tests',
    title: 'Measurement window',
    defaultValue: 5000,
    help: 'Milliseconds of one measurement window.',
    min: 100,
    max: 600000,
  }),
  define({
    kind: 'number',
    key: 'perf.stabilityPercent',
    group: 'Performance tests',
    title: 'Stability',
    defaultValue: 10,
    help: 'Windows that differ by at most this many percent count as stable.',
    min: 1,
    max: 100,
  }),
  define({
    kind: 'number',
    key: 'perf.maxTrials',
    group: 'Performance tests',
    title: 'Windows at most',
    defaultValue: 10,
    help: 'After so many windows a level ends as not stable.',
    min: 3,
    max: 100,
  }),
  define({
    kind: 'number',
    key: 'perf.verifySecs',
    group: 'Performance tests',
    title: 'Check of an applied configuration',
    defaultValue: 20,
    help: 'Seconds that are measured before, and again after, a configuration is applied.',
    min: 1,
    max: 120,
  }),
  define({
    kind: 'number',
    key: 'data.keepRuns',
    group: 'Data',
    title: 'Performance runs kept',
    defaultValue: 200,
    help: 'Older runs without a star are removed.',
    min: 1,
    max: 10000,
  }),
  define({
    kind: 'text',
    key: 'shortcuts.overrides',
    group: 'Shortcuts',
    title: 'Changed shortcuts',
    defaultValue: '{}',
    help: 'Shortcuts that differ from the defaults, as JSON; edited on the shortcut sheet.',
  }),
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

/** In the order of the Settings screen: by group. */
export const SETTINGS: readonly SettingDefinition[] = GROUPS.flatMap((name) =>
  [...APP_SETTINGS, ...OPTION_SETTINGS].filter(({ group }) => group === name),
);

const BY_KEY = new Map(SETTINGS.map((setting) => [setting.key, setting]));

/** The setting of this key; undefined where there is none. */
export function settingDefinition(key: string): SettingDefinition | undefined {
  return BY_KEY.get(key);
}
