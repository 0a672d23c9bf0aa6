// Which version answers, by the number that was asked for.

import { expect, it } from 'vitest';
import { echoWorld, model } from '../testing/echo-world.ts';

const world = echoWorld();

it('takes -1 for the newest that is ready, and any other number below zero for one that nobody has', async () => {
  const f = await world.start({ files: model('m') });
  await f.repository.load('m');
  expect(f.repository.find('m', -1).version).toBe('1');
  expect(f.repository.find('m', 1).version).toBe('1');
  for (const version of [-2, 0, 2])
    expect(() => f.repository.find('m', version)).toThrow(
      `Request for unknown model: 'm' version ${version} is not found`,
    );
});
