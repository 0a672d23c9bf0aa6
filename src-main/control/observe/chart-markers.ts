// Events that the charts of a model mark: loads, unloads, changed configurations, load tests, bursts of failures. The
// latest are kept for all models together.

import type { SeriesMarker } from '../../../src-shared/contract/observe-views.ts';
import type { Clock } from '../../base/clock.ts';
import type { EventBus, Subscription } from '../../base/event-bus.ts';
import { RingBuffer } from '../../base/ring-buffer.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';

const KEPT = 200;
const SHOWN = 20;
/** Failures between two looks that make a burst, and how long the burst is the same one. */
const BURST_COUNT = 5;
const BURST_MS = 15_000;

/** Times are wall-clock milliseconds. A burst of failures is one mark. */
export class ChartMarkers {
  readonly #clock: Clock;
  readonly #markers = new RingBuffer<SeriesMarker & { readonly model: string }>(KEPT);
  readonly #failures = new Map<string, number>();
  readonly #burstUntilMs = new Map<string, number>();
  readonly #subscriptions: readonly Subscription[];

  constructor(clock: Clock, events: EventBus<RepositoryEvents>) {
    this.#clock = clock;
    this.#subscriptions = [
      events.subscribe('versionState', ({ id, version, state }) => {
        if (state === 'READY') this.mark(id.name, `v${version} loaded`);
        if (state === 'UNLOADING') this.mark(id.name, `v${version} unloaded`);
      }),
      events.subscribe('filesChanged', ({ name, isConfig }) => {
        if (isConfig) this.mark(name, 'config changed on disk');
      }),
    ];
  }

  /** Follows no more events; marks stay. */
  close(): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
  }

  /** At this moment. The text is shown as it is. */
  mark(model: string, text: string): void {
    this.#markers.push({ atMs: this.#clock.wallMs(), model, text });
  }

  /** Cumulative failures of each version at a look. */
  look(
    samples: readonly { readonly model: string; readonly version: string; readonly failureCount: number }[],
  ): void {
    const nowMs = this.#clock.wallMs();
    for (const { model, version, failureCount } of samples) {
      const key = `${version} ${model}`;
      const before = this.#failures.get(key) ?? failureCount;
      this.#failures.set(key, failureCount);
      if (failureCount - before < BURST_COUNT) continue;
      if ((this.#burstUntilMs.get(key) ?? 0) <= nowMs) this.mark(model, 'errors');
      this.#burstUntilMs.set(key, nowMs + BURST_MS);
    }
  }

  /** Oldest first. */
  of(model: string): readonly SeriesMarker[] {
    return this.#markers
      .toArray()
      .filter((marker) => marker.model === model)
      .slice(-SHOWN)
      .map(({ atMs, text }) => ({ atMs, text }));
  }
}
