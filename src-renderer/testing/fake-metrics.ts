// Believable metrics and regions of shared memory for tests and the harness page.

import type { MetricSeriesView, MetricsView } from '../../src-shared/contract/metrics-calls.ts';
import type { SharedMemoryView, SharedRegionView } from '../../src-shared/contract/shared-memory-calls.ts';

const LINES: Readonly<Record<string, readonly MetricSeriesView[]>> = {
  nv_inference_request_success: [
    { name: 'nv_inference_request_success', labels: { model: 'simple', version: '1' }, value: 40 },
    { name: 'nv_inference_request_success', labels: { model: 'gone', version: '2' }, value: 2 },
  ],
  nv_inference_first_response_histogram_ms: [
    {
      name: 'nv_inference_first_response_histogram_ms_bucket',
      labels: { model: 'simple', version: '1', le: '+Inf' },
      value: 3,
    },
    {
      name: 'nv_inference_first_response_histogram_ms_count',
      labels: { model: 'simple', version: '1' },
      value: 3,
    },
  ],
  nv_cpu_memory_used_bytes: [{ name: 'nv_cpu_memory_used_bytes', labels: {}, value: 1024 ** 3 }],
};

/** Answers as the engine does. */
export function fakeMetrics(family: string | undefined, match = ''): MetricsView {
  const lines = LINES[family ?? ''] ?? [];
  const series = lines.filter((line) => JSON.stringify(line.labels).includes(match));
  return {
    isOn: true,
    atMs: Date.now(),
    tookMs: 1,
    families: [
      {
        name: 'nv_inference_request_success',
        help: 'Number of successful inference requests, all batch sizes',
        kind: 'counter',
        seriesCount: 2,
        value: 42,
      },
      {
        name: 'nv_inference_first_response_histogram_ms',
        help: 'Duration from request to first response in milliseconds',
        kind: 'histogram',
        seriesCount: 1,
        value: 3,
      },
      {
        name: 'nv_cpu_memory_used_bytes',
        help: 'CPU used memory (RAM), in bytes',
        kind: 'gauge',
        seriesCount: 1,
        value: 1024 ** 3,
      },
      { name: 'tokens_made', help: undefined, kind: 'counter', seriesCount: 1, value: 7 },
    ],
    series,
    matchingCount: series.length,
  };
}

/** A region that is used and well. */
export function fakeRegion(change: Partial<SharedRegionView> = {}): SharedRegionView {
  return {
    kind: 'system',
    name: 'input0_data',
    key: '/input_simple',
    offset: 0,
    byteSize: 4096,
    deviceId: undefined,
    registeredAtMs: Date.UTC(2026, 4, 4, 9),
    users: [{ model: 'simple', tensorCount: 12 }],
    lastUsedAtMs: Date.UTC(2026, 4, 4, 10),
    heldCount: 0,
    isLeaving: false,
    fault: undefined,
    ...change,
  };
}

/** Two regions, one of which nobody used. */
export function fakeSharedMemory(change: Partial<SharedMemoryView> = {}): SharedMemoryView {
  return {
    regions: [fakeRegion(), fakeRegion({ name: 'output0_data', users: [], lastUsedAtMs: undefined })],
    allowsClients: true,
    folder: '/dev/shm',
    ...change,
  };
}
