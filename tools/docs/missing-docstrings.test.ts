import { expect, test } from 'vitest';

import { undocumented } from './missing-docstrings.ts';

test.each([
  ['a function', 'export function load() {}', ['load']],
  ['a function that says what it does', '/** Loads it. */\nexport function load() {}', []],
  ['a line comment is not one', '// Loads it.\nexport function load() {}', ['load']],
  ['what is not exported', 'function load() {}\nclass A {}', []],
  ['a class', 'export class Loader {}', ['Loader']],
  ['an arrow function', 'export const load = () => 1;\nexport const LIMIT = 4;', ['load']],
  ['an interface without a word', 'export interface A { readonly a: number }', ['A']],
  [
    'an interface that speaks through a member',
    'export interface A {\n  /** Of all. */\n  a: number;\n  b: number;\n}',
    [],
  ],
  ['overloads', '/** Either. */\nexport function a(x: number): void;\nexport function a(): void {}', ['a']],
])('%s', (_what, text, names) => {
  expect(undocumented('a.ts', text)).toEqual(names);
});

test('in the engine and what it shares an interface or type speaks itself, whatever its members say', () => {
  const text = 'export interface A {\n  /** Of all. */\n  a: number;\n}\nexport type B = A;';
  expect(undocumented('src-shared/contract/a-calls.ts', text)).toEqual(['A', 'B']);
  expect(undocumented('src-main/a.ts', text.replaceAll('export', '/** A thing. */\nexport'))).toEqual([]);
  expect(undocumented('tools/a.ts', text)).toEqual([]);
});

test('components of a screen speak through their file, those of all screens themselves', () => {
  const text =
    'export function Card() { return <p />; }\nexport function cardText() {}\nexport interface CardProps { a: 1 }';
  expect(undocumented('src-renderer/features/perf/card.tsx', text)).toEqual(['cardText']);
  expect(undocumented('src-renderer/ui/card.tsx', text)).toEqual(['Card', 'cardText', 'CardProps']);
});
