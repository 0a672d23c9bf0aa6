// Short ways to declare the usual options: one that sets one value, one that may be given several times, one that takes
// settings by name, and the settings of the window that stand for them.

import type { SettingDefinition, SettingValue } from '../../src-shared/contract/setting-definition.ts';
import type { EngineField } from './engine-field.ts';
import { appended } from './engine-field.ts';
import type { EngineOptions } from './engine-options.ts';
import { defaultEngineOptions } from './engine-options.ts';
import type { KeyedForm, KeyedText } from './keyed-text.ts';
import { parseKeyed, printKeyed } from './keyed-text.ts';
import type { OptionDefinition, OptionSetting } from './option-definition.ts';
import { settingFault } from './setting-definition.ts';
import type { ValueType } from './value-types.ts';
import { UsageError } from './usage-error.ts';

/** What the Settings screen says of a setting. Its kind, choices and default come from the option unless given. */
export interface ScreenTexts extends Partial<
  Pick<SettingDefinition, 'kind' | 'choices' | 'defaultValue' | 'min' | 'max' | 'words'>
> {
  readonly key: string;
  /** Default 'Server'. */
  readonly group?: string;
  /** Heading inside the group; default none. */
  readonly section?: string;
  readonly title: string;
  readonly help: string;
  /** Default true: it counts when the listeners or the app start again. */
  readonly needsRestart?: boolean;
}

function definitionOf(
  texts: ScreenTexts,
  from: Pick<SettingDefinition, 'kind' | 'choices' | 'defaultValue'>,
): SettingDefinition {
  return { group: 'Server', section: undefined, needsRestart: true, ...from, ...texts };
}

/** What the builders need to make a setting of an option. */
export interface SettingParts {
  readonly screen: ScreenTexts & Pick<SettingDefinition, 'kind' | 'defaultValue'>;
  readonly apply: OptionSetting['apply'];
  /** As `OptionSetting.read`; what it throws or gives that does not fit the setting counts as none. */
  readonly read: OptionSetting['read'];
  /**
   * True where the command line gave the value, so that the setting has no say. Absent: it differs from the default.
   */
  readonly isGiven?: (engine: EngineOptions) => boolean;
}

/** A setting whose relation to its option is its own. */
export function setting({ screen, apply, read, ...more }: SettingParts): OptionSetting {
  const definition = definitionOf(screen, { choices: [], ...screen });
  return {
    ...more,
    definition,
    apply,
    read: (text, before) => {
      const value = readOrNone(() => read(text, before));
      return value === undefined || settingFault(definition, value) !== undefined ? undefined : value;
    },
  };
}

function readOrNone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof UsageError) return undefined;
    throw thrown;
  }
}

type Texts = Pick<OptionDefinition, 'name' | 'group' | 'help' | 'noEffect' | 'harmless'>;

/** An option that sets one value, and is printed where that value differs from the default. */
export function scalar<T extends SettingValue>(
  parts: Texts & {
    readonly type: ValueType<T>;
    readonly field: EngineField<T>;
    readonly screen?: ScreenTexts;
    /** What the setting does besides setting the value. */
    readonly applySetting?: (engine: EngineOptions, value: T, given: ReadonlySet<string>) => EngineOptions;
  } & Partial<Pick<OptionDefinition, 'print'>>,
): OptionDefinition {
  const { type, field, screen, applySetting = field.set, ...texts } = parts;
  const standard = field.get(defaultEngineOptions);
  const { kind, choices } = type;
  return {
    print: (engine) => (field.get(engine) === standard ? [] : [type.print(field.get(engine))]),
    ...texts,
    argument: type.argument,
    ...(standard === '' ? {} : { standard: quotedText(type.print(standard), kind) }),
    apply: (draft, text) => {
      draft.engine = field.set(draft.engine, type.parse(text));
    },
    settings:
      screen === undefined
        ? []
        : [
            setting({
              screen: { kind, choices: choices.map(String), defaultValue: standard, ...screen },
              apply: (engine, value, given) => applySetting(engine, type.parse(String(value)), given),
              read: (text) => type.parse(text),
            }),
          ],
  };
}

function quotedText(text: string, kind: SettingDefinition['kind']): string {
  return kind === 'choice' ? `"${text}"` : text;
}

/** An option that may be given several times; each adds one item. */
export function listed<T>(
  parts: Texts & {
    readonly argument: string;
    readonly list: EngineField<readonly T[]>;
    /** Throws UsageError. */
    readonly parse: (text: string, before: readonly T[]) => T;
    readonly printItem: (item: T) => string;
    readonly settings?: readonly OptionSetting[];
  },
): OptionDefinition {
  const { list, parse, printItem, help, ...texts } = parts;
  return {
    ...texts,
    help: `${help} May be given several times.`,
    apply: (draft, text) => {
      draft.engine = appended(draft.engine, list, parse(text, list.get(draft.engine)));
    },
    print: (engine) => list.get(engine).map(printItem),
  };
}

/** How an option that takes settings by name is kept. */
export interface KeyedEntries {
  /** In the order in which they were given. */
  readonly get: (engine: EngineOptions) => readonly KeyedText[];
  /** New options with one entry more; `engine` is left as it is. */
  readonly add: (engine: EngineOptions, entry: KeyedText) => EngineOptions;
}

/** A setting of the window for one name of such an option. */
export interface KeyedSetting {
  readonly key: string;
  /** The first one is written, all are understood. */
  readonly scopes: readonly [string, ...string[]];
  readonly screen: SettingParts['screen'];
  /** Values to give under the name; default: the one. */
  readonly values?: (value: SettingValue) => readonly string[];
  readonly read: OptionSetting['read'];
}

/** An option that takes settings by name: `[<scope>,]<key>=<value>`. */
export function keyed(
  parts: Omit<Texts, 'name'> & {
    readonly argument: string;
    readonly form: KeyedForm;
    readonly entries: KeyedEntries;
    readonly settings?: readonly KeyedSetting[];
  },
): OptionDefinition {
  const { form, entries, settings = [], help, ...texts } = parts;
  return {
    ...texts,
    name: form.option,
    help: `${help} May be given several times.`,
    apply: (draft, text) => {
      draft.engine = entries.add(draft.engine, parseKeyed(text, form));
    },
    print: (engine) => entries.get(engine).map(printKeyed),
    settings: settings.map((one) => keyedSetting(one, form, entries)),
  };
}

function keyedSetting(
  { key, scopes, screen, read, values = (value) => [String(value)] }: KeyedSetting,
  form: KeyedForm,
  entries: KeyedEntries,
): OptionSetting {
  return setting({
    screen,
    isGiven: (engine) => entries.get(engine).some((entry) => entry.key === key),
    apply: (engine, value) =>
      values(value).reduce((made, text) => entries.add(made, { scope: scopes[0], key, value: text }), engine),
    read: (text, before) => {
      const entry = parseKeyed(text, form);
      return entry.key === key && scopes.includes(entry.scope) ? read(entry.value, before) : undefined;
    },
  });
}

/** An option that is read and checked, and changes nothing here. */
export function inert(
  parts: Omit<Texts, 'noEffect'> & {
    readonly argument: string;
    readonly standard?: string;
    /** Throws UsageError for a text that the reference refuses. */
    readonly check: (text: string) => unknown;
    readonly noEffect: string;
  },
): OptionDefinition {
  const { check, ...texts } = parts;
  return { ...texts, apply: (_draft, text) => void check(text) };
}
