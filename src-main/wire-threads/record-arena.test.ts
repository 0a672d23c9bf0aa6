import { describe, expect, it } from 'vitest';

import { ArenaReader, ArenaWriter, createArenaMemory } from './record-arena.ts';

describe('memory for records', () => {
  it('is given out in order, and not before what lies there was given back', () => {
    const memory = createArenaMemory(64);
    const writer = new ArenaWriter(memory);
    const reader = new ArenaReader(memory);
    const first = writer.take(24) as number;
    const second = writer.take(24) as number;
    expect([first > 0, first % 8, second]).toEqual([true, 0, first + 24]);
    expect(writer.take(24)).toBeUndefined();
    reader.giveBack(first, 24);
    // Filled to its last byte it would look empty.
    expect([writer.take(16), writer.take(24)]).toEqual([second + 24, undefined]);
    expect(writer.take(16)).toBe(first);
    reader.giveBack(second, 24);
    expect(writer.take(16)).toBe(first + 16);
  });

  it('lies in one piece: what does not fit at the end begins in front', () => {
    const memory = createArenaMemory(64);
    const writer = new ArenaWriter(memory);
    const reader = new ArenaReader(memory);
    const first = writer.take(40) as number;
    reader.giveBack(first, 40);
    expect(writer.take(32)).toBe(first);
    expect(writer.take(8)).toBeUndefined();
  });

  it('is as it was when a piece is not needed after all', () => {
    const writer = new ArenaWriter(createArenaMemory(64));
    const at = writer.take(48);
    writer.undo();
    expect(writer.take(48)).toBe(at);
  });

  it('never gives one byte to two pieces, whatever their sizes', () => {
    const memory = createArenaMemory(1024);
    const writer = new ArenaWriter(memory);
    const reader = new ArenaReader(memory);
    const held: [from: number, byteSize: number][] = [];
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    let taken = 0;
    for (let turn = 0; turn < 20_000; turn += 1) {
      const byteSize = 1 + random(300);
      const at = writer.take(byteSize);
      if (at === undefined || random(3) === 0) {
        const oldest = held.shift();
        if (oldest !== undefined) reader.giveBack(...oldest);
      }
      if (at === undefined) continue;
      taken += 1;
      expect(at + byteSize).toBeLessThanOrEqual(memory.byteLength);
      for (const [from, size] of held) expect(at >= from + size || at + byteSize <= from).toBe(true);
      held.push([at, byteSize]);
    }
    expect(taken).toBeGreaterThan(5000);
  });
});
