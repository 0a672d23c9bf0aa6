import { describe, expect, test } from 'vitest';

import { TensorPrinter } from './tensor-printer.ts';
import { tensorText } from './tensor-text.ts';

const MILLION = Float32Array.from({ length: 1_000_000 }, (_, index) => index / 7);
const bytesOf = ({ buffer }: Float32Array): Uint8Array => new Uint8Array(buffer as ArrayBuffer);

describe('texts of traced tensors', () => {
  test('a small tensor is printed at once', () => {
    expect(new TensorPrinter().print(Uint8Array.of(1, 0), 'BOOL')).toBe('1,0');
  });

  test('the event loop goes on while large ones are printed, in order, of bytes that are gone by then', async () => {
    const printer = new TensorPrinter();
    const bytes = bytesOf(MILLION.slice());
    const texts: number[] = [];
    const printed = [0, 1].map(async (index) => {
      const text = await printer.print(bytes, 'FP32');
      texts.push(index);
      return text;
    });
    bytes.fill(0);
    let turns = 0;
    const turn = setInterval(() => (turns += 1), 5);
    await printer.idle();
    clearInterval(turn);
    expect(turns).toBeGreaterThan(5);
    const expected = tensorText(bytesOf(MILLION), 'FP32');
    expect((await Promise.all(printed)).map((text) => text === expected)).toEqual([true, true]);
    expect(texts).toEqual([0, 1]);
    await printer.idle();
  });
});
