// Cutting command lines, with faults thrown and with faults noted.

import { expect, test } from 'vitest';

import type { ArgvFault, ScannableOption } from './argv-scanner.ts';
import { scanArgv } from './argv-scanner.ts';

const OPTIONS: readonly ScannableOption[] = [
  { name: 'port', short: 'p', argument: 'n' },
  { name: 'path', argument: 'text' },
  { name: 'verbose', short: 'v', argument: undefined },
  { name: undefined, short: 'm', argument: 'model' },
];

function scan(...args: readonly string[]) {
  const faults: ArgvFault<ScannableOption>[] = [];
  const { options, positional } = scanArgv(args, OPTIONS, (fault) => void faults.push(fault));
  return {
    options: options.map(({ option, value }) => `${option.name ?? option.short}=${value}`),
    positional,
    faults: faults.map(({ kind, words }) => `${kind}: ${words}`),
  };
}

test.each([
  [
    ['--port', '1', '--port=2'],
    ['port=1', 'port=2'],
  ],
  [['--po', '1'], ['port=1']],
  [['--path', '-x'], ['path=-x']],
  [['--path='], ['path=']],
  [
    ['-p1', '-p', '2'],
    ['port=1', 'port=2'],
  ],
  [
    ['-vp', '3'],
    ['verbose=', 'port=3'],
  ],
  [['-vvmx'], ['verbose=', 'verbose=', 'm=x']],
])('%j', (args, options) => {
  expect(scan(...args)).toEqual({ options, positional: [], faults: [] });
});

test('what is no option is positional, and so is everything behind two dashes', () => {
  expect(scan('a', '--verbose', '-', '--', '--port', '1')).toEqual({
    options: ['verbose='],
    positional: ['a', '-', '--port', '1'],
    faults: [],
  });
});

test.each([
  [['--nope=1', '-v'], 'unknown: --nope=1'],
  [['--nope', '1', '-v'], 'unknown: --nope=1'],
  [['--nope', '-v'], 'unknown: --nope'],
  [['--=1', '-v'], 'unknown: --=1'],
  [['--p', '1', '-v'], 'ambiguous: --p=1'],
  [['-vx'], 'unknown-letter: -vx'],
  [['-v', '--port'], 'value-missing: --port'],
  [['--verbose=1', '-v'], 'value-unexpected: --verbose=1'],
])('%j has a fault, and the rest is read', (args, fault) => {
  expect(scan(...args)).toEqual({ options: ['verbose='], positional: [], faults: [fault] });
});

test('the nearest name is told', () => {
  let near: string | undefined;
  scanArgv(['--prot=1'], OPTIONS, (fault) => {
    near = fault.kind === 'unknown' ? fault.near : '';
  });
  expect(near).toBe('port');
});

test('a fault that throws ends the scan', () => {
  const scanStrictly = () =>
    scanArgv(['--nope'], OPTIONS, ({ kind }) => {
      throw new Error(kind);
    });
  expect(scanStrictly).toThrow('unknown');
});
