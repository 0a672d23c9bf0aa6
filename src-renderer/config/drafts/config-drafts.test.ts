import { expect, test } from 'vitest';

import type { ConfigFile } from '../../../src-shared/contract/config-calls.ts';
import { editableText, isDirty, keepMine, newDraft, takeDisk, withDisk, withSaved } from './config-drafts.ts';

const file = (text: string): ConfigFile => ({
  exists: true,
  text,
  hash: `hash of ${text}`,
  path: '/models/m/config.pbtxt',
  readOnlyReason: undefined,
  refusal: undefined,
});

const clean = newDraft('m', file('a'));
const dirty = { ...clean, text: 'mine' };

test('a clean draft follows the disk', () => {
  expect(withDisk(clean, file('b'))).toMatchObject({ text: 'b', conflict: undefined });
});

test('unsaved text meets a changed file as a conflict, and stays what it is', () => {
  const met = withDisk(dirty, file('b'));
  expect(met).toMatchObject({ text: 'mine', disk: { text: 'a' }, conflict: { text: 'b' } });
  expect(withDisk(met, file('a')).conflict).toBeUndefined();
});

test('a file that holds the unsaved text is no conflict', () => {
  const met = withDisk(dirty, file('mine'));
  expect(met.conflict).toBeUndefined();
  expect(isDirty(met)).toBe(false);
});

test('keeping mine lets the next save replace what is on disk now', () => {
  const kept = keepMine(withDisk(dirty, file('b')));
  expect(kept).toMatchObject({ text: 'mine', disk: file('b'), conflict: undefined });
  expect(isDirty(kept)).toBe(true);
});

test('taking the disk drops what was typed', () => {
  const taken = takeDisk(withDisk(dirty, file('b')));
  expect(taken).toMatchObject({ text: 'b', conflict: undefined });
  expect(isDirty(taken)).toBe(false);
});

test('what was typed while a save was under way stays unsaved', () => {
  const saved = withSaved({ ...dirty, text: 'mine and more' }, file('mine'));
  expect(saved.text).toBe('mine and more');
  expect(isDirty(saved)).toBe(true);
});

test.each([
  ['one kind of line end stays', 'a\r\nb\r\n', 'a\r\nb\r\n'],
  ['mixed line ends become one', 'a\r\nb\nc\r', 'a\nb\nc\n'],
  ['a byte order mark goes', '\uFEFFname: "m"', 'name: "m"'],
])('%s', (_title, text, expected) => {
  expect(editableText(text)).toBe(expected);
});
