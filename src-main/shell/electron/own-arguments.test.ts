// The app's command line: what is ours, what is Chromium's, what is to be opened.

import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { SERVER_OPTIONS } from '../../options/option-table.ts';
import { isForeignSwitch } from './foreign-switches.ts';
import { engineOptions, optionValue, ownArguments } from './own-arguments.ts';

const names = SERVER_OPTIONS.map(({ name }) => name);
const own = (argv: readonly string[], isPackaged = true) =>
  ownArguments({ argv: ['/e', ...argv], isPackaged, appPath: '/app', workingFolder: '/here' });

describe('switches', () => {
  test.each([
    '--no-sandbox',
    '--inspect=0',
    '--remote-debugging-port=0',
    '--gtk-version=3',
    '--ozone-platform-hint=auto',
    '--force-device-scale-factor=2',
    '--disable-gpu',
    '--js-flags=--max-old-space-size=100',
    '-psn_0_12345',
  ])('%s is foreign', (argument) => {
    expect(isForeignSwitch(argument, names)).toBe(true);
  });

  test.each(names.map((name) => `--${name}`))('%s is ours', (argument) => {
    expect(isForeignSwitch(argument, names)).toBe(false);
    expect(isForeignSwitch(`${argument}=1`, names)).toBe(false);
  });

  test.each(['--disable-auto-complete-confg', '--http-prt=1', '--nonsense', '-x'])(
    '%s is a slip of the user',
    (argument) => {
      expect(isForeignSwitch(argument, names)).toBe(false);
    },
  );
});

describe('arguments', () => {
  test('before the folder of the app they are not ours', () => {
    expect(own(['--inspect=0', '/app', '--http-port=0', '--no-sandbox'], false)).toEqual({
      options: ['--http-port=0'],
      paths: [],
      isHidden: false,
    });
    expect(own(['/app'], false).options).toEqual([]);
  });

  test('a value may follow its option, and what is left over is to be opened', () => {
    expect(own(['--http-port', '1', 'a.onnx', '--model-repository=/m', '/b/model'])).toEqual({
      options: ['--http-port=1', '--model-repository=/m'],
      paths: [path.resolve('/here/a.onnx'), path.resolve('/b/model')],
      isHidden: false,
    });
  });

  test('what cannot be read is left to whoever says why', () => {
    expect(own(['--nonsense', 'a.onnx'])).toEqual({
      options: ['--nonsense', 'a.onnx'],
      paths: [],
      isHidden: false,
    });
  });

  test('a start at log-in has no window', () => {
    expect(own(['--hidden'])).toEqual({ options: [], paths: [], isHidden: true });
  });

  test('a packaged app without a repository shows its first page', () => {
    expect(engineOptions([], true)).toEqual(['--ui', '--no-repository']);
    expect(engineOptions(['--model-repository=/m'], true)).toEqual(['--ui', '--model-repository=/m']);
    expect(engineOptions([], false)).toEqual(['--ui']);
  });

  test('a value in both spellings', () => {
    expect(optionValue(['--user-data=/a', '--user-data', '/b'], 'user-data')).toBe('/b');
    expect(optionValue([], 'user-data')).toBeUndefined();
  });
});
