// What a shell is answered without a window.

import { expect, test } from 'vitest';

import { terminalAnswer } from './terminal-answers.ts';

test.each(['--help', '-h'])('%s lists the options of the app and of the server', (option) => {
  const text = terminalAnswer(['--http-port=1', option], '1.2.3', 'linux');
  expect(text).toMatch(/^Usage: conch \[options\] \[folders and \.onnx files to open\]\n {2}--hidden\n/);
  expect(text).toContain('\n  --http-port <integer>\n');
});

test.each(['--version', '-V'])('%s names the version', (option) => {
  expect(terminalAnswer([option], '1.2.3', 'darwin')).toBe('Conch 1.2.3\n');
});

test('nothing is printed that nobody asked for, nor where there is no terminal', () => {
  expect(terminalAnswer(['--http-port=1'], '1.2.3', 'linux')).toBeUndefined();
  expect(terminalAnswer(['--help'], '1.2.3', 'win32')).toBeUndefined();
});
