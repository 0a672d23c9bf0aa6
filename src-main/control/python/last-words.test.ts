// The texts are those of uv 0.13, uv 0.4, pip 23 and pip 26.

import { describe, expect, test } from 'vitest';

import { lastWords } from './last-words.ts';

describe('what a failed program said', () => {
  test.each([
    [
      'uv without a network: the error with its causes',
      [
        'Using Python 3.11.7 environment at: t/env',
        'error: Request failed after 3 retries in 10.5s',
        '  cause: Failed to fetch: https://pypi.org/simple/numpy/',
        '  cause: client error (Connect)',
        '  cause: Connection refused (os error 111)',
      ],
      'error: Request failed after 3 retries in 10.5s: Failed to fetch: https://pypi.org/simple/numpy/: client error (Connect): Connection refused (os error 111)',
    ],
    [
      'uv and a package that does not exist',
      [
        'error: No solution found when resolving dependencies',
        '  Caused by: Because none was not found in the package registry, your requirements are unsatisfiable.',
      ],
      'error: No solution found when resolving dependencies: Because none was not found in the package registry, your requirements are unsatisfiable.',
    ],
    ['an error without causes', ['error: Failed to fetch numpy', ''], 'error: Failed to fetch numpy'],
    [
      'pip without a network: that the index was not reached',
      [
        `WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError("Failed to establish a new connection: [Errno 111] Connection refused")': /simple/numpy/`,
        'ERROR: Could not find a version that satisfies the requirement numpy (from versions: none)',
        'ERROR: No matching distribution found for numpy',
      ],
      'ERROR: No matching distribution found for numpy: the package index was not reached: NewConnectionError("Failed to establish a new connection: [Errno 111] Connection refused")',
    ],
    [
      'pip and a package that does not exist',
      ['ERROR: No matching distribution found for none', ''],
      'ERROR: No matching distribution found for none',
    ],
    [
      'a traceback',
      [
        'Traceback (most recent call last):',
        '  File "x.py", line 1',
        "ModuleNotFoundError: No module named 'x'",
      ],
      "ModuleNotFoundError: No module named 'x'",
    ],
    ['a program that names no error', ['first', 'last', ''], 'last'],
    ['a program that said nothing', [' '], 'ended with code 1'],
  ])('%s', (_, lines, words) => {
    expect(lastWords(lines, 'ended with code 1')).toBe(words);
  });
});
