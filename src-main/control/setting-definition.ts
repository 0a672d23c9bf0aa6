// The form of one setting, and the short way to write one down.

export type SettingValue = string | number | boolean;

export interface SettingDefinition {
  readonly key: string;
  readonly group: string;
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
}

type Extra = Partial<Pick<SettingDefinition, 'needsRestart' | 'min' | 'max'>>;

/** One entry of the table. */
export function define(
  kind: SettingDefinition['kind'],
  key: string,
  group: string,
  title: string,
  defaultValue: SettingValue,
  help: string,
  extra: Extra & { readonly choices?: readonly string[] } = {},
): SettingDefinition {
  return { kind, key, group, title, help, defaultValue, choices: [], needsRestart: false, ...extra };
}
