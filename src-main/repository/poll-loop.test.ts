import { expect, test } from 'vitest';

import { internal } from '../../src-shared/errors.ts';
import { addLogSink, setLogSwitches } from '../base/log.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { PollLoop } from './poll-loop.ts';

test('each round is told, a failed one by code and reason, and the next comes all the same', async () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const remove = addLogSink(({ level, message }) => told.push(`${level} ${message}`));
  setLogSwitches({ verboseLevel: 1 });
  let rounds = 0;
  const loop = new PollLoop({
    clock,
    intervalMs: 1000,
    round: () => {
      rounds += 1;
      return rounds === 1 ? Promise.reject(internal('the disk is gone')) : Promise.resolve();
    },
  });
  loop.start();
  await clock.advance(1000);
  await loop.close();
  setLogSwitches({ verboseLevel: 0 });
  remove();
  expect(told).toEqual([
    'verbose Polling model repository',
    'error failed to poll model repository: Internal - the disk is gone',
    'verbose Polling model repository',
  ]);
});
