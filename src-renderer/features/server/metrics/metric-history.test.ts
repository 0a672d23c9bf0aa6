import { beforeEach, expect, test } from 'vitest';

import type { MetricsView } from '../../../../src-shared/contract/metrics-calls.ts';
import { applyReading, HISTORY_POINTS, metricsStore, NO_METRICS, seriesText } from './metric-history.ts';
import { familyCommand, familyQuery, seriesQuery } from './metric-query.ts';
import { formatMetric, formatPoint } from './metric-units.ts';

beforeEach(() => metricsStore.setState(NO_METRICS));

function read(atMs: number, count: number | undefined, heat = 1): void {
  const view: MetricsView = {
    isOn: true,
    atMs,
    tookMs: 0,
    families: [
      { name: 'count', help: undefined, kind: 'counter', seriesCount: 1, value: count },
      { name: 'heat', help: undefined, kind: 'gauge', seriesCount: 1, value: heat },
    ],
    series: [{ name: 'count', labels: {}, value: count ?? 'NaN' }],
    matchingCount: 1,
  };
  applyReading(view);
}

const points = (key: string): readonly number[] | undefined =>
  metricsStore.getState().tracks.get(key)?.points;

test('a counter is drawn as its growth per second, a gauge as it is', () => {
  read(0, 10, 3);
  read(2000, 16, 5);
  read(4000, 16, 4);
  expect(points('count')).toEqual([3, 0]);
  expect(points('heat')).toEqual([3, 5, 4]);
});

test('a counter that begins anew, a pause, and what has no number begin a new line', () => {
  read(0, 10);
  read(2000, 20);
  read(4000, 5);
  expect(points('count')).toEqual([]);
  read(6000, 7);
  expect(points('count')).toEqual([1]);
  read(60_000, 100);
  expect(points('count')).toEqual([]);
  read(62_000, undefined);
  read(64_000, 110);
  expect(points('count')).toEqual([]);
});

test('two readings of one moment count once, and a line keeps two minutes', () => {
  read(1000, 1);
  read(1000, 9);
  expect(points('heat')).toEqual([1]);
  for (let round = 1; round < 100; round++) read(1000 + round * 2000, round);
  expect(points('heat')).toHaveLength(HISTORY_POINTS);
});

test('lines are written as Prometheus reads them', () => {
  const line = { name: 'nv_x', labels: { model: String.raw`a"b\c`, version: '1' }, value: 1 };
  expect(seriesText(line)).toBe(String.raw`nv_x{model="a\"b\\c",version="1"}`);
  expect(seriesQuery('counter', line)).toBe(String.raw`rate(nv_x{model="a\"b\\c",version="1"}[1m])`);
  expect(seriesQuery('gauge', { ...line, labels: {} })).toBe('nv_x');
  expect(seriesQuery('summary', { ...line, labels: { quantile: '0.5' } })).toBe('nv_x{quantile="0.5"}');
  const family = { name: 'nv_x', help: undefined, seriesCount: 1, value: 1 };
  expect(familyQuery({ ...family, kind: 'gauge' })).toBe('nv_x');
  expect(familyQuery({ ...family, kind: 'summary' })).toBe('nv_x{quantile="0.99"}');
  expect(familyCommand('http://h:1/metrics', { ...family, kind: 'gauge' })).toBe(
    'curl -s http://h:1/metrics | grep nv_x',
  );
});

test.each([
  ['nv_inference_queue_duration_us', 2_100_000, '2.1 s'],
  ['nv_cache_lookup_duration', 12, '12 µs'],
  ['nv_gpu_memory_used_bytes', 1024, '1.0 KiB'],
  ['nv_gpu_utilization', 0.125, '12.5 %'],
  ['nv_gpu_power_usage', 71.26, '71.3 W'],
  ['nv_energy_consumption', 12, '12 J'],
  ['process_cpu_seconds_total', 2, '2 s'],
  ['nv_inference_first_response_histogram_ms_count', 3, '3'],
  ['nv_inference_first_response_histogram_ms_sum', 3, '3 ms'],
  ['nv_model_load_duration_secs', 0.5, '500 ms'],
  ['nv_inference_count', 1234, '1,234'],
])('a value of %s has its unit', (name, value, text) => {
  expect(formatMetric(name, value)).toBe(text);
});

test('growth is per second, and what has no number is said as the server says it', () => {
  expect(formatPoint('nv_inference_count', 'counter', 12.34)).toBe('12.3/s');
  expect(formatPoint('nv_inference_queue_duration_us', 'counter', 1500)).toBe('1.5 ms/s');
  expect(formatPoint('nv_gpu_utilization', 'gauge', 0.5)).toBe('50.0 %');
  expect(formatPoint('x', 'counter', undefined)).toBe('–');
  expect(formatMetric('x', 'NaN')).toBe('NaN');
});
