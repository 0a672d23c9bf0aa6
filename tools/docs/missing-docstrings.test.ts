import { expect, test } from 'vitest';

import { stacked, undocumented } from './missing-docstrings.ts';

test.each([
  ['a function', 'export function load() {}', ['load']],
  ['a function that says what it does', '/** Loads it. */\nexport function load() {}', []],
  ['a line comment is not one', '// Loads it.\nexport function load() {}', ['load']],
  ['what is not exported', 'function load() {}\nclass A {}\ninterface B {}', []],
  ['a class', 'export class Loader {}', ['Loader']],
  ['an arrow function', 'export const load = () => 1;', ['load']],
  ['a component that is drawn again seldom', 'export const Card = memo(function Card() {});', ['Card']],
  ['a number, whose unit nobody knows', 'export const A = 4 * 1024;\nexport const B = -1;', ['A', 'B']],
  ['a text', "export const A = 'a';\nexport const B = `${A}b`;", ['A', 'B']],
  ['a value that says what it is', '/** Bytes. */\nexport const LIMIT = 4;', []],
  ['a table and a list', 'export const a = { b: 1 };\nexport const c = [1] as const;', []],
  ['a type', 'export type B = string;', ['B']],
  ['an interface', 'export interface A { readonly a: number }', ['A']],
  [
    'an interface of which only a member speaks',
    'export interface A {\n  /** Of all. */\n  a: number;\n}',
    ['A'],
  ],
  ['an interface that speaks', '/** One. */\nexport interface A { a: number }', []],
  ['overloads', '/** Either. */\nexport function a(x: number): void;\nexport function a(): void {}', ['a']],
])('%s', (_what, text, names) => {
  expect(undocumented('a.ts', text)).toEqual(names);
});

test('a component below the lines that tell of its file', () => {
  const text =
    '// The card.\n\nexport function Card() { return <p />; }\nexport interface CardProps { a: 1 }';
  expect(undocumented('card.tsx', text)).toEqual(['Card', 'CardProps']);
});

test('a docstring that another one follows is found, one that a declaration follows is not', () => {
  const text = 'interface A {\n  /** Of b. */\n  /** Of a. */\n  a: 1;\n  /**\n   * Of b.\n   */\n  b: 2;\n}';
  expect(stacked(text)).toEqual([3]);
  expect(stacked('/** A. */\nlet a;\n/** B. */\nlet b;')).toEqual([]);
});
