import { describe, expect, test } from 'vitest';
import { judgeEnd, type EarlierEnd } from './crash-blame.ts';

const FAULT = { code: undefined, signal: 'SIGSEGV' };
const KILLED = { code: undefined, signal: 'SIGKILL' };
const OUT_OF_MEMORY = { ...KILLED, ranOutOfMemory: true };
const BY_PERSON = { ...KILLED, ranOutOfMemory: false };
const ERROR = { code: 1, signal: undefined };

const earlier = (
  suspects: string[],
  model: string | undefined = undefined,
  active = suspects,
): EarlierEnd => ({
  suspects,
  active,
  model,
});

describe('who ended the engine', () => {
  test.each([
    [FAULT, ['l'], ['e'], ['l']],
    [FAULT, [], ['e'], ['e']],
    [OUT_OF_MEMORY, ['l'], ['e'], ['l']],
    [KILLED, ['l'], ['e'], ['l']],
    [{ code: 137, signal: undefined }, ['l'], ['e'], ['l']],
    [KILLED, [], ['e'], []],
    [BY_PERSON, ['l'], ['e'], []],
    [{ code: undefined, signal: 'SIGTERM' }, ['l'], [], []],
    [ERROR, ['l'], ['e'], []],
    [{ code: undefined, signal: undefined }, ['l'], ['e'], []],
  ])('end %j while %j load and %j execute: suspects %j', (end, loading, executing, suspects) => {
    expect(judgeEnd(end, { loading, executing }, undefined).suspects).toEqual(suspects);
  });

  test.each([
    [FAULT, ['a'], [], 'a'],
    [FAULT, ['a', 'b'], [], undefined],
    [FAULT, ['a', 'b'], ['b', 'x'], 'b'],
    [FAULT, ['a', 'b'], ['a', 'b'], undefined],
    [FAULT, [], ['a'], undefined],
    [OUT_OF_MEMORY, ['a'], [], undefined],
    [OUT_OF_MEMORY, ['a'], ['a'], 'a'],
    [BY_PERSON, ['a'], ['a'], undefined],
    [ERROR, ['a'], ['a'], undefined],
  ])('end %j, suspects %j after %j: %j', (end, loading, previous, culprit) => {
    expect(judgeEnd(end, { loading, executing: [] }, earlier(previous)).culprit).toBe(culprit);
  });

  test('a blamed model is cleared when the same others end the engine without it', () => {
    const before = earlier(['l'], 'l', ['l', 'e']);
    expect(judgeEnd(FAULT, { loading: ['x'], executing: ['e'] }, before)).toEqual({
      suspects: ['x'],
      culprit: 'e',
      innocent: 'l',
    });
    const two = earlier(['l'], 'l', ['l', 'e', 'f']);
    expect(judgeEnd(FAULT, { loading: [], executing: ['e', 'f'] }, two)).toMatchObject({
      culprit: undefined,
      innocent: 'l',
    });
  });

  test('it stays blamed while it is among those that end the engine, or others do', () => {
    const before = earlier(['l'], 'l', ['l', 'e']);
    expect(judgeEnd(FAULT, { loading: ['l'], executing: ['e'] }, before)).toMatchObject({
      culprit: 'l',
      innocent: undefined,
    });
    expect(judgeEnd(FAULT, { loading: ['x'], executing: [] }, before)).toMatchObject({
      culprit: 'x',
      innocent: undefined,
    });
    expect(judgeEnd(ERROR, { loading: [], executing: ['e'] }, before)).toMatchObject({ innocent: undefined });
  });
});
