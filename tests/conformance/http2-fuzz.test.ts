import { expect, test } from 'vitest';

import { EchoCalls } from '../../src-main/testing/echo-calls.ts';
import { fuzzHttp2 } from '../../src-main/testing/http2-fuzz.ts';

test('bent frames are answered with frames, and every connection ends', async () => {
  const calls = new EchoCalls();
  const frameCount = Number(process.env['CONCH_FUZZ_CASES'] ?? '20000');
  const report = await fuzzHttp2(calls.open, calls.path, frameCount, 7);
  expect(report.faults).toEqual([]);
  expect(calls.failures).toEqual([]);
  expect(calls.answered).toBeGreaterThan(report.connectionCount / 20);
  // Settings, answers, resets and goodbyes were among them.
  for (const type of [0, 1, 3, 4, 7]) expect(report.sentByType[type]).toBeGreaterThan(0);
});
