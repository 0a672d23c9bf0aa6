// The usage text of `conch serve`.

import { describe, expect, test } from 'vitest';
import { SERVER_OPTIONS } from '../options/option-table.ts';
import { parseServeOptions } from './serve-options.ts';
import { usageText } from './usage.ts';

describe('usage', () => {
  const text = usageText(SERVER_OPTIONS);

  test('names every option once, with its argument', () => {
    for (const flag of SERVER_OPTIONS) {
      const head = flag.argument === undefined ? `  --${flag.name}` : `  --${flag.name} <${flag.argument}>`;
      expect(
        text.split('\n').filter((line) => line === head),
        head,
      ).toHaveLength(1);
    }
  });

  test('is what help asks for, whatever is wrong behind it', () => {
    expect(parseServeOptions(['--load-model=x', '--help', '--http-port=x', '--nonsense'])).toBe('help');
    expect(() => parseServeOptions(['--http-port=x', '--help'])).toThrow('Invalid option value. Got x');
    expect(() => parseServeOptions(['--nonsense', '--help'])).toThrow();
    expect(text.startsWith('Usage: tritonserver [options]\n')).toBe(true);
  });

  test('wraps descriptions', () => {
    const long = text.split('\n').filter((line) => line.startsWith('\t') && line.length > 75);
    expect(long).toEqual([]);
  });
});
