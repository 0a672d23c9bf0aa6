// Version texts of clients as a table.
import { describe, expect, it } from 'vitest';
import { parseVersion } from './version-text.ts';

describe('parseVersion', () => {
  const good: readonly [string, number | bigint][] = [
    ['', -1],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['3', 3],
    ['003', 3],
    ['7abc', 7],
    ['0', 0],
  ];
  it.each(good)('%j is %s', (text, version) => {
    expect(parseVersion(text)).toBe(version);
  });

  const bad: readonly [string, string][] = [
    [
      'abc',
      "failed to get model version from specified version string 'abc' (details: stol), version should be an integral value > 0",
    ],
    [
      '99999999999999999999',
      "failed to get model version from specified version string '99999999999999999999' (details: stol), version should be an integral value > 0",
    ],
    ['-1', "invalid model version specified '-1' , version should be an integral value > 0"],
  ];
  it.each(bad)('%j is refused', (text, message) => {
    expect(() => parseVersion(text)).toThrow(message);
  });
});
