import { describe, expect, it } from 'vitest';
import { parametersFromWire, parametersToWire } from './wire-parameters.ts';

describe('parameters on their way to a Python model', () => {
  it('keeps the kind and all digits of numbers', () => {
    const wire = parametersToWire(
      new Map<string, bigint | number | string | boolean>([
        ['whole', 9_223_372_036_854_775_807n],
        ['real', 5],
        ['text', 'x'],
        ['truth', true],
      ]),
    );
    expect(wire).toEqual({ whole: ['9223372036854775807'], real: 5, text: 'x', truth: true });
  });

  it('keeps the doubles that JSON has no number for', () => {
    const wire = parametersToWire(
      new Map([
        ['none', NaN],
        ['end', Infinity],
        ['start', -Infinity],
        ['zero', -0],
      ]),
    );
    expect(JSON.parse(JSON.stringify(Object.values(wire)))).toEqual([
      ['NaN', 'd'],
      ['Infinity', 'd'],
      ['-Infinity', 'd'],
      ['-0', 'd'],
    ]);
  });

  it('reads what a model sends', () => {
    expect([...parametersFromWire({ a: ['-5'], b: 'x', c: false })]).toEqual([
      ['a', -5n],
      ['b', 'x'],
      ['c', false],
    ]);
  });
});
