import { describe, expect, test } from 'vitest';
import { PingStrikes } from './ping-strikes.ts';

const OPTIONS = {
  maxPingStrikes: 2,
  minRecvPingIntervalWithoutDataMs: 1000,
  keepalivePermitWithoutCalls: false,
};

/** Verdicts of pings [ms, bytes sent until then] on a connection with a call, or idle. */
function verdicts(
  pings: readonly (readonly [number, number])[],
  change: Partial<typeof OPTIONS> = {},
  isIdle = false,
): boolean[] {
  const strikes = new PingStrikes({ ...OPTIONS, ...change });
  return pings.map(([nowMs, sentBytes]) => strikes.isTooMany(nowMs, isIdle, sentBytes));
}

describe('pings that come too soon', () => {
  test('the third strike is one too many', () => {
    expect(verdicts([0, 1, 2, 3].map((at) => [at, at * 17]))).toEqual([false, false, false, true]);
  });

  test('pings at the interval are no strikes', () => {
    expect(verdicts([0, 1000, 2000, 3000, 4000].map((at) => [at, 0]))).not.toContain(true);
  });

  test('sending anything clears them', () => {
    expect(
      verdicts([
        [0, 0],
        [1, 17],
        [2, 34],
        [3, 500],
        [4, 517],
        [5, 534],
        [6, 551],
      ]),
    ).toEqual([false, false, false, false, false, false, true]);
  });

  test('without calls the interval is two hours, unless that is permitted', () => {
    const pings = [0, 2000, 4000, 6000].map((at) => [at, 0] as const);
    expect(verdicts(pings, {}, true)).toEqual([false, false, false, true]);
    expect(verdicts(pings, { keepalivePermitWithoutCalls: true }, true)).not.toContain(true);
  });

  test('0 strikes are any number', () => {
    expect(
      verdicts(
        Array.from({ length: 50 }, (_, at) => [at, 0]),
        { maxPingStrikes: 0 },
      ),
    ).not.toContain(true);
  });
});
