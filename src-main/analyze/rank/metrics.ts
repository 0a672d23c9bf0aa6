// What is known of a measurement by name: how a table heads it, whether less of it is better, and how the values of
// several GPUs become one.

interface MetricRow {
  readonly header: string;
  /** Of the mean or the largest of several measurements. */
  readonly prefix: '' | 'Max ' | 'Average ';
  readonly isLessBetter: boolean;
  readonly overGpus: 'sum' | 'mean';
}

function row(header: string, options: Partial<MetricRow> = {}): MetricRow {
  return { header, prefix: '', isLessBetter: true, overGpus: 'mean', ...options };
}

const MORE = { isLessBetter: false } as const;

const METRICS = {
  perf_throughput: row('Throughput (infer/sec)', { ...MORE, overGpus: 'sum' }),
  perf_latency_avg: row('Avg Latency (ms)'),
  perf_latency_p90: row('p90 Latency (ms)'),
  perf_latency_p95: row('p95 Latency (ms)'),
  perf_latency_p99: row('p99 Latency (ms)'),
  perf_client_send_recv: row('Client Send/Recv (ms)'),
  perf_client_response_wait: row('Response Wait Time (ms)'),
  perf_server_queue: row('Server Queue time (ms)'),
  perf_server_compute_input: row('Server Compute Input time (ms)'),
  perf_server_compute_infer: row('Server Compute Infer time (ms)'),
  perf_server_compute_output: row('Server Compute Output time (ms)'),
  gpu_used_memory: row('GPU Memory Usage (MB)', { prefix: 'Max ', overGpus: 'sum' }),
  gpu_free_memory: row('GPU Memory Available (MB)', { ...MORE, prefix: 'Max ', overGpus: 'sum' }),
  gpu_total_memory: row('GPU Total Memory (MB)', { ...MORE, prefix: 'Max ', overGpus: 'sum' }),
  gpu_utilization: row('GPU Utilization (%)', { ...MORE, prefix: 'Average ' }),
  gpu_power_usage: row('GPU Power Usage (W)', { prefix: 'Average ' }),
  cpu_used_ram: row('RAM Usage (MB)', { prefix: 'Max ' }),
  cpu_available_ram: row('RAM Available (MB)', { ...MORE, prefix: 'Max ' }),
} as const;

/** Name of a metric, as users write it. */
export type MetricTag = keyof typeof METRICS;
/** Values by metric; one that was not measured is missing. */
export type Metrics = Readonly<Partial<Record<MetricTag, number>>>;

const METRIC_TAGS = Object.keys(METRICS) as readonly MetricTag[];

/** What is fixed about a metric. */
export function metricOf(tag: MetricTag): MetricRow {
  return METRICS[tag];
}

/** The metric of a name that users write; the old name of the p99 latency counts too. */
export function metricNamed(name: string): MetricTag | undefined {
  if (name === 'perf_latency') return 'perf_latency_p99';
  return METRIC_TAGS.find((tag) => tag === name);
}
