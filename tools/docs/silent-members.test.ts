import { expect, test } from 'vitest';

import { addPromisedMembers, silentMembers } from './silent-members.ts';

function silentIn(...texts: readonly string[]): readonly string[] {
  const promised = new Map<string, Set<string>>();
  for (const text of texts) addPromisedMembers('a.ts', text, promised);
  return silentMembers('a.ts', texts.at(-1) ?? '', promised);
}

test.each([
  ['a method', 'export class A { b() {} }', ['A.b']],
  ['a method that speaks', 'export class A {\n  /** B. */\n  b() {}\n}', []],
  ['a static one', 'export class A { static b() {} }', ['A.b']],
  ['a class that is not exported', 'class A { b() {} }', []],
  ['what nobody outside can call', 'export class A { #b() {} private c() {} protected d() {} }', []],
  [
    'a constructor, a number, what is named by a symbol',
    'export class A { constructor() {} b = 1; [Symbol.dispose]() {} }',
    [],
  ],
  ['a property that holds a function', 'export class A { b = () => {}; }', ['A.b']],
  ['a setter whose getter speaks', 'export class A {\n  /** B. */\n  get b() {}\n  set b(x) {}\n}', []],
  ['both silent, once', 'export class A { get b() {} set b(x) {} }', ['A.b']],
  ['overloads of which one speaks', 'export class A {\n  /** B. */\n  b(): void;\n  b(x?: 1) {}\n}', []],
  ['what overrides', 'export class A extends B { override b() {} c() {} }', ['A.c']],
  [
    'functions of an interface',
    'export interface A { b(): void; c: () => 1; d?: (() => 1) | null; e: 1 }',
    ['A.b', 'A.c', 'A.d'],
  ],
  ['a table and a list', 'export const a = { b: 1 };\nexport const c = [1] as const;', ['a', 'c']],
  ['a table that speaks', '/** Of b. */\nexport const a = { b: 1 };', []],
  [
    'texts of the window by dotted names',
    "export const a = { 'a.b': 'B', 'a.c': `C`, 'a.d-e': 1 };\nexport const f = { 'f.g': 'G', 'f.h.i': 'I' } as const;",
    ['a'],
  ],
  ['texts by names without a dot', "export const a = { 'b': 'B' };\nexport const c = {};", ['a', 'c']],
  ['texts of which one is reckoned', "export const a = { 'a.b': b(), 'a.c': 'C' };", ['a']],
  ['a table with a type', 'export const a = { b: 1 } satisfies B;\nconst c = {};', ['a']],
])('%s', (_what, text, names) => {
  expect(silentIn(text)).toEqual(names);
});

test('an interface speaks for the class that implements it, in what it declares and inherits', () => {
  const parent = 'export interface Root { a(): void }';
  const child = 'export interface Leaf extends Root { b(): void }';
  expect(silentIn(parent, child, 'export class C implements Leaf { a() {} b() {} c() {} }')).toEqual(['C.c']);
  expect(silentIn('export type T = { a(): void };', 'export class C implements T { a() {} }')).toEqual([]);
});

test('an interface of which nothing is known, or that nobody asked to speak, does not speak for a class', () => {
  expect(silentIn('export class C implements Foreign { a() {} }')).toEqual(['C.a']);
  expect(silentIn('interface I { a(): void }\nexport class C implements I { a() {} }')).toEqual(['C.a']);
  expect(
    silentIn('interface I {\n  /** A. */\n  a(): void\n}\nexport class C implements I { a() {} }'),
  ).toEqual([]);
});
