// The charts of what the server uses, on machines with and without GPUs.

import { afterEach, expect, test } from 'vitest';

import type { GpuPoint, ResourcePoint } from '../../../src-shared/contract/observe-views.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderView, until } from '../../testing/render.tsx';
import { ChartGroup } from '../../ui/chart-group.tsx';
import { StatisticsCharts } from './components/statistics-charts.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

async function start(...gpus: readonly GpuPoint[]): Promise<Rendered> {
  const fake = new FakeEngine();
  const point = (atMs: number): ResourcePoint => ({
    atMs,
    bucketMs: 1000,
    cpuPercent: 10,
    rssBytes: 1000,
    gpuPercent: gpus[0]?.percent,
    gpuMemoryBytes: undefined,
    gpus,
  });
  fake.overrides['observe/resources'] = () => ({ points: [point(1000), point(2000)] });
  const series = { data: undefined, error: undefined, reload: () => undefined };
  page = await renderView(
    <ChartGroup>
      <StatisticsCharts window="1m" series={series} restarts={[]} maxBatchSize={0} isHeld={false}>
        {null}
      </StatisticsCharts>
    </ChartGroup>,
    fake,
  );
  return page;
}
const gpu = (name: string): GpuPoint => ({ name, source: 'sysfs', percent: 40 });

test('a machine without a GPU says so', async () => {
  const { get } = await start();
  await until(() => expect(get('chart-resources').textContent).toContain('no GPU to read'));
  expect(document.querySelector('[data-testid=chart-gpus]')).toBeNull();
});

test('one GPU is among the lines of the server, with what told it', async () => {
  const { get } = await start({ name: 'Apple M3', source: 'ioreg', percent: 40 });
  await until(() => expect(get('chart-resources').textContent).toContain('GPU: Apple M3 (ioreg)'));
  expect(document.querySelector('[data-testid=chart-gpus]')).toBeNull();
});

test('several GPUs have a chart with a line for each', async () => {
  const { get } = await start(gpu('card0'), gpu('card1'));
  const chart = await until(() => get('chart-gpus'));
  expect(chart.textContent).toContain('0: card0');
  expect(chart.textContent).toContain('1: card1');
  expect(get('chart-resources').textContent).toContain('card1 (files of the driver)');
});
