// The text of the metrics page: families of models, of the server, and those that backends make.

import { afterEach, describe, expect, test } from 'vitest';
import { addLogSink } from '../base/log.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import type { ModelStatisticsSnapshot } from './infer-statistics.ts';
import { defaultMetricsConfig, parseMetricsConfig } from './metrics-config.ts';
import type { FailureCounts, ModelMetricsSource } from './model-source.ts';
import type { ServerMetricsOptions } from './server-metrics.ts';
import { ServerMetrics } from './server-metrics.ts';

const clock = new FakeClock();
const opened: ServerMetrics[] = [];

function metrics(change: Partial<ServerMetricsOptions> = {}): ServerMetrics {
  const made = new ServerMetrics({
    config: defaultMetricsConfig,
    clock,
    cpu: false,
    gpu: false,
    intervalMs: 2000,
    ...change,
  });
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

const NO_FAILURES: FailureCounts = { REJECTED: 0, CANCELED: 0, BACKEND: 0, OTHER: 0 };

function statistics(success: number): ModelStatisticsSnapshot {
  const duration = (ns: number) => ({ count: success, ns });
  const zero = { count: 0, ns: 0 };
  return {
    name: 'add',
    version: '1',
    lastInferenceMs: 0,
    inferenceCount: success * 8,
    executionCount: success,
    inference: {
      success: duration(10_999),
      fail: zero,
      queue: duration(2000),
      computeInput: duration(3000),
      computeInfer: duration(4000),
      computeOutput: duration(5000),
      cacheHit: { count: 2, ns: 7000 },
      cacheMiss: { count: 3, ns: 9000 },
    },
    responses: {},
    batches: [],
    memoryUsage: [],
  };
}

function source(change: Partial<ModelMetricsSource> = {}): ModelMetricsSource {
  return {
    name: 'add',
    version: '1',
    tags: {},
    isCacheEnabled: false,
    loadSeconds: () => 1.25,
    statistics: () => statistics(4),
    failures: () => NO_FAILURES,
    pendingCount: () => 3,
    ...change,
  };
}

/** Lines of one family without comments. */
async function lines(from: ServerMetrics, name: string): Promise<string[]> {
  const text = await from.text();
  return text.split('\n').filter((line) => line.startsWith(name));
}

describe('model families', () => {
  test('print counters and gauges with help, type and sorted labels', async () => {
    const all = metrics();
    all.addModel(source({ tags: { team: 'a"b' }, namespace: '/repo' }));
    const text = await all.text();
    expect(text).toContain(
      '# HELP nv_inference_request_success Number of successful inference requests, all batch sizes\n# TYPE nv_inference_request_success counter\n',
    );
    const labels = '{_team="a\\"b",model="add",namespace="/repo",version="1"}';
    for (const line of [
      `nv_inference_request_success${labels} 4`,
      `nv_inference_count${labels} 32`,
      `nv_inference_exec_count${labels} 4`,
      `nv_inference_request_duration_us${labels} 10`,
      `nv_inference_queue_duration_us${labels} 2`,
      `nv_inference_compute_input_duration_us${labels} 3`,
      `nv_inference_compute_infer_duration_us${labels} 4`,
      `nv_inference_compute_output_duration_us${labels} 5`,
      `nv_inference_pending_request_count${labels} 3`,
      `nv_model_load_duration_secs${labels} 1.25`,
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).not.toMatch(/nv_cache_num_hits_per_model\{|summary|histogram/);
  });

  test('make names of labels of any tags', async () => {
    const all = metrics();
    all.addModel(source({ tags: { 'a-b c': 'x', ä: 'y' } }));
    const [line] = await lines(all, 'nv_inference_count{');
    expect(line).toBe('nv_inference_count{__="y",_a_b_c="x",model="add",version="1"} 32');
  });

  test('keep failures after the unload and go on counting after a reload', async () => {
    const all = metrics();
    all.addModel(source({ failures: () => ({ ...NO_FAILURES, REJECTED: 2 }) })).release();
    expect(await lines(all, 'nv_inference_request_success')).toEqual([]);
    all.addModel(source({ failures: () => ({ ...NO_FAILURES, REJECTED: 1, OTHER: 5 }) }));
    expect(await lines(all, 'nv_inference_request_failure')).toEqual([
      'nv_inference_request_failure{model="add",reason="REJECTED",version="1"} 3',
      'nv_inference_request_failure{model="add",reason="CANCELED",version="1"} 0',
      'nv_inference_request_failure{model="add",reason="BACKEND",version="1"} 0',
      'nv_inference_request_failure{model="add",reason="OTHER",version="1"} 5',
    ]);
  });

  test('go on over a reload that loads before it releases, and start anew after an unload', async () => {
    const all = metrics();
    const first = all.addModel(source());
    const second = all.addModel(source({ statistics: () => statistics(1) }));
    first.release();
    first.release();
    expect(await lines(all, 'nv_inference_request_success')).toEqual([
      'nv_inference_request_success{model="add",version="1"} 5',
    ]);
    second.release();
    all.addModel(source({ statistics: () => statistics(1) }));
    expect(await lines(all, 'nv_inference_request_success')).toEqual([
      'nv_inference_request_success{model="add",version="1"} 1',
    ]);
  });

  test('show cache counters of models that cache', async () => {
    const all = metrics();
    all.addModel(source({ isCacheEnabled: true }));
    expect(await lines(all, 'nv_cache_')).toEqual([
      'nv_cache_num_hits_per_model{model="add",version="1"} 2',
      'nv_cache_hit_duration_per_model{model="add",version="1"} 7',
      'nv_cache_num_misses_per_model{model="add",version="1"} 3',
      'nv_cache_miss_duration_per_model{model="add",version="1"} 9',
    ]);
  });

  test('freeze counters at 0 without counter latencies', async () => {
    const all = metrics({ config: { ...defaultMetricsConfig, counterLatencies: false } });
    all.addModel(source({ failures: () => ({ ...NO_FAILURES, BACKEND: 9 }) }));
    expect(await lines(all, 'nv_inference_request_success')).toEqual([
      'nv_inference_request_success{model="add",version="1"} 0',
    ]);
    expect((await lines(all, 'nv_inference_request_failure')).every((line) => line.endsWith(' 0'))).toBe(
      true,
    );
    expect(await all.text()).not.toContain('nv_inference_queue_duration_us');
  });

  test('observe first responses in the bounds of the model', async () => {
    const all = metrics({ config: { ...defaultMetricsConfig, histogramLatencies: true } });
    const handle = all.addModel(source({ histogramBoundsMs: [10, 20] }));
    handle.firstResponse?.(10_999_999);
    handle.firstResponse?.(15e6);
    const name = 'nv_inference_first_response_histogram_ms';
    expect((await lines(all, name)).sort()).toEqual([
      `${name}_bucket{model="add",version="1",le="+Inf"} 2`,
      `${name}_bucket{model="add",version="1",le="10"} 1`,
      `${name}_bucket{model="add",version="1",le="20"} 2`,
      `${name}_count{model="add",version="1"} 2`,
      `${name}_sum{model="add",version="1"} 25`,
    ]);
    expect(handle.durations).toBeUndefined();
  });

  test('summarise durations in whole microseconds', async () => {
    const all = metrics({
      config: {
        ...defaultMetricsConfig,
        summaryLatencies: true,
        summaryQuantiles: [{ rank: 0.5, error: 0.05 }],
      },
    });
    const handle = all.addModel(source());
    handle.durations?.request({
      requestNs: 59_999,
      queueNs: 1000,
      computeInputNs: undefined,
      computeInferNs: 3000,
      computeOutputNs: 1,
    });
    const name = 'nv_inference_request_summary_us';
    expect((await lines(all, name)).sort()).toEqual([
      `${name}_count{model="add",version="1"} 1`,
      `${name}_sum{model="add",version="1"} 59`,
      `${name}{model="add",version="1",quantile="0.5"} 59`,
    ]);
    expect(await lines(all, 'nv_inference_compute_input_summary_us')).toEqual([
      'nv_inference_compute_input_summary_us_count{model="add",version="1"} 0',
      'nv_inference_compute_input_summary_us_sum{model="add",version="1"} 0',
      'nv_inference_compute_input_summary_us{model="add",version="1",quantile="0.5"} Nan',
    ]);
    await clock.advance(61_000);
    expect(await lines(all, `${name}{`)).toEqual([`${name}{model="add",version="1",quantile="0.5"} Nan`]);
    expect(await lines(all, 'nv_cache_hit_summary')).toEqual([]);
  });
});

describe('server families', () => {
  test('show the response cache, whole microseconds', async () => {
    const cache = () => ({
      entryCount: 1,
      lookupCount: 5,
      hitCount: 2,
      missCount: 3,
      evictionCount: 4,
      lookupNs: 1999,
      insertionNs: 3000,
      utilization: 0.25,
    });
    expect(await lines(metrics({ cache }), 'nv_cache_')).toEqual([
      'nv_cache_util 0.25',
      'nv_cache_num_entries 1',
      'nv_cache_num_hits 2',
      'nv_cache_num_misses 3',
      'nv_cache_num_lookups 5',
      'nv_cache_num_evictions 4',
      'nv_cache_lookup_duration 1',
      'nv_cache_insertion_duration 3',
    ]);
  });

  test('are left out while they have no metric', async () => {
    const all = metrics();
    const model = all.addModel(source());
    expect(await all.text()).toContain('# TYPE nv_inference_count counter\n');
    expect(await all.text()).not.toContain('nv_cache_num_hits_per_model');
    model.release();
    const text = await all.text();
    expect(text).not.toContain('nv_inference_count');
    expect(text.endsWith('\n')).toBe(true);
    for (const family of text.trimEnd().split('\n\n')) {
      expect(family).toMatch(/^# HELP \S+ [^\n]+\n# TYPE \S+ \S+\n[^#\n]/);
    }
  });

  test('show the process and the pinned pool without labels', async () => {
    const text = await metrics().text();
    expect(text).toMatch(/^nv_pinned_memory_pool_used_bytes 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).not.toContain('nv_cpu_utilization');
  });
});

test('quantiles that cannot be read are told with every model; above 1 is the largest value', async () => {
  const { config, faults } = parseMetricsConfig([['summary_quantiles', '0.5:x,y,:,2:0.1']]);
  const all = metrics({ config: { ...config, summaryLatencies: true }, configFaults: faults });
  const told: string[] = [];
  const remove = addLogSink(({ level, message }) => told.push(`${level} ${message}`));
  all.addModel(source());
  const { durations } = all.addModel(source({ version: '2' }));
  remove();
  const expected = [
    'error Invalid option: [0.5:x]. Error: stod',
    "error Invalid option: [y]. No ':' delimiter found. Expected format is <quantile>:<error>",
    'error Invalid option: [:]. Error: stod',
  ];
  expect(told).toEqual([...expected, ...expected]);
  const parts = {
    queueNs: 0,
    computeInputNs: undefined,
    computeInferNs: undefined,
    computeOutputNs: undefined,
  };
  for (const requestNs of [5000, 9000, 7000]) durations?.request({ requestNs, ...parts });
  expect(await lines(all, 'nv_inference_request_summary_us{')).toEqual([
    'nv_inference_request_summary_us{model="add",version="1",quantile="2"} Nan',
    'nv_inference_request_summary_us{model="add",version="2",quantile="2"} 9',
  ]);
});

describe('custom metrics', () => {
  test('share a series between handles and drop it with the last', async () => {
    const all = metrics();
    const family = all.custom.family('GAUGE', 'my_gauge', 'mine');
    expect(all.custom.family('GAUGE', 'my_gauge', 'other')).toBe(family);
    const [first, second] = [family.metric({ b: '1', a: '2' }), family.metric({ a: '2', b: '1' })];
    first.increment(-2);
    second.set(second.value() + 5);
    expect(await lines(all, 'my_gauge')).toEqual(['my_gauge{a="2",b="1"} 3']);
    first.close();
    first.close();
    expect(family.metricCount).toBe(1);
    second.close();
    expect(await lines(all, 'my_gauge')).toEqual([]);
    expect(() => all.custom.family('COUNTER', 'my_gauge', '')).toThrow(
      'Family name already exists with different type',
    );
  });

  test('need no description, and names that Prometheus takes', async () => {
    const all = metrics();
    all.custom.family('GAUGE', 'quiet', '').metric({ _a: '' });
    expect(await all.text()).toContain('\n# TYPE quiet gauge\nquiet{_a=""} 0\n');
    expect(await all.text()).not.toContain('HELP quiet');
    for (const name of ['', '1a', 'my-metric', '__a']) {
      expect(() => all.custom.family('GAUGE', name, 'mine')).toThrow('Invalid metric name');
    }
    for (const label of ['', '1', 'a:b', 'ä', '__a']) {
      expect(() => all.custom.family('GAUGE', 'a:b', 'mine').metric({ [label]: 'x' })).toThrow(
        'Invalid label name',
      );
    }
  });

  test('join a family of the server, where it is of the same kind', async () => {
    const all = metrics();
    const joined = all.custom.family('COUNTER', 'nv_inference_count', 'mine').metric({ of: 'mine' });
    joined.increment(2);
    expect(await lines(all, 'nv_inference_count')).toEqual(['nv_inference_count{of="mine"} 2']);
    expect(() => all.custom.family('GAUGE', 'nv_inference_count', '')).toThrow(
      'Family name already exists with different type',
    );
  });

  test('refuse what a kind cannot do', async () => {
    const all = metrics();
    const counter = all.custom.family('COUNTER', 'my_total', 'mine').metric({});
    expect(() => counter.increment(-1)).toThrow(
      'TRITONSERVER_METRIC_KIND_COUNTER can only be incremented monotonically by non-negative values.',
    );
    expect(() => counter.set(1)).toThrow('TRITONSERVER_METRIC_KIND_COUNTER does not support Set');
    expect(() => counter.observe(1)).toThrow('TRITONSERVER_METRIC_KIND_COUNTER does not support Observe');
    const histograms = all.custom.family('HISTOGRAM', 'my_hist', 'mine');
    expect(() => histograms.metric({})).toThrow('Bucket boundaries not found in Metric args.');
    expect(() => histograms.metric({}, { buckets: [1, 1] })).toThrow(
      'Bucket Boundaries must be strictly sorted',
    );
    const histogram = histograms.metric({}, { buckets: [] });
    expect(() => histogram.value()).toThrow('TRITONSERVER_METRIC_KIND_HISTOGRAM does not support Value');
    expect(() => histogram.increment(1)).toThrow('does not support Increment');
    histogram.observe(4);
    expect(await lines(all, 'my_hist')).toContain('my_hist_bucket{le="+Inf"} 1');
  });
});
