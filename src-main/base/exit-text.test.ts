import { describe, expect, it } from 'vitest';

import { exitCodeText } from './exit-text.ts';

describe('exitCodeText', () => {
  it.each([0, 1, 134, 255])('tells the code %i of a program as it is', (code) => {
    expect(exitCodeText(code)).toBe(`exit code ${code}`);
  });

  it('says what a fault of Windows is, signed or not', () => {
    expect(exitCodeText(3_221_225_477)).toBe('exit code 0xC0000005, access violation');
    expect(exitCodeText(-1_073_741_819)).toBe('exit code 0xC0000005, access violation');
    expect(exitCodeText(0xc000_00fd)).toBe('exit code 0xC00000FD, stack overflow');
  });

  it.each([null, undefined])('%s is a code that nobody was told', (code) => {
    expect(exitCodeText(code)).toBe('exit code unknown');
  });
});
