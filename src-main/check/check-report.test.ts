// The report of a check, for people and for programs.

import { expect, test } from 'vitest';

import type { Finding } from '../../src-shared/contract/finding.ts';
import { checkJson, checkText, countFindings } from './check-report.ts';

const finding = (change: Partial<Finding>): Finding => ({
  severity: 'error',
  file: '/repository/m/config.pbtxt',
  line: 0,
  column: 0,
  code: undefined,
  message: 'it is wrong',
  hint: '',
  ...change,
});
const MODELS = [
  { name: 'a', path: '/repository/a', findings: [] },
  {
    name: 'm',
    path: '/repository/m',
    findings: [
      finding({ line: 3, column: 7, code: 'D07', hint: 'Mend it.' }),
      finding({ severity: 'warning', file: '/repository' }),
      finding({ severity: 'info', file: undefined }),
    ],
  },
];

test('for people: a verdict for each model, places, hints, and how many in the end', () => {
  expect(checkText(MODELS, '/repository')).toBe(
    [
      'a: ok',
      'm: failed',
      '  error D07  m/config.pbtxt:3:7: it is wrong',
      '      Mend it.',
      '  warning  /repository: it is wrong',
      '  info  it is wrong',
      '2 models, 1 error, 1 warning',
      '',
    ].join('\n'),
  );
});

test('warnings alone are no failure, and what is about no model comes first', () => {
  const models = [{ ...MODELS[1]!, findings: [finding({ severity: 'warning' })] }];
  expect(checkText(models, '/repository', [finding({ severity: 'warning', file: undefined })])).toBe(
    'server:\n  warning  it is wrong\nm: ok\n  warning  m/config.pbtxt: it is wrong\n1 model, 0 errors, 2 warnings\n',
  );
  expect(countFindings(models)).toEqual({ models: 1, errors: 0, warnings: 1 });
});

test('for programs: every member is there, also where there is nothing to say', () => {
  const report = JSON.parse(checkJson(MODELS)) as { results: { findings: unknown[] }[] };
  expect(report).toMatchObject({ models: 2, errors: 1, warnings: 1 });
  expect(report).not.toHaveProperty('server');
  expect(report.results[1]?.findings[2]).toEqual({
    severity: 'info',
    file: '',
    line: 0,
    column: 0,
    code: '',
    message: 'it is wrong',
    hint: '',
  });
  expect(JSON.parse(checkJson([], [finding({})]))).toMatchObject({
    server: [{ severity: 'error' }],
    errors: 1,
  });
});
