// Index, scopes, what is visible, outline, search: the pure side of a file's graph.

import { describe, expect, test } from 'vitest';

import type { GraphOperator } from '../../../src-shared/contract/graph-calls.ts';
import { fakeChain, fakeGraphData, fakeOperator } from '../../testing/fake-graph.ts';
import { countTypes } from './count-types.ts';
import { findOperators, searchTexts } from './graph-find.ts';
import { indexGraph, operatorName, predecessors, successors } from './graph-index.ts';
import { initiallyOpen, MAX_VISIBLE, scopeTree, visibleCount } from './graph-scopes.ts';
import { closeScope, goToOperator, openAll, openScope } from './graph-steps.ts';
import { outlineRows } from './outline-rows.ts';
import { neighbourhood, visibleGraph } from './visible-graph.ts';

/** An operator of a scope. */
const operator = (opType: string, inputs: string[], outputs: string[], scope = ''): GraphOperator =>
  fakeOperator(opType, inputs, outputs, { scope });

const all = (): boolean => true;
const countText = String;

const small = fakeGraphData([
  operator('Conv', ['x', 'w'], ['a'], 'stem'),
  operator('Relu', ['a'], ['b'], 'stem'),
  operator('Conv', ['b', 'w2'], ['c'], 'body/one'),
  operator('Add', ['c', 'b'], ['y'], 'body/one'),
]);

describe('the index', () => {
  test('knows neighbours, and operators that no input reaches', () => {
    const index = indexGraph(
      fakeGraphData(
        [
          operator('Constant', [], ['k']),
          operator('Unsqueeze', ['w', ''], ['u']),
          operator('Mul', ['k', 'u'], ['folded']),
          operator('Add', ['x', 'folded'], ['y']),
          operator('RandomNormal', [], ['noise']),
        ],
        {
          inputs: [
            { name: 'x', type: 'float', shape: '' },
            { name: 'w', type: 'float', shape: '' },
          ],
          initializers: [{ name: 'w', type: 'float', shape: '[2]', byteSize: 8 }],
        },
      ),
    );
    expect([...index.constants]).toEqual([0, 1, 2]);
    expect(index.inputs.map(({ name }) => name)).toEqual(['x']);
    expect(predecessors(index, 3)).toEqual([2]);
    expect(successors(index, 0)).toEqual([2]);
    expect(index.valueOf('w')).toMatchObject({ shape: '[2]' });
  });

  test('names an operator by the last part of its name, else by what it writes', () => {
    expect(operatorName({ ...operator('Relu', [], ['out/deep']), name: '/a/b/Relu_1' })).toBe('Relu_1');
    expect(operatorName(operator('Relu', [], ['', 'out/deep']))).toBe('deep');
  });
});

describe('scopes', () => {
  test('count what is below them and open while everything fits', () => {
    const tree = scopeTree(indexGraph(small), all);
    expect(tree.byPath.get('body')).toMatchObject({ operatorCount: 2, operators: [] });
    expect([...initiallyOpen(tree)].sort()).toEqual(['body', 'body/one', 'stem']);
    expect(visibleCount(tree.root, new Set(['stem']))).toBe(3);
    expect(countTypes(indexGraph(small), tree.root)[0]).toEqual({ type: 'Conv', count: 2 });
  });

  test('a large graph opens closed', () => {
    const tree = scopeTree(indexGraph(fakeChain(2000, (at) => `s${Math.floor(at / 100)}`)), all);
    expect(tree.isCut).toBe(false);
    expect(initiallyOpen(tree).size).toBe(0);
    expect(visibleCount(tree.root, new Set())).toBe(20);
  });

  test('a large graph without scopes is cut into parts in the order of the file', () => {
    const tree = scopeTree(indexGraph(fakeChain(1750)), all);
    expect(tree.isCut).toBe(true);
    expect(tree.root.scopes.map(({ path }) => path).slice(-1)).toEqual(['1701-1750']);
    expect(tree.scopeOf[150]).toBe('101-200');
  });

  test('a scope too large to be opened is cut as well', () => {
    const tree = scopeTree(indexGraph(fakeChain(2000, (at) => (at < 1900 ? 'big' : 'rest'))), all);
    expect(tree.byPath.get('big')?.scopes).toHaveLength(19);
    expect(openScope(tree, new Set(), 'big').change).toBeDefined();
  });

  test('operators that are folded away count nowhere', () => {
    const tree = scopeTree(indexGraph(small), (at) => at !== 0);
    expect(tree.byPath.get('stem')?.operatorCount).toBe(1);
  });
});

