// Weights get pages of their own while sessions open, and tensors of requests come from the arenas again behind them.

import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';

import { WeightPages } from './weight-pages.ts';

const LAUNCHED = { CONCH_MEMORY_SETTINGS: 'MALLOC_MMAP_THRESHOLD_', MALLOC_MMAP_THRESHOLD_: '33554432' };
const MIB = 1024 * 1024;

function noted(env: NodeJS.ProcessEnv): readonly [WeightPages, number[]] {
  const set: number[] = [];
  return [new WeightPages(env, () => (byteSize) => void set.push(byteSize)), set];
}

/** A promise and what settles it. */
function held(): { readonly done: Promise<string>; readonly end: (value: string) => void } {
  let end: (value: string) => void = () => undefined;
  const done = new Promise<string>((resolve) => (end = resolve));
  return { done, end };
}

describe('the threshold', () => {
  test('is small from the first opening to the end of the last one', async () => {
    const [pages, set] = noted(LAUNCHED);
    const [first, second] = [held(), held()];
    const opened = [pages.whileOpening(() => first.done), pages.whileOpening(() => second.done)];
    expect(set).toEqual([MIB]);
    first.end('first');
    await opened[0];
    expect(set).toEqual([MIB]);
    second.end('second');
    expect(await Promise.all(opened)).toEqual(['first', 'second']);
    expect(set).toEqual([MIB, 32 * MIB]);
  });

  test('is what it was when a session cannot be opened', async () => {
    const [pages, set] = noted(LAUNCHED);
    await expect(pages.whileOpening(() => Promise.reject(new Error('no model')))).rejects.toThrow('no model');
    expect(set).toEqual([MIB, 32 * MIB]);
  });

  test.each([
    ['nobody chose one', {}],
    ['the user chose one', { CONCH_MEMORY_SETTINGS: 'MALLOC_ARENA_MAX', MALLOC_MMAP_THRESHOLD_: '65536' }],
  ])('is left alone where %s', async (_, env) => {
    const [pages, set] = noted(env);
    expect(await pages.whileOpening(() => Promise.resolve('open'))).toBe('open');
    expect(set).toEqual([]);
  });

  test('is not asked for again where the C library has none', async () => {
    let loads = 0;
    const pages = new WeightPages(LAUNCHED, () => {
      loads += 1;
      throw new Error('no such library');
    });
    for (const _ of [1, 2]) expect(await pages.whileOpening(() => Promise.resolve('open'))).toBe('open');
    expect(loads).toBe(1);
  });
});

/** In a process of its own: one that has run for a while may have such a block free already, which glibc takes first. */
const ASKS_GLIBC = `
  import koffi from 'koffi';
  import { WeightPages } from './weight-pages.ts';
  const library = koffi.load('libc.so.6');
  const malloc = library.func('malloc', 'uintptr_t', ['size_t']);
  // What glibc notes in front of a block: whether it is pages of its own, which it gives back when it is freed.
  const hasOwnPages = () => {
    const sizeAndFlags = BigInt(koffi.decode(BigInt(malloc(8 * 1024 * 1024)) - 8n, 'uint64_t'));
    return (sizeAndFlags & 2n) !== 0n;
  };
  const pages = new WeightPages(${JSON.stringify(LAUNCHED)});
  const meanwhile = await pages.whileOpening(() => Promise.resolve(hasOwnPages()));
  console.log(JSON.stringify([meanwhile, hasOwnPages()]));
`;

test.skipIf(process.platform !== 'linux')(
  'a block of 8 MiB has pages of its own while a session opens, and none behind that',
  () => {
    const args = ['--input-type=module', '--eval', ASKS_GLIBC];
    const said = execFileSync(process.execPath, args, { cwd: import.meta.dirname, encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual([true, false]);
  },
);
