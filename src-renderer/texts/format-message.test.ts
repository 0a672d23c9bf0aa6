import { afterEach, expect, test } from 'vitest';

import { formatMessage } from './format-message.ts';
import { pseudoLocalise } from './pseudo-locale.ts';
import { setLocale, t } from './translate.ts';

afterEach(() => setLocale('en'));

const ENGLISH = { texts: 'en', numbers: 'en' };

test.each([
  ['Loaded {name}.', { name: 'simple' }, 'Loaded simple.'],
  ['{count, plural, one {# model} other {# models}}', { count: 1 }, '1 model'],
  ['{count, plural, one {# model} other {# models}}', { count: 1200 }, '1,200 models'],
  ['{count, plural, =0 {none} other {#}} of {total}', { count: 0, total: 3 }, 'none of 3'],
  ['{count, plural, one {{name} uses it} other {{name} use it}}', { count: 2, name: 'a, b' }, 'a, b use it'],
  ['{missing}', {}, '{missing}'],
])('%s', (message, values, text) => {
  expect(formatMessage(message, values, ENGLISH)).toBe(text);
});

test('the pseudo-locale marks texts and keeps placeholders working', () => {
  expect(formatMessage(pseudoLocalise('Close {name}'), { name: 'simple' }, ENGLISH)).toMatch(
    /^\[\S+ simple~+\]$/,
  );
  setLocale('pseudo');
  expect(t('tabs.close', { name: 'simple' })).toContain('simple');
  expect(t('common.cancel').startsWith('[')).toBe(true);
});

test('plurals follow the text, numbers follow the user', () => {
  const message = '{count, plural, one {# model} other {# models}}, {total} in all';
  const values = { count: 1200, total: 3400 };
  expect(formatMessage(message, values, { texts: 'en', numbers: 'de' })).toBe('1.200 models, 3.400 in all');
});
