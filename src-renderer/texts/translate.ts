// t('key', values): the text of a key in the language of the window. Keys and placeholders are checked by the
// compiler. The language is set once before the window is drawn; changing it redraws the window.

import { numberLocale } from './number-locale.ts';
import type { MessageValue, MessageValues, PlaceholdersOf } from './format-message.ts';
import { formatMessage } from './format-message.ts';
import type { Texts } from './en.ts';
import { frameTexts } from './en.ts';
import { pseudoLocalise } from './pseudo-locale.ts';

/** The name of a text. */
export type TextKey = keyof Texts;
type MessageOf<K extends TextKey> = Texts[K];

/** Keys of texts without placeholders; what tables of titles hold. */
export type PlainKey = {
  [K in TextKey]: [PlaceholdersOf<MessageOf<K>>] extends [never] ? K : never;
}[TextKey];

/** pseudo: English in accents, half as long again, to find texts that are fixed or too narrow. */
export type Locale = 'en' | 'pseudo';

let current: Locale = 'en';
let catalogue: Readonly<Partial<Record<string, string>>> = frameTexts;

/** Further texts, from then on. */
export function addTexts(texts: Readonly<Record<string, string>>): void {
  catalogue = { ...catalogue, ...texts };
}

/** The language of every text from then on; what is drawn already is not drawn again. */
export function setLocale(locale: Locale): void {
  current = locale;
}

type Values<K extends TextKey> = [PlaceholdersOf<MessageOf<K>>] extends [never]
  ? readonly []
  : readonly [values: MessageValues<MessageOf<K>>];

/**
 * Values are checked against the placeholders of the text by the compiler. A key without a text stands for
 * itself.
 */
export function t<K extends TextKey>(key: K, ...values: Values<K>): string {
  // A text that is not there yet would be a mistake of its caller: the key is seen, and nothing fails.
  const message = catalogue[key] ?? key;
  const text = current === 'pseudo' ? pseudoLocalise(message) : message;
  return formatMessage(text, (values[0] ?? {}) as Readonly<Record<string, MessageValue>>, {
    texts: 'en',
    numbers: numberLocale(),
  });
}
