// What is done about an engine that ended: started again after a pause, or the program ends.

import { expect, test } from 'vitest';

import { crashesInARow, judgeExit } from './restart-policy.ts';

test.each([
  [{ code: 0, wasListening: true }, 0, { action: 'end', exitCode: 0 }],
  [{ code: 1, wasListening: false }, 0, { action: 'end', exitCode: 1 }],
  [{ code: 1, wasListening: false }, 1, { action: 'restart', delayMs: 500 }],
  [{ signal: 'SIGSEGV', wasListening: false }, 0, { action: 'restart', delayMs: 250 }],
  [{ signal: 'SIGKILL', wasListening: true }, 3, { action: 'restart', delayMs: 2000 }],
  [{ signal: 'SIGSEGV', wasListening: true }, 20, { action: 'restart', delayMs: 30_000 }],
  [{ code: 1, wasStopping: true }, 0, { action: 'end', exitCode: 1 }],
  [{ signal: 'SIGSEGV', wasStopping: true }, 0, { action: 'end', exitCode: 1 }],
])('exit %j after %i crashes', (exit, earlier, verdict) => {
  const whole = {
    code: undefined,
    signal: undefined,
    uptimeMs: 0,
    wasListening: false,
    wasStopping: false,
  };
  expect(judgeExit({ ...whole, ...exit }, earlier)).toEqual(verdict);
});

test('a minute without a crash forgets the earlier ones', () => {
  expect([crashesInARow(4, 59_999), crashesInARow(4, 60_000)]).toEqual([5, 1]);
});
