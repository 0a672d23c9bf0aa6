// The order in which the page asks for what it needs.

import { expect, test } from 'vitest';

import { arrangePage } from './page-html.ts';

const BUILT = `<html>
  <head>
    <style>b{}</style>
    <script type="module" crossorigin src="./assets/index-1.js"></script>
    <link rel="modulepreload" crossorigin href="./assets/early-1.js">
    <link rel="stylesheet" crossorigin href="./assets/index-1.css">
  </head>
  <body>
    <div id="root">frame</div>
  </body>
</html>
`;

test('the style sheet holds back nothing of the frame, and what the start needs is asked for at once', () => {
  expect(arrangePage(BUILT, { early: './assets/early-1.js', screen: './assets/screen-1.js' })).toBe(`<html>
  <head>
    <style>b{}</style>
    <script type="module" async crossorigin src="./assets/early-1.js"></script>
    <script type="module" crossorigin src="./assets/index-1.js"></script>
    <link rel="modulepreload" fetchpriority="low" crossorigin href="./assets/screen-1.js">
  </head>
  <body>
    <div id="root">frame</div>
    <link rel="stylesheet" crossorigin href="./assets/index-1.css">
  </body>
</html>
`);
});