describe('opening and closing', () => {
  const tree = scopeTree(indexGraph(fakeChain(2000, (at) => `s${Math.floor(at / 500)}`)), all);

  test('closes what is beside when both would be too much', () => {
    const first = openScope(tree, new Set(), 's0').change?.open ?? new Set();
    expect([...first]).toEqual(['s0']);
    expect([...(openScope(tree, first, 's1').change?.open ?? [])]).toEqual(['s1']);
  });

  test('opens everything in a scope when asked, and refuses what would not fit even alone', () => {
    const nested = scopeTree(indexGraph(fakeChain(40, (at) => `a/b${at % 2}`)), all);
    expect(openScope(nested, new Set(), 'a').change?.open).toEqual(new Set(['a']));
    expect(openScope(nested, new Set(), 'a', true).change?.open).toEqual(new Set(['a', 'a/b0', 'a/b1']));
    const wide = scopeTree(indexGraph(fakeChain(1200, (at) => `all/s${Math.floor(at / 300)}`)), all);
    expect(openScope(wide, new Set(), 'all', true)).toEqual({ tooMany: 1200 });
    expect(openScope(wide, new Set(), 'all').change?.open).toEqual(new Set(['all']));
  });

  test('an operator whose scope cannot be opened is drawn with what is around it', () => {
    const many = scopeTree(indexGraph(fakeChain(900, (at) => `all/s${at}`)), all);
    expect(goToOperator(many, new Set(), 'scopes', 5)).toEqual({
      selected: 'op:5',
      center: 5,
      mode: 'around',
    });
  });

  test('says how many nodes it would be when it cannot be opened', () => {
    expect(openAll(tree).tooMany).toBe(2000);
    expect(visibleCount(tree.root, new Set(['s0']))).toBeLessThanOrEqual(MAX_VISIBLE);
  });

  test('closing selects what stands for it, and closes what is in it', () => {
    const change = closeScope(new Set(['body', 'body/one', 'bodyguard']), 'body');
    expect(change).toEqual({ open: new Set(['bodyguard']), selected: 'scope:body' });
  });

  test('going to an operator opens the scopes around it', () => {
    const nested = scopeTree(indexGraph(small), all);
    expect(goToOperator(nested, new Set(), 'scopes', 3)).toEqual({
      open: new Set(['body', 'body/one']),
      selected: 'op:3',
    });
    expect(goToOperator(nested, new Set(), 'around', 3)).toEqual({ selected: 'op:3', center: 3 });
  });
});

