// What holds for every listed error.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

import { STATUS_CODES } from '../../src-shared/errors.ts';
import { CATALOGUES } from './catalogues.ts';

const root = path.resolve(import.meta.dirname, '../..');

function sources(folder: string): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
    .map((name) => ({ file: name, text: readFileSync(path.join(root, folder, name), 'utf8') }));
}

const all = [...sources('src-main'), ...sources('src-shared')];
const rows = CATALOGUES.flatMap(([, { room, entries }]) =>
  Object.entries(entries).map(([name, entry]) => ({ id: `${room}/${name}`, room, name, ...entry })),
);

test('every catalogue of the sources is listed', () => {
  const defined = all.flatMap(({ text }) =>
    [...text.matchAll(/= defineErrors\('(\w+)'/g)].map(([, room]) => room),
  );
  expect(CATALOGUES.map(([, { room }]) => room).sort()).toEqual(defined.sort());
});

test('no two errors have the same id', () => {
  const ids = rows.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test('no two errors have the same text, which would leave the client guessing', () => {
  const texts = rows.map(({ text }) => text);
  expect(texts).toEqual([...new Set(texts)]);
});

describe('each error', () => {
  test.each(rows)('$id has a code, a text, a cause and a remedy', ({ code, text, cause, remedy }) => {
    expect(STATUS_CODES).toContain(code);
    expect(text.trim()).not.toBe('');
    for (const sentence of [cause, remedy]) expect(sentence).toMatch(/^\S.*[.]$/);
  });

  test.each(rows)('$id is thrown somewhere', ({ room, name }) => {
    const use = `${room}Errors.${name}(`;
    expect(all.filter(({ text }) => text.includes(use)).length, use).toBeGreaterThan(0);
  });
});
