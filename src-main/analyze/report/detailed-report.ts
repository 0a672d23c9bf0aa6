// The report of one configuration: its settings, where the time goes at each load, every measurement.

import { metricOf } from '../rank/metrics.ts';
import type { MetricTag } from '../rank/metrics.ts';
import type { Measurement, VariantRecord } from '../results/measurement.ts';
import { escaped, stackedBars } from './svg-chart.ts';
import { htmlPage, htmlTable } from './html-page.ts';
import { cell } from './summary-report.ts';

const PARTS = [
  { tag: 'perf_server_queue', name: 'Queue', color: '#e69f00' },
  { tag: 'perf_server_compute_input', name: 'Compute Input', color: '#56b4e9' },
  { tag: 'perf_server_compute_infer', name: 'Compute Infer', color: '#009e73' },
  { tag: 'perf_server_compute_output', name: 'Compute Output', color: '#f0e442' },
] as const;

const COLUMNS: readonly MetricTag[] = [
  'perf_latency_p99',
  'perf_client_response_wait',
  'perf_server_queue',
  'perf_server_compute_input',
  'perf_server_compute_infer',
  'perf_throughput',
  'cpu_used_ram',
  'gpu_used_memory',
  'gpu_utilization',
];

/** `plot` is in `html` too. */
export interface DetailedReport {
  readonly html: string;
  readonly plot: string;
}

/** online: by latency, offline: by throughput, the highest first. */
export function detailedReport(record: VariantRecord, mode: 'online' | 'offline'): DetailedReport {
  const measured = sorted(record.measurements, mode);
  const plot = breakdown(record.measurements);
  const isRate = measured.some(({ load }) => load.unit === 'request-rate');
  const columns = COLUMNS.filter((tag) => measured.some(({ metrics }) => metrics[tag] !== undefined));
  const html = htmlPage(`Detailed Report: ${record.name}`, [
    htmlTable(
      ['Setting', 'Value'],
      [
        ['Max Batch Size', String(record.maxBatchSize)],
        ['Dynamic Batching', record.hasDynamicBatching ? 'Enabled' : 'Disabled'],
        ['Instance Group', record.instanceGroup],
      ],
    ),
    plot,
    htmlTable(
      [
        isRate ? 'Request Rate' : 'Request Concurrency',
        'Client Batch Size',
        ...columns.map((tag) => `${metricOf(tag).prefix}${metricOf(tag).header}`),
      ],
      measured.map(({ load, batchSize, metrics }) => [
        String(load.value),
        String(batchSize),
        ...columns.map((tag) => cell(metrics, tag)),
      ]),
    ),
    '<h2>Configuration</h2>',
    `<pre>${escaped(record.text)}</pre>`,
  ]);
  return { html, plot };
}

function sorted(list: readonly Measurement[], mode: 'online' | 'offline'): readonly Measurement[] {
  const tag = mode === 'online' ? 'perf_latency_p99' : 'perf_throughput';
  return list.toSorted((a, b) => (b.metrics[tag] ?? 0) - (a.metrics[tag] ?? 0));
}

function breakdown(list: readonly Measurement[]): string {
  const ordered = list.toSorted((a, b) => a.load.value - b.load.value || a.batchSize - b.batchSize);
  return stackedBars({
    title: 'Latency Breakdown',
    xLabel: 'Load (client batch size)',
    yLabel: 'Mean time (ms)',
    parts: PARTS,
    bars: ordered.map(({ load, batchSize, metrics }) => ({
      label: batchSize === 1 ? String(load.value) : `${load.value} (${batchSize})`,
      values: PARTS.map(({ tag }) => metrics[tag] ?? 0),
    })),
    line: { name: 'Throughput', values: ordered.map(({ metrics }) => metrics.perf_throughput ?? 0) },
  });
}
