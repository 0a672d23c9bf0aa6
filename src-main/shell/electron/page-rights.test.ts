import { expect, test } from 'vitest';

import { isFromPage, mayHave } from './page-rights.ts';

const OURS = 'conch://window/index.html';

test.each([
  ['notifications', OURS, true],
  ['media', OURS, true],
  ['clipboard-sanitized-write', OURS, true],
  ['geolocation', OURS, false],
  ['usb', OURS, false],
  ['notifications', 'https://evil.example', false],
  ['media', 'https://evil.example', false],
  ['media', '', false],
])('the permission %j at %j: %s', (permission, url, isGiven) => {
  expect(mayHave(permission, url, undefined)).toBe(isGiven);
});

test('messages are heard from the page of our window only', () => {
  const contents = {};
  const page = { url: OURS, parent: null };
  expect(isFromPage({ sender: contents, senderFrame: page }, contents, undefined)).toBe(true);
  expect(isFromPage({ sender: {}, senderFrame: page }, contents, undefined)).toBe(false);
  expect(isFromPage({ sender: contents, senderFrame: null }, contents, undefined)).toBe(false);
  const frame = { url: OURS, parent: page };
  expect(isFromPage({ sender: contents, senderFrame: frame }, contents, undefined)).toBe(false);
  const foreign = { url: 'https://evil.example/', parent: null };
  expect(isFromPage({ sender: contents, senderFrame: foreign }, contents, undefined)).toBe(false);
});

test('with a development server its page is the only one that is ours', () => {
  const development = 'http://localhost:5173/';
  expect(mayHave('media', 'http://localhost:5173/index.html', development)).toBe(true);
  expect(mayHave('media', OURS, development)).toBe(false);
});
