// What the process above hears about models that are in native code.

import { expect, test } from 'vitest';

import { EventBus } from '../../base/event-bus.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import type { FromEngine } from '../supervision/engine-messages.ts';
import type { ActiveModel } from './activity-reporter.ts';
import { ActivityReporter } from './activity-reporter.ts';

function build(models: readonly ActiveModel[] = []) {
  const clock = new FakeClock();
  const sent: FromEngine[] = [];
  const events = new EventBus<RepositoryEvents>((thrown) => {
    throw thrown;
  });
  const reporter = new ActivityReporter({
    clock,
    events,
    models: () => models,
    send: (message) => void sent.push(message),
  });
  const phase = (name: string, version: string, text: string | undefined) =>
    events.publish('loadPhase', { id: { namespace: '', name }, version, phase: text });
  return { clock, sent, reporter, phase };
}

test('a model is under suspicion while one of its versions is being built', () => {
  const { sent, phase, reporter } = build();
  phase('m', '1', 'instance 1 of 2');
  phase('m', '1', 'instance 2 of 2');
  phase('m', '2', 'instance 1 of 1');
  phase('m', '1', undefined);
  phase('m', '2', undefined);
  expect(sent).toEqual([
    { type: 'activity', loading: ['m'], executing: [] },
    { type: 'activity', loading: [], executing: [] },
  ]);
  reporter.close();
});

const idle = (name: string, steps: readonly string[] = []) => ({ name, isBusy: false, steps });

test('a model that is used all the time is reported before its first request and once more when it falls idle', async () => {
  const { clock, sent, reporter } = build([idle('m')]);
  for (let request = 0; request < 100; request += 1) {
    reporter.noteUse('m');
    await clock.advance(30);
  }
  expect(sent).toEqual([{ type: 'activity', loading: [], executing: ['m'] }]);
  await clock.advance(200);
  expect(sent.at(-1)).toEqual({ type: 'activity', loading: [], executing: [] });
  expect(sent).toHaveLength(2);
  expect(clock.timerCount).toBe(0);
  reporter.close();
});

test('a model stays reported for as long as its request runs', async () => {
  const m = { name: 'm', isBusy: true, steps: [] };
  const { clock, sent, reporter } = build([m]);
  reporter.noteUse('m');
  await clock.advance(60_000);
  expect(sent).toEqual([{ type: 'activity', loading: [], executing: ['m'] }]);
  m.isBusy = false;
  await clock.advance(100);
  expect(sent.at(-1)).toEqual({ type: 'activity', loading: [], executing: [] });
  reporter.close();
});

test('for an ensemble its steps are reported, also those of an ensemble among them', () => {
  const models = [idle('outer', ['inner', 'c']), idle('inner', ['a', 'b']), idle('a'), idle('b'), idle('c')];
  const { sent, reporter, clock } = build(models);
  reporter.noteUse('outer');
  expect(sent).toEqual([{ type: 'activity', loading: [], executing: ['a', 'b', 'c'] }]);
  reporter.close();
  expect(clock.timerCount).toBe(0);
});
