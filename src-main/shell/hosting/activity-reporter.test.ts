// What the process above hears about models that are in native code.

import { expect, test } from 'vitest';

import { EventBus } from '../../base/event-bus.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import type { FromEngine } from '../supervision/engine-messages.ts';
import { ActivityReporter } from './activity-reporter.ts';

function build() {
  const clock = new FakeClock();
  const sent: FromEngine[] = [];
  const events = new EventBus<RepositoryEvents>((thrown) => {
    throw thrown;
  });
  const reporter = new ActivityReporter({ clock, events, send: (message) => void sent.push(message) });
  const phase = (name: string, version: string, text: string) =>
    events.publish('loadPhase', { id: { namespace: '', name }, version, phase: text });
  return { clock, sent, reporter, phase };
}

test('a model is under suspicion while one of its versions is being built', () => {
  const { sent, phase, reporter } = build();
  phase('m', '1', 'instance 1 of 2');
  phase('m', '1', 'instance 2 of 2');
  phase('m', '2', 'instance 1 of 1');
  phase('m', '1', '');
  phase('m', '2', '');
  expect(sent).toEqual([
    { type: 'activity', loading: ['m'], executing: [] },
    { type: 'activity', loading: [], executing: [] },
  ]);
  reporter.close();
});

test('a busy model is reported before its first request and once more when it falls idle', async () => {
  const { clock, sent, reporter } = build();
  for (let request = 0; request < 100; request += 1) {
    reporter.noteUse('m');
    await clock.advance(30);
  }
  expect(sent).toEqual([{ type: 'activity', loading: [], executing: ['m'] }]);
  await clock.advance(2500);
  expect(sent.at(-1)).toEqual({ type: 'activity', loading: [], executing: [] });
  expect(sent).toHaveLength(2);
  reporter.close();
  expect(clock.timerCount).toBe(0);
});
