// The list beside a drawing of a file: what stands in it, in which order, and what a closed scope leaves of its content.

import { expect, test } from 'vitest';

import { fakeGraphData, fakeOperator } from '../../testing/fake-graph.ts';
import { indexGraph } from './graph-index.ts';
import { scopeTree } from './graph-scopes.ts';
import { outlineRows } from './outline-rows.ts';

const index = indexGraph(
  fakeGraphData([
    fakeOperator('Conv', ['x', 'w'], ['a'], { name: '/stem/Conv', scope: 'stem' }),
    fakeOperator('Cast', ['a'], ['b']),
    fakeOperator('Add', ['b', 'b'], ['c'], { name: '/body/one/Add', scope: 'body/one' }),
    fakeOperator('Relu', ['c'], ['d'], { name: '/body/Relu', scope: 'body' }),
    fakeOperator('Mul', ['d', 'd'], ['y'], { name: '/stem/Mul', scope: 'stem' }),
  ]),
);
const tree = scopeTree(index, () => true);
const rowsOf = (open: readonly string[], found?: readonly number[]) =>
  outlineRows({ index, tree, open: new Set(open), found });
const titles = (...args: Parameters<typeof rowsOf>): readonly string[] =>
  rowsOf(...args).map(({ title, level }) => `${'  '.repeat(level - 1)}${title}`);

test('inputs come first and outputs last; scopes and operators stand where the file begins them', () => {
  expect(titles([])).toEqual(['x', 'stem', 'Cast', 'body', 'y']);
});

test('an open scope lists what is in it one level deeper, and scopes in it stay closed', () => {
  expect(titles(['stem'])).toEqual(['x', 'stem', '  Conv', '  Mul', 'Cast', 'body', 'y']);
  expect(titles(['body'])).toEqual(['x', 'stem', 'Cast', 'body', '  one', '  Relu', 'y']);
  expect(titles(['body', 'body/one'])).toContain('    Add');
  // What is in a closed scope is not listed, whatever is open in it.
  expect(titles(['body/one'])).not.toContain('    Add');
});

test('a scope says how many operators it stands for, and whether it is open', () => {
  const scopes = rowsOf(['body']).filter(({ kind }) => kind === 'scope');
  expect(scopes.map(({ title, isOpen, count }) => [title, isOpen, count])).toEqual([
    ['stem', false, 2],
    ['body', true, 2],
    ['one', false, 1],
  ]);
});

test('tensors have their types, operators the end of their name, or what they write', () => {
  const rows = rowsOf([]);
  expect(rows[0]).toMatchObject({ kind: 'input', title: 'x', detail: 'float[N,4]' });
  expect(rows.find(({ title }) => title === 'Cast')?.detail).toBe('b');
  expect(rowsOf(['stem']).find(({ title }) => title === 'Conv')?.detail).toBe('Conv');
});

test('a search lists what it found and nothing else, in its order, without levels', () => {
  expect(titles(['stem'], [4, 0])).toEqual(['Mul', 'Conv']);
  expect(titles([], [])).toEqual([]);
});

test('no two rows have one id: the drawing and the list select by it', () => {
  const ids = rowsOf(['stem', 'body', 'body/one']).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
