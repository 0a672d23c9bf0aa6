import { expect, test } from 'vitest';

import { issueWords } from './issue-words.ts';

test.each([
  [
    { code: 'D01', message: 'Expected "{", found "".', hint: 'This field is a block.' },
    'This field is a block.',
    'Expected "{", found "".',
  ],
  [{ code: 'D01', message: 'Expected "{", found "".', hint: '' }, 'Expected "{", found "".', ''],
  [
    { code: 'D21', message: 'It has 2 dimensions.', hint: 'Remove one.' },
    'It has 2 dimensions.',
    'Remove one.',
  ],
  [{ code: 'D21', message: '', hint: 'Remove one.' }, 'Remove one.', ''],
])('%j is told in plain words first', (issue, text, more) => {
  expect(issueWords(issue)).toEqual({ text, more });
});
