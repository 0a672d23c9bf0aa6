// The form of one setting of the app, as the Settings screen is drawn from it.

/** The value of a setting. */
export type SettingValue = string | number | boolean;

/** What a setting is, whatever its value: one for each option of the server that the window can change. */
export interface SettingDefinition {
  readonly key: string;
  readonly group: string;
  /** Heading inside the group; undefined = none. */
  readonly section: string | undefined;
  readonly title: string;
  readonly help: string;
  readonly kind: 'boolean' | 'number' | 'text' | 'choice';
  /** Of a choice: the words to choose from; else empty. */
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
