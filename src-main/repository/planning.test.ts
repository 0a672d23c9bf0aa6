// Pure decisions as tables: what a load does to each version, and the order of dependent models.
import { describe, expect, it } from 'vitest';
import { DependencyGraph } from './dependency-graph.ts';
import { transition } from './lifecycle-state.ts';
import type { TransitionFacts } from './transition-policy.ts';
import { planTransition } from './transition-policy.ts';

describe('planTransition', () => {
  const facts = (change: Partial<TransitionFacts>): TransitionFacts => ({
    known: [],
    selected: [],
    isVersionModified: () => false,
    isConfigChanged: false,
    isEnsemble: false,
    isForced: false,
    ...change,
  });
  const known = [
    { version: 1, state: 'READY' },
    { version: 2, state: 'UNAVAILABLE' },
  ] as const;
  const rows: readonly [string, Partial<TransitionFacts>, string[], number[]][] = [
    ['first load starts', { selected: [2, 1] }, ['start 1', 'start 2'], []],
    ['unchanged files update in place', { known, selected: [1] }, ['update 1'], []],
    ['a failed version starts again', { known, selected: [1, 2] }, ['update 1', 'start 2'], []],
    [
      'only the touched version is rebuilt',
      {
        known: [...known, { version: 3, state: 'READY' }],
        selected: [1, 3],
        isVersionModified: (v) => v === 3,
      },
      ['update 1', 'replace 3'],
      [],
    ],
    ['a changed config rebuilds', { known, selected: [1], isConfigChanged: true }, ['replace 1'], []],
    ['ensembles are always rebuilt', { known, selected: [1], isEnsemble: true }, ['replace 1'], []],
    ['force rebuilds', { known, selected: [1], isForced: true }, ['replace 1'], []],
    ['a version that is no longer wanted goes', { known, selected: [3] }, ['start 3'], [1]],
  ];
  it.each(rows)('%s', (_name, change, actions, unload) => {
    const plan = planTransition(facts(change));
    expect(plan.actions.map(({ kind, version }) => `${kind} ${version}`)).toEqual(actions);
    expect(plan.unload).toEqual(unload);
  });
});

describe('transition', () => {
  it('refuses an illegal move and names the version', () => {
    expect(transition('m:1', 'LOADING', 'READY')).toBe('READY');
    expect(() => transition('m:1', 'UNAVAILABLE', 'READY')).toThrow(/m:1: UNAVAILABLE to READY/);
  });
});

describe('DependencyGraph', () => {
  const graph = (edges: Readonly<Record<string, readonly string[]>>): DependencyGraph => {
    const made = new DependencyGraph();
    for (const [key, needs] of Object.entries(edges)) {
      const [name = '', namespace = ''] = key.split('@');
      made.set({ id: { namespace, name }, needs, isExplicit: false });
    }
    return made;
  };

  it('loads deepest models first', () => {
    const made = graph({ outer: ['inner', 'a'], inner: ['b'], a: [], b: [] });
    const pending = made.withDependencies(['outer']);
    const waves: string[][] = [];
    while (pending.size > 0) {
      const wave = made.nextWave(pending);
      waves.push([...wave].sort());
      for (const key of wave) pending.delete(key);
    }
    expect(waves).toEqual([['a', 'b'], ['inner'], ['outer']]);
  });

  it('finds ensembles above a model transitively', () => {
    const made = graph({ outer: ['inner'], inner: ['b'], b: [], other: [] });
    expect([...made.withDependents(['b'])].sort()).toEqual(['b', 'inner', 'outer']);
  });

  it('names a circle from its start, self reference included', () => {
    const made = graph({ x: ['y'], y: ['z'], z: ['x'], self: ['self'], free: ['x'] });
    expect(made.circleThrough('x')).toEqual(['x', 'y', 'z', 'x']);
    expect(made.circleThrough('self')).toEqual(['self', 'self']);
    expect(made.circleThrough('free')).toBeUndefined();
  });

  it('prefers the same namespace, else the only candidate, else nothing', () => {
    const both = graph({ 'e@r1': ['m'], 'm@r1': [], 'm@r2': [], 'e2@r3': ['m'] });
    expect(both.resolve('r1::e').found.get('m')).toBe('r1::m');
    expect(both.resolve('r3::e2').missing).toEqual(['m']);
    const one = graph({ 'e@r1': ['m'], 'm@r2': [] });
    expect(one.resolve('r1::e').found.get('m')).toBe('r2::m');
    expect(both.changedSince(one)).toEqual(['r1::e', 'r3::e2']);
  });

  it('copies without sharing', () => {
    const made = graph({ e: ['m'], m: [] });
    const copy = new DependencyGraph(made);
    copy.remove('m');
    expect(made.named('m')).toEqual(['m']);
    expect(copy.resolve('e').missing).toEqual(['m']);
  });
});
