import { expect, test } from 'vitest';

import { emptyForNone, emptyTextFaults } from './empty-texts.ts';

const member = (doc: string, declaration: string): readonly string[] =>
  emptyForNone('a.ts', `interface A {\n  /** ${doc} */\n  ${declaration}\n}`);

test.each([
  ['Why not; "" = it can.', 'readonly reason: string;', ['reason']],
  ['Empty when there is none.', 'readonly reason?: string;', ['reason']],
  ['Its path; empty for the root.', 'readonly path: string | undefined;', ['path']],
  ['Why not; undefined = it can.', 'readonly reason: string | undefined;', []],
  ['Models; empty = all.', 'readonly models: readonly string[];', []],
  ['What an empty text is.', 'readonly text: string;', []],
])('%s %s', (doc, declaration, names) => {
  expect(member(doc, declaration)).toEqual(names);
});

test('a schema of text, and a field of a class', () => {
  expect(emptyForNone('a.ts', 'const a = {\n  /** "" = all. */\n  model: z.string().max(9),\n};')).toEqual([
    'model',
  ]);
  expect(emptyForNone('a.ts', 'class A {\n  /** "" = none. */\n  #model: string;\n}')).toEqual(['#model']);
});

test('a function and a method that return text, at once or later', () => {
  const doc = '/** "" when there is none. */';
  expect(emptyForNone('a.ts', `${doc}\nfunction find(): string { return ''; }`)).toEqual(['find']);
  expect(emptyForNone('a.ts', `interface A {\n  ${doc}\n  find(): Promise<string>;\n}`)).toEqual(['find']);
  expect(emptyForNone('a.ts', `class A {\n  ${doc}\n  find(): string[] { return []; }\n}`)).toEqual([]);
  expect(emptyForNone('a.ts', `${doc}\nfunction find(name: string): void {}`)).toEqual([]);
});

test('what is not listed is a fault, and what is listed in vain', () => {
  expect(emptyTextFaults(['a', 'b', 'a'], ['b', 'a', 'c'])).toEqual([
    'a: say undefined where there is none, not an empty text',
    'c says no more that it may be empty: take it out of tools/docs/empty-texts-known.ts',
  ]);
  expect(emptyTextFaults(['a'], ['a'])).toEqual([]);
});