describe('what is drawn', () => {
  const index = indexGraph(small);
  const tree = scopeTree(index, all);

  test('closed scopes are one node, and lines between two nodes are one', () => {
    const { nodes, edges } = visibleGraph({ index, tree, open: new Set(), drawn: all, countText });
    expect(nodes.map(({ id }) => id)).toEqual(['in:x', 'scope:stem', 'scope:body', 'out:y']);
    expect(edges.map(({ from, to, tensors }) => [from, to, tensors])).toEqual([
      ['in:x', 'scope:stem', ['x']],
      ['scope:stem', 'scope:body', ['b']],
      ['scope:body', 'out:y', ['y']],
    ]);
  });

  test('open scopes show their operators', () => {
    const open = new Set(['stem']);
    const { nodes, edges } = visibleGraph({ index, tree, open, drawn: all, countText });
    expect(nodes.map(({ id }) => id)).toEqual(['in:x', 'op:0', 'op:1', 'scope:body', 'out:y']);
    expect(edges.map(({ id }) => id)).toContain('op:1 scope:body');
  });

  test('a neighbourhood reaches two steps both ways and no further', () => {
    const long = indexGraph(fakeChain(100));
    const { nodes } = neighbourhood(long, 50, { hops: 2, drawn: all, limit: 300 });
    expect(nodes.map(({ id }) => id)).toEqual(['op:48', 'op:49', 'op:50', 'op:51', 'op:52']);
    const ends = neighbourhood(long, 0, { hops: 2, drawn: all, limit: 300 }).nodes.map(({ id }) => id);
    expect(ends).toEqual(['in:x', 'op:0', 'op:1', 'op:2']);
  });

  test('a hub draws as many neighbours as there is room for, and says how many are missing', () => {
    const readers = Array.from({ length: 50 }, (_, at) => operator('Neg', ['hub'], [`n${at}`]));
    const hub = indexGraph(fakeGraphData([operator('Relu', ['x'], ['hub']), ...readers]));
    const { nodes, hiddenCount } = neighbourhood(hub, 0, { hops: 2, drawn: all, limit: 20 });
    expect(nodes.filter(({ kind }) => kind === 'operator')).toHaveLength(20);
    expect(hiddenCount).toBe(31);
  });

  test('a neighbour that is left out counts once, however many ways lead to it', () => {
    const readers = Array.from({ length: 50 }, (_, at) => operator('Neg', ['hub'], [`n${at}`]));
    const joined = operator(
      'Concat',
      readers.flatMap(({ outputs }) => outputs),
      ['y'],
    );
    const hub = indexGraph(fakeGraphData([operator('Relu', ['x'], ['hub']), ...readers, joined]));
    expect(neighbourhood(hub, 0, { hops: 2, drawn: all, limit: 20 }).hiddenCount).toBe(32);
    expect(neighbourhood(hub, 0, { hops: 2, drawn: all, limit: 300 }).hiddenCount).toBe(0);
  });

  test('an input that is the output as well has a line, and operators that are folded away have none', () => {
    const index = indexGraph(
      fakeGraphData([operator('Constant', [], ['k']), operator('Add', ['x', 'k'], ['y'])], {
        outputs: [
          { name: 'y', type: 'float', shape: '' },
          { name: 'x', type: 'float', shape: '' },
        ],
      }),
    );
    const drawn = (at: number): boolean => !index.constants.has(at);
    const { nodes, edges } = visibleGraph({
      ...{ index, drawn, countText },
      tree: scopeTree(index, drawn),
      open: new Set(),
    });
    expect(nodes.map(({ id }) => id)).toEqual(['in:x', 'op:1', 'out:y', 'out:x']);
    expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual(['in:x op:1', 'op:1 out:y', 'in:x out:x']);
  });

  test('a closed scope says what it is of, and how much is in it', () => {
    const index = indexGraph(
      fakeGraphData([operator('Erf', ['x'], ['y'], 'gelu')], { scopeNotes: { gelu: 'function Gelu' } }),
    );
    const { nodes } = visibleGraph({
      ...{ index, drawn: all, open: new Set<string>() },
      tree: scopeTree(index, all),
      countText: (count) => `${count} operators`,
    });
    expect(nodes.find(({ kind }) => kind === 'scope')).toMatchObject({
      title: 'gelu',
      subtitle: 'function Gelu, 1 operators',
    });
  });
});

describe('the outline', () => {
  const index = indexGraph(small);
  const tree = scopeTree(index, all);

  test('lists everything in file order, closed scopes as one row', () => {
    const rows = outlineRows({ index, tree, open: new Set(['stem']), found: undefined });
    expect(rows.map(({ id, level }) => `${level} ${id}`)).toEqual([
      '1 in:x',
      '1 scope:stem',
      '2 op:0',
      '2 op:1',
      '1 scope:body',
      '1 out:y',
    ]);
  });

  test('operators between two parts of a scope stand where the file has them', () => {
    const mixed = indexGraph(
      fakeGraphData([
        operator('Neg', ['x'], ['a'], 'deep/inner'),
        operator('Abs', ['a'], ['b']),
        operator('Relu', ['b'], ['y'], 'late'),
      ]),
    );
    const rows = outlineRows({
      index: mixed,
      tree: scopeTree(mixed, all),
      open: new Set(['deep', 'deep/inner']),
      found: undefined,
    });
    expect(rows.map(({ id, level }) => `${level} ${id}`)).toEqual([
      '1 in:x',
      '1 scope:deep',
      '2 scope:deep/inner',
      '3 op:0',
      '1 op:1',
      '1 scope:late',
      '1 out:y',
    ]);
  });

  test('lists what a search found, flat', () => {
    const found = findOperators(searchTexts(index), 'conv');
    expect(outlineRows({ index, tree, open: new Set(), found }).map(({ id }) => id)).toEqual([
      'op:0',
      'op:2',
    ]);
  });
});

test('a search looks at types, scopes, tensors and shapes, and all words must match', () => {
  const texts = searchTexts(indexGraph(small));
  expect(findOperators(texts, '  ')).toBeUndefined();
  expect(findOperators(texts, 'BODY conv')).toEqual([2]);
  expect(findOperators(texts, 'w2')).toEqual([2]);
  expect(findOperators(texts, '[n, 4]')).toEqual([0, 3]);
  expect(findOperators(texts, 'nothing')).toEqual([]);
});
