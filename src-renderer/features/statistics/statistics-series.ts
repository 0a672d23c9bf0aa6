// The series of the statistics charts and the points they draw. Pure, so that tests read numbers, not pixels.

import type { SeriesPoint } from '../../../src-shared/contract/observe-views.ts';
import { t } from '../../texts/translate.ts';
import type { ChartPoint, ChartSeries } from '../../ui/chart-types.ts';

export const throughputSeries = (): readonly ChartSeries[] => [
  { key: 'inferences', title: t('statistics.throughput.inferences'), role: 'c1' },
  { key: 'executions', title: t('statistics.throughput.executions'), role: 'c3' },
  { key: 'failures', title: t('statistics.throughput.failures'), role: 'danger' },
];

export const latencySeries = (): readonly ChartSeries[] => [
  { key: 'p50', title: t('statistics.latency.p50'), role: 'c1' },
  { key: 'p90', title: t('statistics.latency.p90'), role: 'c4' },
  { key: 'p99', title: t('statistics.latency.p99'), role: 'c2' },
  { key: 'max', title: t('statistics.latency.max'), role: 'c5' },
];

export const partSeries = (): readonly ChartSeries[] => [
  { key: 'queue', title: t('statistics.parts.queue'), role: 'c2', shape: 'area', stack: 'time' },
  { key: 'input', title: t('statistics.parts.input'), role: 'c4', shape: 'area', stack: 'time' },
  { key: 'infer', title: t('statistics.parts.infer'), role: 'c1', shape: 'area', stack: 'time' },
  { key: 'output', title: t('statistics.parts.output'), role: 'c3', shape: 'area', stack: 'time' },
  { key: 'overhead', title: t('statistics.parts.overhead'), role: 'c5', shape: 'area', stack: 'time' },
];

export const batchSeries = (): readonly ChartSeries[] => [
  { key: 'mean', title: t('statistics.batch.mean'), role: 'c1' },
];

export const queueSeries = (): readonly ChartSeries[] => [
  { key: 'waiting', title: t('statistics.queue.waiting'), role: 'c2' },
  { key: 'inFlight', title: t('statistics.queue.inFlight'), role: 'c1' },
  { key: 'rejected', title: t('statistics.queue.rejected'), role: 'danger' },
];

/** Rates per second of each bucket. */
export function throughputPoints(points: readonly SeriesPoint[]): readonly ChartPoint[] {
  return points.map(({ atMs, bucketMs, inferences, executions, failures, cacheHits }) => ({
    x: atMs,
    inferences: ((inferences + cacheHits) * 1000) / bucketMs,
    executions: (executions * 1000) / bucketMs,
    failures: (failures * 1000) / bucketMs,
  }));
}

/** Microseconds; a bucket without a request is a gap. */
export function latencyPoints(points: readonly SeriesPoint[]): readonly ChartPoint[] {
  return points.map(({ atMs, p50Us, p90Us, p99Us, maxUs }) => ({
    x: atMs,
    p50: p50Us,
    p90: p90Us,
    p99: p99Us,
    max: maxUs,
  }));
}

/** Mean microseconds per request. */
export function partPoints(points: readonly SeriesPoint[]): readonly ChartPoint[] {
  return points.map(({ atMs, successes, queueUs, inputUs, inferUs, outputUs, overheadUs }) =>
    successes === 0
      ? { x: atMs }
      : { x: atMs, queue: queueUs, input: inputUs, infer: inferUs, output: outputUs, overhead: overheadUs },
  );
}

export function batchPoints(points: readonly SeriesPoint[]): readonly ChartPoint[] {
  return points.map(({ atMs, inferences, executions }) => ({
    x: atMs,
    mean: executions === 0 ? undefined : inferences / executions,
  }));
}

export function queuePoints(points: readonly SeriesPoint[]): readonly ChartPoint[] {
  return points.map(({ atMs, bucketMs, waiting, inFlight, rejected }) => ({
    x: atMs,
    waiting,
    inFlight,
    rejected: (rejected * 1000) / bucketMs,
  }));
}

/** True when anything happened in the window. */
export function hasTraffic(points: readonly SeriesPoint[]): boolean {
  return points.some(
    ({ successes, failures, rejected, waiting, inFlight }) =>
      successes + failures + rejected + waiting + inFlight > 0,
  );
}
