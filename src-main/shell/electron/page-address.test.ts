import { expect, test } from 'vitest';

import { developmentAddress, isOurPage, PAGE_ORIGIN, pageAddress } from './page-address.ts';

const DEVELOPMENT = { ELECTRON_RENDERER_URL: 'http://localhost:5173/' };

test('the environment gives a development build its page, and a packaged app none', () => {
  expect(pageAddress(developmentAddress(false, DEVELOPMENT))).toBe('http://localhost:5173/');
  expect(pageAddress(developmentAddress(false, {}))).toBe(`${PAGE_ORIGIN}/index.html`);
  const packaged = developmentAddress(true, DEVELOPMENT);
  expect(pageAddress(packaged)).toBe(`${PAGE_ORIGIN}/index.html`);
  expect(isOurPage('http://localhost:5173/', packaged)).toBe(false);
  expect(isOurPage(`${PAGE_ORIGIN}/index.html`, packaged)).toBe(true);
});
