// The load report header of generate replies.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../src-main/base/clock.ts';
import { readCacheBlocks } from '../../../src-main/metrics/cache-blocks.ts';
import { defaultMetricsConfig } from '../../../src-main/metrics/metrics-config.ts';
import { ServerMetrics } from '../../../src-main/metrics/server-metrics.ts';
import { HttpFixture, echoConfig } from '../../../src-main/testing/http-fixture.ts';

const metrics = new ServerMetrics({
  config: defaultMetricsConfig,
  clock: systemClock,
  cpu: false,
  gpu: false,
  intervalMs: 2000,
});
let fixture: HttpFixture;

beforeAll(async () => {
  fixture = await HttpFixture.start({
    models: [{ config: echoConfig('m', ['TYPE_INT32']) }],
    cacheBlocks: () => readCacheBlocks(metrics.custom),
  });
});

afterAll(async () => {
  await fixture.close();
  metrics.close();
});

const report = async (format: string): Promise<unknown> => {
  const reply = await fixture.call({
    path: '/v2/models/m/generate',
    body: '{"INPUT0":[1]}',
    headers: { 'endpoint-load-metrics-format': format },
  });
  expect(reply.status).toBe(200);
  return reply.headers['endpoint-load-metrics'];
};

test('is sent in a known format once all three gauges exist', async () => {
  expect(await report('json')).toBeUndefined();
  const family = metrics.custom.family('GAUGE', 'nv_trt_llm_kv_cache_block_metrics', 'blocks');
  const set = (values: Readonly<Record<string, number>>): void => {
    for (const [type, value] of Object.entries(values))
      family.metric({ kv_cache_block_type: type, model: 'm' }).set(value);
  };
  set({ tokens_per: 64, used: 50, max: 100 });
  expect(await report('json')).toBe(
    'JSON {"named_metrics":{"kv_cache_utilization":0.5,"max_token_capacity":6400}}',
  );
  expect(await report('text')).toBe(
    'TEXT named_metrics.kv_cache_utilization=0.500000, named_metrics.max_token_capacity=6400',
  );
  expect(await report('xml')).toBeUndefined();
  set({ used: 0 });
  expect(await report('json')).toBe(
    'JSON {"named_metrics":{"kv_cache_utilization":0.0,"max_token_capacity":6400}}',
  );
  set({ used: 100, max: 1e20 });
  expect(await report('text')).toBe(
    'TEXT named_metrics.kv_cache_utilization=0.000000, named_metrics.max_token_capacity=6400000000000000000000',
  );
  for (const wrong of [-1, Infinity, NaN, 1e308]) {
    set({ max: wrong });
    expect(await report('json')).toBeUndefined();
  }
  // Of several models the last one counts.
  for (const [type, value] of Object.entries({ tokens_per: 2, used: 3, max: 4 }))
    family.metric({ kv_cache_block_type: type, model: 'another' }).set(value);
  expect(await report('json')).toBe(
    'JSON {"named_metrics":{"kv_cache_utilization":0.75,"max_token_capacity":8}}',
  );
});
