// Steps that were made beside the editor, taken back and made again.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { ConfigFile } from '../../../src-shared/contract/config-calls.ts';
import { draftOf, dropDrafts, newDraft, putDraft, setDraftText } from '../../config/drafts/config-drafts.ts';
import { canRedo, canUndo, changeText, redoText, stepsOf, textSteps, undoText } from './text-undo.ts';

const FILE: ConfigFile = {
  exists: true,
  text: 'a',
  hash: 'h',
  path: '/m/config.pbtxt',
  readOnlyReason: undefined,
  refusal: undefined,
};

beforeEach(() => putDraft(newDraft('m', FILE)));

afterEach(() => {
  dropDrafts(['m']);
  textSteps.setState({ byDocument: {} });
});

const textOf = (): string => draftOf('m')?.text ?? '';
const steps = () => stepsOf('m');

test('steps are taken back one by one and made again in the same order', () => {
  for (const text of ['b', 'c', 'd']) changeText('m', text);
  expect([undoText('m'), undoText('m'), textOf()]).toEqual([true, true, 'b']);
  expect([redoText('m'), textOf()]).toEqual([true, 'c']);
  expect([redoText('m'), textOf(), redoText('m')]).toEqual([true, 'd', false]);
  expect([undoText('m'), undoText('m'), undoText('m'), undoText('m')]).toEqual([true, true, true, false]);
  expect(textOf()).toBe('a');
});

test('a new step forgets what was taken back', () => {
  changeText('m', 'b');
  undoText('m');
  changeText('m', 'c');
  expect(redoText('m')).toBe(false);
  expect(textOf()).toBe('c');
});

test('what was typed in the editor meanwhile is never overwritten', () => {
  changeText('m', 'b');
  setDraftText('m', 'typed');
  expect(canUndo(steps(), textOf())).toBe(false);
  expect([undoText('m'), textOf()]).toEqual([false, 'typed']);
  setDraftText('m', 'b');
  expect(canUndo(steps(), textOf())).toBe(true);
  undoText('m');
  setDraftText('m', 'typed');
  expect(canRedo(steps(), textOf())).toBe(false);
  expect([redoText('m'), textOf()]).toEqual([false, 'typed']);
});

test('what changes nothing is no step, and a document that is not open has none', () => {
  changeText('m', 'a');
  expect(steps().done).toEqual([]);
  changeText('absent', 'b');
  expect(stepsOf('absent')).toEqual({ done: [], undone: [] });
  expect([undoText('absent'), redoText('absent')]).toEqual([false, false]);
});

test('fifty steps are kept', () => {
  for (let at = 0; at < 60; at += 1) changeText('m', `text ${at}`);
  let count = 0;
  while (undoText('m')) count += 1;
  expect([count, textOf()]).toEqual([50, 'text 9']);
});
