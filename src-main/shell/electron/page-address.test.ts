import path from 'node:path';
import { expect, test } from 'vitest';

import { developmentAddress, fileOfAddress, isOurPage, PAGE_ORIGIN, pageAddress } from './page-address.ts';

const DEVELOPMENT = { ELECTRON_RENDERER_URL: 'http://localhost:5173/' };

test('the environment gives a development build its page, and a packaged app none', () => {
  expect(pageAddress(developmentAddress(false, DEVELOPMENT))).toBe('http://localhost:5173/');
  expect(pageAddress(developmentAddress(false, {}))).toBe(`${PAGE_ORIGIN}/index.html`);
  const packaged = developmentAddress(true, DEVELOPMENT);
  expect(pageAddress(packaged)).toBe(`${PAGE_ORIGIN}/index.html`);
  expect(isOurPage('http://localhost:5173/', packaged)).toBe(false);
  expect(isOurPage(`${PAGE_ORIGIN}/index.html`, packaged)).toBe(true);
});

test.each([
  ['conch://window/index.html', true],
  ['conch://other/index.html', false],
  ['https://window/', false],
  ['file:///etc/passwd', false],
  ['nonsense', false],
])('%s is ours: %s', (url, ours) => {
  expect(isOurPage(url, undefined)).toBe(ours);
});

test('addresses name files of the build only', () => {
  expect(fileOfAddress('conch://window/', '/b')).toBe(path.join('/b', 'index.html'));
  expect(fileOfAddress('conch://window/assets/a.js', '/b')).toBe(path.join('/b', 'assets', 'a.js'));
  expect(fileOfAddress('conch://window/%2e%2e%2fsecret', '/b')).toBeUndefined();
  expect(fileOfAddress('conch://window/%zz', '/b')).toBeUndefined();
  expect(fileOfAddress('conch://other/index.html', '/b')).toBeUndefined();
});
