// The GPUs of the machine one by one: a line for each where there are several, and what told of them. Pure.

import type { GpuPoint, ResourcePoint } from '../../../src-shared/contract/observe-views.ts';
import { t } from '../../texts/translate.ts';
import type { ChartPoint, ChartSeries } from '../../ui/chart-types.ts';
import { LINE_ROLES } from '../../ui/chart-types.ts';

/** The GPUs as they were at last. */
export function gpusOf(points: readonly ResourcePoint[]): readonly GpuPoint[] {
  return points.findLast(({ gpus }) => gpus.length > 0)?.gpus ?? [];
}

/** "GPU: Apple M3 (ioreg)"; undefined without one. */
export function gpuNote(gpus: readonly GpuPoint[]): string | undefined {
  if (gpus.length === 0) return undefined;
  const names = gpus.map(({ name, source }) => `${name} (${t(`gpu.use.${source}`)})`).join(', ');
  return t(gpus.length === 1 ? 'statistics.gpus.one' : 'statistics.gpus.several', { names });
}

/** The first five of them, by their names. */
export function gpuSeries(names: readonly string[]): readonly ChartSeries[] {
  return LINE_ROLES.slice(0, names.length).map((role, at) => ({
    key: keyOf(at),
    title: t('statistics.gpus.line', { number: at, name: names[at] ?? '' }),
    role,
  }));
}

/** Shares, 1 = all of that GPU. */
export function gpuPoints(points: readonly ResourcePoint[]): readonly ChartPoint[] {
  return points.map(({ atMs, gpus }) => ({
    x: atMs,
    ...Object.fromEntries(LINE_ROLES.map((_, at) => [keyOf(at), shareOf(gpus[at])])),
  }));
}

function keyOf(at: number): string {
  return `gpu${at}`;
}

function shareOf(gpu: GpuPoint | undefined): number | undefined {
  return gpu === undefined ? undefined : gpu.percent / 100;
}
