import { expect, test } from 'vitest';

import type { Lane } from '../load/lane.ts';
import { RequestLog } from './request-log.ts';

const lane = (bytes: number, error?: string): Lane =>
  ({
    error,
    startNs: 0,
    responseNs: [1],
    responses: [Buffer.alloc(bytes)],
    message: { sequenceId: 0, stream: 0, step: 0 },
  }) as unknown as Lane;

test('what was asked for is kept up to its limits, over all levels, and what is left out is counted', () => {
  const byCount = new RequestLog({ requestCount: 3, responseBytes: Infinity });
  for (let request = 0; request < 2; request += 1) byCount.note(lane(1));
  expect(byCount.take()).toHaveLength(2);
  for (let request = 0; request < 4; request += 1) byCount.note(lane(1));
  expect(byCount.take()).toHaveLength(1);
  expect(byCount.leftOutCount).toBe(3);

  const byBytes = new RequestLog({ requestCount: Infinity, responseBytes: 10 });
  for (let request = 0; request < 4; request += 1) byBytes.note(lane(6));
  expect(byBytes.take()).toHaveLength(2);
});

test('without limits every answered request is kept', () => {
  const log = new RequestLog();
  for (let request = 0; request < 5; request += 1) log.note(lane(1000));
  log.note(lane(1, 'refused'));
  expect(log.take()).toHaveLength(5);
  expect(log.leftOutCount).toBe(0);
});
