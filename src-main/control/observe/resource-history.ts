// What the server process and the GPUs used over time: one reading a second for five minutes, means of 5 s for a
// quarter, of 15 s for an hour. The process is metered here and nowhere else, since each reading starts the next.

import type { GpuUse } from '../../../src-shared/contract/gpu-use.ts';
import type { ResourcePoint, SeriesWindow } from '../../../src-shared/contract/observe-views.ts';
import { RingBuffer } from '../../base/ring-buffer.ts';
import type { ProcessReading } from './process-meter.ts';

const RINGS: readonly {
  readonly windows: readonly SeriesWindow[];
  readonly bucketMs: number;
  readonly capacity: number;
}[] = [
  { windows: ['1m', '5m'], bucketMs: 1000, capacity: 300 },
  { windows: ['15m'], bucketMs: 5000, capacity: 180 },
  { windows: ['1h', 'load'], bucketMs: 15_000, capacity: 240 },
];

const MINUTE_MS = 60_000;
const NOTHING: ProcessReading = { cpuPercent: 0, rssBytes: 0 };

/** In memory only. A window's points are ascending in time and begin with the start of the engine at most. */
export class ResourceHistory {
  readonly #rings = RINGS.map((ring) => ({
    ...ring,
    open: [] as ResourcePoint[],
    points: new RingBuffer<ResourcePoint>(ring.capacity),
  }));
  #latest: ProcessReading & { readonly gpu: GpuUse | undefined } = { ...NOTHING, gpu: undefined };

  /** The reading before now. */
  get latest(): ProcessReading & { readonly gpu: GpuUse | undefined } {
    return this.#latest;
  }

  /** `atMs` is where the time the reading covers began. */
  add(atMs: number, bucketMs: number, reading: ProcessReading, gpu: GpuUse | undefined): void {
    this.#latest = { ...reading, gpu };
    const point: ResourcePoint = {
      atMs,
      bucketMs,
      cpuPercent: reading.cpuPercent,
      rssBytes: reading.rssBytes,
      gpuPercent: gpu?.utilizationPercent,
      gpuMemoryBytes: gpu?.memoryBytes,
      gpus: (gpu?.devices ?? []).map(({ name, source, utilizationPercent }) => ({
        name,
        source,
        percent: utilizationPercent,
      })),
    };
    for (const ring of this.#rings) {
      ring.open.push(point);
      const coveredMs = ring.open.reduce((total, one) => total + one.bucketMs, 0);
      // Ticks are never exact: half a second less still fills a bucket.
      if (coveredMs + 500 < ring.bucketMs) continue;
      ring.points.push(meanOf(ring.open));
      ring.open = [];
    }
  }

  /** Oldest first. */
  points(window: SeriesWindow, afterMs: number): readonly ResourcePoint[] {
    const ring = this.#rings.find(({ windows }) => windows.includes(window));
    const points = ring?.points.toArray() ?? [];
    const endMs = points.at(-1)?.atMs ?? 0;
    const fromMs = window === '1m' ? endMs - MINUTE_MS : afterMs;
    return points.filter(({ atMs }) => atMs > Math.max(afterMs, fromMs));
  }
}

function meanOf(points: readonly ResourcePoint[]): ResourcePoint {
  const mean = (pick: (point: ResourcePoint) => number | undefined): number | undefined => {
    const values = points.map(pick).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return {
    atMs: points[0]?.atMs ?? 0,
    bucketMs: points.reduce((total, { bucketMs }) => total + bucketMs, 0),
    cpuPercent: mean(({ cpuPercent }) => cpuPercent) ?? 0,
    rssBytes: Math.round(mean(({ rssBytes }) => rssBytes) ?? 0),
    gpuPercent: mean(({ gpuPercent }) => gpuPercent),
    gpuMemoryBytes: mean(({ gpuMemoryBytes }) => gpuMemoryBytes),
    gpus: meanGpus(points),
  };
}

/** By their place in the list: two cards may have one name. A list that changed meanwhile counts as it was at last. */
function meanGpus(points: readonly ResourcePoint[]): ResourcePoint['gpus'] {
  const last = points.at(-1)?.gpus ?? [];
  return last.map((gpu, at) => {
    const percents = points.flatMap(({ gpus }) =>
      gpus.length === last.length ? (gpus[at]?.percent ?? []) : [],
    );
    return { ...gpu, percent: percents.reduce((sum, percent) => sum + percent, 0) / percents.length };
  });
}
