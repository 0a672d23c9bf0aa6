import { describe, expect, test } from 'vitest';

import { countsOf } from './suite.ts';
import type { Counts, Suite } from './suite.ts';
import { SuiteRunner } from './suite-runner.ts';

const PASSED: Counts = { passed: 1, failed: 0, skipped: 0 };

/** A machine of `cores`, whose suites end when they are told to. */
class HandMachine {
  readonly said: string[] = [];
  readonly started: string[] = [];
  readonly granted: Record<string, number> = {};
  readonly closed: string[] = [];
  readonly runner: SuiteRunner;
  nowMs = 0;
  readonly #ends = new Map<string, (counts: Counts | Error) => void>();

  constructor(cores: number, suites: readonly Partial<Suite>[]) {
    this.runner = new SuiteRunner({
      cores,
      suites: suites.map((suite) => this.#suite(suite)),
      nowMs: () => this.nowMs,
      say: (text) => this.said.push(text),
      openShell: ({ name }, granted) => {
        this.granted[name] = granted;
        return {
          cores: granted,
          run: () => Promise.resolve(0),
          say: (text) => this.said.push(text),
          output: () => Promise.resolve(`output of ${name}`),
          close: () => Promise.resolve(void this.closed.push(name)),
        };
      },
    });
  }

  #suite(suite: Partial<Suite>): Suite {
    const name = suite.name ?? '';
    return {
      name,
      checks: '',
      cores: 1,
      usualSeconds: 100,
      run: () =>
        new Promise((resolve, reject) => {
          this.started.push(name);
          this.#ends.set(name, (outcome) => {
            if (outcome instanceof Error) reject(outcome);
            else resolve(outcome);
          });
        }),
      ...suite,
    };
  }

  /** Ends a suite, and lets what follows from it happen. */
  async end(name: string, outcome: Counts | Error = PASSED): Promise<void> {
    this.#ends.get(name)?.(outcome);
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }
}

describe('suites run side by side', () => {
  test('as many as the cores allow, in their order, smaller ones beside a wide one that waits', async () => {
    const machine = new HandMachine(2, [
      { name: 'a' },
      { name: 'b' },
      { name: 'wide', cores: 2 },
      { name: 'c' },
    ]);
    const results = machine.runner.run();
    await machine.settle();
    expect(machine.started).toEqual(['a', 'b']);
    await machine.end('a');
    expect(machine.started).toEqual(['a', 'b', 'c']);
    await machine.end('b');
    expect(machine.started).toEqual(['a', 'b', 'c']);
    await machine.end('c');
    expect(machine.started).toEqual(['a', 'b', 'c', 'wide']);
    await machine.end('wide');
    expect((await results).map(({ suite }) => suite.name)).toEqual(['a', 'b', 'c', 'wide']);
  });

  test('one that asks for more than the machine has gets all of it', async () => {
    const machine = new HandMachine(2, [{ name: 'huge', cores: Number.POSITIVE_INFINITY }, { name: 'a' }]);
    void machine.runner.run();
    await machine.settle();
    expect(machine.started).toEqual(['huge']);
    expect(machine.granted).toEqual({ huge: 2 });
    await machine.end('huge');
    expect(machine.started).toEqual(['huge', 'a']);
  });

  test('one that needs another waits for it, but not for one that is no part of the run', async () => {
    const machine = new HandMachine(4, [
      { name: 'second', after: ['first', 'absent'] },
      { name: 'first' },
      { name: 'free', after: ['absent'] },
    ]);
    void machine.runner.run();
    await machine.settle();
    expect(machine.started).toEqual(['first', 'free']);
    await machine.end('first');
    expect(machine.started).toEqual(['first', 'free', 'second']);
  });
});

describe('what is told', () => {
  test('a line per suite, and the end of its output where it failed', async () => {
    const machine = new HandMachine(2, [{ name: 'good' }, { name: 'bad' }]);
    const results = machine.runner.run();
    await machine.settle();
    machine.nowMs = 30_000;
    expect(machine.runner.progress()).toBe('running: good (30 s), bad (30 s)');
    await machine.end('good', { passed: 3, failed: 0, skipped: 1 });
    await machine.end('bad', { passed: 3, failed: 2, skipped: 0 });
    await results;
    expect(machine.said).toEqual([
      'good: 3 passed, 0 failed, 1 skipped (30 s)',
      '--- bad, the end of what it printed:\noutput of bad\n---',
      'bad: 3 passed, 2 failed, 0 skipped (30 s)',
    ]);
    expect(machine.runner.progress()).toBeUndefined();
  });

  test('a suite that takes long is named, and goes on', async () => {
    const machine = new HandMachine(1, [{ name: 'slow', usualSeconds: 10 }]);
    const results = machine.runner.run();
    await machine.settle();
    machine.nowMs = 21_000;
    await machine.end('slow');
    expect((await results)[0]?.counts).toEqual(PASSED);
    expect(machine.said).toEqual(['slow: 1 passed, 0 failed, 0 skipped (21 s; SLOW, 10 s are usual)']);
  });

  test('one that cannot run here is one skipped case, with the reason', async () => {
    const machine = new HandMachine(1, [{ name: 'gpu', missing: () => 'there is no GPU' }]);
    const results = await machine.runner.run();
    expect(machine.started).toEqual([]);
    expect(results[0]?.counts).toEqual({ passed: 0, failed: 0, skipped: 1 });
    expect(machine.said).toEqual(['gpu: 0 passed, 0 failed, 1 skipped (there is no GPU) (0 s)']);
  });

  test('one that cannot even be started failed, and the others go on', async () => {
    const machine = new HandMachine(1, [{ name: 'broken' }, { name: 'next' }]);
    const results = machine.runner.run();
    await machine.settle();
    await machine.end('broken', new Error('no such program'));
    await machine.end('next');
    expect((await results).map(({ counts }) => counts.failed)).toEqual([1, 0]);
    expect(machine.said[0]).toBe('broken: no such program');
  });
});

describe('counts of a program', () => {
  test.each([
    [
      'its last line of counts',
      0,
      '1 passed, 0 failed, 0 skipped\nx: 4 passed, 0 failed, 2 skipped\n',
      [4, 0, 2],
    ],
    ['one case where it has none', 0, 'fine', [1, 0, 0]],
    ['one failed case where it has none', 3, 'oh', [0, 1, 0]],
    ['a failure that it did not count', 3, '4 passed, 0 failed, 0 skipped', [4, 1, 0]],
  ])('%s', (_what, code, output, [passed, failed, skipped]) => {
    expect(countsOf(code, output)).toEqual({ passed, failed, skipped });
  });
});
