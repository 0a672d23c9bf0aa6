// The form of one setting, and the short way to write one down.

export type SettingValue = string | number | boolean;

export interface SettingDefinition {
  readonly key: string;
  readonly group: string;
  /** Heading inside the group; "" = none. */
  readonly section: string;
  readonly title: string;
  readonly help: string;
  readonly kind: 'boolean' | 'number' | 'text' | 'choice';
  readonly choices: readonly string[];
  readonly defaultValue: SettingValue;
  /** Takes effect when the listeners or the app start again. */
  readonly needsRestart: boolean;
  /** Bounds of a number, both inclusive. */
  readonly min?: number;
  readonly max?: number;
  /** What the words of a text may be, separated by blanks or commas. */
  readonly words?: readonly string[];
}

type Extra = Partial<
  Pick<SettingDefinition, 'section' | 'needsRestart' | 'min' | 'max' | 'words' | 'choices'>
>;

/** One entry of the table. */
export function define(
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
    section: '',
    title,
    help,
    defaultValue,
    choices: [],
    needsRestart: false,
    ...extra,
  };
}

/** Entries of one section of the Server group that take effect at the next start of the server. */
export function atRestart(section: string) {
  return (
    kind: SettingDefinition['kind'],
    key: string,
    title: string,
    defaultValue: SettingValue,
    help: string,
    extra: Omit<Extra, 'section'> = {},
  ): SettingDefinition =>
    define(kind, `server.${key}`, 'Server', title, defaultValue, help, {
      needsRestart: true,
      ...extra,
      section,
    });
}
