// One repository that does not answer holds up none of the others, and its late answer is not lost.

import { expect, test } from 'vitest';

import { AnswerWaits } from '../../repository/answer-waits.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { locationsOf, PatientListings } from './patient-listings.ts';

const at = (repository: string, name: string) => ({ repository, name, path: `${repository}/${name}` });
const held = (repository: string, name: string) => ({
  locations: [at(repository, name)],
  unreadable: new Map<string, string>(),
});

test('what answers is listed; what does not is waited for once, and told when it answers', async () => {
  const clock = new FakeClock();
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof held>>();
  const asked: string[] = [];
  let lateCount = 0;
  const listings = new PatientListings({
    clock,
    ask: (root) => {
      asked.push(root);
      return root === '/slow' ? promise : Promise.resolve(held(root, 'a'));
    },
    onLate: () => (lateCount += 1),
  });
  const roots = ['/fast', '/slow'];
  for (let round = 0; round < 2; round += 1) {
    const listing = listings.locate(roots);
    await clock.advance(2000);
    const listed = await listing;
    expect(listed.locations).toEqual([at('/fast', 'a')]);
    expect([...listed.waiting.keys()]).toEqual(['/slow']);
    const known = [{ location: at('/slow', 'known') }, { location: at('/fast', 'gone') }];
    expect(locationsOf(listed, roots, known)).toEqual([at('/fast', 'a'), at('/slow', 'known')]);
  }
  expect(asked).toEqual(['/fast', '/slow', '/fast']);
  resolve(held('/slow', 'b'));
  await expect.poll(() => lateCount).toBe(1);
  const { locations, waiting } = await listings.locate(roots);
  expect([locations.length, waiting.size]).toEqual([2, 0]);
  expect(asked).toEqual(['/fast', '/slow', '/fast', '/fast']);
});

test('a repository that is given up answers nobody until it is asked again', async () => {
  const waits = new AnswerWaits();
  const waiting = waits.of('/slow', () => new Promise<never>(() => undefined));
  waits.giveUp('/slow');
  await expect(waiting).rejects.toThrow("repository '/slow' did not answer and is not waited for any more");
  await expect(waits.of('/slow', () => Promise.resolve(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(waits.of('/other', () => Promise.resolve(1))).resolves.toBe(1);
  waits.askAgain();
  await expect(waits.of('/slow', () => Promise.resolve(1))).resolves.toBe(1);
});
