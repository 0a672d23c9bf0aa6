// The small part of ICU message syntax that our texts use: {name} and {count, plural, one {# model} other {# models}}.
// Pure; a placeholder without a value stays visible, so that a mistake is seen and never hidden.

/** What may stand in a text in place of a name. */
export type MessageValue = string | number;

type FirstWord<S extends string> = S extends `${infer Name},${string}` ? Name : S;
/** A placeholder that opens a plural branch: "{{name} is ready}". */
type Unwrapped<S extends string> = S extends `{${infer Rest}` ? Rest : S;
type IsName<S extends string> = S extends '' | `${string}#${string}` | `${string} ${string}` ? never : S;

/** Names of the placeholders of a message. */
export type PlaceholdersOf<S extends string> = S extends `${string}{${infer Inside}}${infer Rest}`
  ? IsName<FirstWord<Unwrapped<Inside>>> | PlaceholdersOf<Rest>
  : never;

/** The values of a text, by the names in its braces. */
export type MessageValues<S extends string> = Readonly<Record<PlaceholdersOf<S>, MessageValue>>;

/** Plurals follow the language of the text, numbers the locale of the user. */
export interface MessageLocale {
  readonly texts: string;
  readonly numbers: string;
}

/** Never throws: a pattern that is not closed is shown as it is written. Plural forms are the locale's. */
export function formatMessage(
  message: string,
  values: Readonly<Record<string, MessageValue>>,
  locale: MessageLocale,
): string {
  let out = '';
  let at = 0;
  while (at < message.length) {
    const open = message.indexOf('{', at);
    if (open < 0) return out + message.slice(at);
    const close = closingBrace(message, open);
    if (close < 0) return out + message.slice(at);
    out += message.slice(at, open) + placeholder(message.slice(open + 1, close), values, locale);
    at = close + 1;
  }
  return out;
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

const rules = new Map<string, Intl.PluralRules>();
const formats = new Map<string, Intl.NumberFormat>();

/** Made once per language: making one costs a hundred times what using it does. */
function kept<Kind>(made: Map<string, Kind>, locale: string, Maker: new (locale: string) => Kind): Kind {
  let one = made.get(locale);
  if (one === undefined) made.set(locale, (one = new Maker(locale)));
  return one;
}

function numberText(value: number, locale: string): string {
  return kept(formats, locale, Intl.NumberFormat).format(value);
}

function placeholder(
  inside: string,
  values: Readonly<Record<string, MessageValue>>,
  locale: MessageLocale,
): string {
  const plural = /^\s*(\w+)\s*,\s*plural\s*,\s*([\s\S]*)$/.exec(inside);
  if (plural === null) {
    const value = values[inside.trim()];
    if (value === undefined) return `{${inside}}`;
    return typeof value === 'number' ? numberText(value, locale.numbers) : value;
  }
  const count = Number(values[plural[1] ?? ''] ?? 0);
  const branches = pluralBranches(plural[2] ?? '');
  const branch =
    branches.get(`=${count}`) ??
    branches.get(kept(rules, locale.texts, Intl.PluralRules).select(count)) ??
    branches.get('other') ??
    '';
  return formatMessage(branch.replaceAll('#', numberText(count, locale.numbers)), values, locale);
}

function pluralBranches(text: string): Map<string, string> {
  const branches = new Map<string, string>();
  let at = 0;
  for (;;) {
    const open = text.indexOf('{', at);
    if (open < 0) return branches;
    const close = closingBrace(text, open);
    if (close < 0) return branches;
    branches.set(text.slice(at, open).trim(), text.slice(open + 1, close));
    at = close + 1;
  }
}
