// The metrics as the window reads them are those of a scrape: same families, same lines, same numbers.

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { CallArgs } from '../../../src-shared/contract/contract.ts';
import type { MetricsView } from '../../../src-shared/contract/metrics-calls.ts';
import { MAX_METRIC_SERIES } from '../../../src-shared/contract/metrics-calls.ts';
import type { FamilyReading } from '../../metrics/family-reading.ts';
import type { ControlWorld } from '../../testing/control-world.ts';
import { sendToMlp, startControlWorld } from '../../testing/control-world.ts';
import { metricsHandlers } from './metrics-handlers.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld(['batch_mlp']);
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

async function scraped(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${world.engine.ports.metrics}/metrics`)).text();
}

test('every family of a scrape is told, with its description, its kind and how many series it has', async () => {
  await sendToMlp(world, 3, 1);
  const text = await scraped();
  const { families, isOn } = await world.client.call('metrics/read', {});
  expect(isOn).toBe(true);
  const printed = [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, kind]) => `${name} ${kind}`);
  expect(families.map(({ name, kind }) => `${name} ${kind}`)).toEqual(printed);
  for (const { name, help } of families) if (help !== undefined) expect(text).toContain(`# HELP ${name} `);
  const count = families.find(({ name }) => name === 'nv_inference_request_success');
  expect(count).toMatchObject({ kind: 'counter', value: 3, seriesCount: 1 });
  expect(families.find(({ name }) => name === 'nv_inference_queue_duration_us')?.value).toBeGreaterThan(0);
});

test('the lines of one family come with their labels, those alone that match', async () => {
  const { series, matchingCount } = await world.client.call('metrics/read', {
    family: 'nv_inference_request_failure',
    match: 'REASON="rejected"',
  });
  expect(series).toEqual([
    {
      name: 'nv_inference_request_failure',
      labels: { model: 'batch_mlp', version: '1', reason: 'REJECTED' },
      value: 0,
    },
  ]);
  expect(matchingCount).toBe(1);
  expect((await world.client.call('metrics/read', { family: 'nv_none' })).series).toEqual([]);
});

const FAMILIES: readonly FamilyReading[] = [
  {
    name: 'wait',
    help: undefined,
    kind: 'summary',
    series: [
      { name: 'wait', labels: { quantile: '0.5', model: 'a' }, value: NaN },
      { name: 'wait_sum', labels: { model: 'a' }, value: 30 },
      { name: 'wait_count', labels: { model: 'a' }, value: 4 },
      { name: 'wait_count', labels: { model: 'b' }, value: 1 },
    ],
  },
  {
    name: 'heat',
    help: 'How hot',
    kind: 'gauge',
    series: [
      { name: 'heat', labels: { gpu: '0' }, value: 40 },
      { name: 'heat', labels: { gpu: '1' }, value: 70 },
      { name: 'heat', labels: { gpu: '2' }, value: Infinity },
    ],
  },
  {
    name: 'many',
    help: undefined,
    kind: 'counter',
    series: Array.from({ length: MAX_METRIC_SERIES + 5 }, (_, index) => ({
      name: 'many',
      labels: { index: String(index) },
      value: 1,
    })),
  },
];

function read(args: CallArgs<'metrics/read'>): Promise<MetricsView> {
  const handlers = metricsHandlers({ metrics: { families: () => Promise.resolve(FAMILIES) } });
  return Promise.resolve(handlers['metrics/read'](args, { signal: new AbortController().signal }));
}

test('a family has one number: the sum of what is counted, the highest of what goes up and down', async () => {
  const { families } = await read({});
  expect(families).toEqual([
    { name: 'wait', help: undefined, kind: 'summary', seriesCount: 2, value: 5 },
    { name: 'heat', help: 'How hot', kind: 'gauge', seriesCount: 3, value: 70 },
    { name: 'many', help: undefined, kind: 'counter', seriesCount: 405, value: 405 },
  ]);
});

test('what JSON has no number for is said in the words of a scrape, and a long family is cut and counted', async () => {
  expect((await read({ family: 'wait' })).series[0]?.value).toBe('NaN');
  expect((await read({ family: 'heat' })).series[2]?.value).toBe('+Inf');
  const { series, matchingCount } = await read({ family: 'many' });
  expect([series.length, matchingCount]).toEqual([400, 405]);
});

test('without metrics nothing is read', async () => {
  const off = metricsHandlers({ metrics: undefined });
  const view = await off['metrics/read']({}, { signal: new AbortController().signal });
  expect(view).toMatchObject({ isOn: false, families: [], series: [] });
});
