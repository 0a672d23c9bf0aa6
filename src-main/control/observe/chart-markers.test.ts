import { expect, test } from 'vitest';

import { EventBus } from '../../base/event-bus.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { ChartMarkers } from './chart-markers.ts';

function build() {
  const clock = new FakeClock();
  const events = new EventBus<RepositoryEvents>((thrown) => {
    throw thrown;
  });
  const markers = new ChartMarkers(clock, events);
  const failed = (failureCount: number) => markers.look([{ model: 'm', version: '1', failureCount }]);
  return { clock, markers, failed, texts: () => markers.of('m').map(({ text }) => text) };
}

test('a burst of failures is marked once, and again when it comes back later', async () => {
  const { clock, failed, texts } = build();
  failed(100);
  failed(104);
  expect(texts()).toEqual([]);
  failed(110);
  await clock.advance(5000);
  failed(140);
  expect(texts()).toEqual(['errors']);
  await clock.advance(16_000);
  failed(150);
  expect(texts()).toEqual(['errors', 'errors']);
});

test('the twenty latest of a model are shown, those of others are not', () => {
  const { markers } = build();
  for (let at = 0; at < 25; at += 1) markers.mark('m', String(at));
  markers.mark('other', 'x');
  expect(markers.of('m').map(({ text }) => text)).toEqual(
    Array.from({ length: 20 }, (_, at) => String(at + 5)),
  );
});
