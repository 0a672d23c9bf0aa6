import { describe, expect, test } from 'vitest';

import type { VitestReport } from './second-try.ts';
import {
  caseText,
  choose,
  failedCases,
  passedAgain,
  unsteadyInPlaywright,
  withSecondTry,
  worthAsking,
} from './second-try.ts';

/** By names with ` > ` behind each group. */
type Cases = Readonly<Record<string, 'passed' | 'failed'>>;

function report(files: Readonly<Record<string, Cases>>): VitestReport {
  return {
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: Object.entries(files).map(([name, cases]) => ({
      name,
      status: Object.values(cases).every((status) => status === 'passed') ? 'passed' : 'failed',
      assertionResults: Object.entries(cases).map(([fullName, status]) => ({
        ancestorTitles: fullName.split(' > ').slice(0, -1),
        title: fullName.split(' > ').at(-1) ?? '',
        status,
        failureMessages: status === 'failed' ? ['AssertionError: 1 is not 2\n    at somewhere'] : [],
      })),
    })),
  };
}

describe('a second try', () => {
  test('is for what failed', () => {
    const first = report({ '/a.test.ts': { one: 'passed', two: 'failed' }, '/b.test.ts': { two: 'passed' } });
    const failed = worthAsking(first);
    expect(failed.map(caseText)).toEqual(['a.test.ts > two: AssertionError: 1 is not 2']);
    expect(passedAgain(failed, report({ '/a.test.ts': { two: 'passed' } }))).toEqual(failed);
    expect(passedAgain(failed, report({ '/b.test.ts': { two: 'passed' } }))).toEqual([]);
    expect(passedAgain(failed, report({ '/a.test.ts': { two: 'failed' } }))).toEqual([]);
    expect(passedAgain(failed, undefined)).toEqual([]);
    const counts = withSecondTry({ passed: 2, failed: 1, skipped: 0 }, failed);
    expect(counts).toMatchObject({ passed: 3, failed: 0, unsteady: failed.map(caseText) });
  });

  test('is not for a change that broke many, nor for a file that broke by itself', () => {
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`case ${i}`, 'failed' as const]));
    const first = report({ '/a.test.ts': many });
    expect([failedCases(first).length, worthAsking(first)]).toEqual([6, []]);
    const broken = report({ '/a.test.ts': { one: 'failed' } });
    const file = { name: '/b.test.ts', status: 'failed' as const, assertionResults: [] };
    expect(worthAsking({ ...broken, testResults: [...broken.testResults, file] })).toEqual([]);
  });

  test('asks for the cases by their whole names', () => {
    const name = 'a group (x) > costs $1.00 [a|b]';
    const [failed] = failedCases(report({ '/a.test.ts': { [name]: 'failed' } }));
    const [file, pattern = ''] = choose(failed === undefined ? [] : [failed]);
    const expression = new RegExp(pattern.replace('--testNamePattern=', ''));
    expect(file).toBe('/a.test.ts');
    expect([name, `${name} too`, `not ${name}`].map((text) => expression.test(text))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("is Playwright's own in a browser, and named as well", () => {
    const spec = (title: string, status: string) => ({
      title,
      tests: [{ status, results: [{ error: { message: 'Error: not visible\nCall log:' } }, {}] }],
    });
    const suites = [
      {
        file: 'a.spec.ts',
        specs: [spec('steady', 'expected')],
        suites: [{ file: 'a.spec.ts', specs: [spec('unsteady', 'flaky')] }],
      },
    ];
    expect(unsteadyInPlaywright(suites).map(caseText)).toEqual(['a.spec.ts > unsteady: Error: not visible']);
  });
});
