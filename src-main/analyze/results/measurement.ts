// What was measured of one variant at one load, and what is known of the variant. Plain data: checkpoints hold it as it is.

import type { PerfGpu, PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import type { Metrics, MetricTag } from '../rank/metrics.ts';
import { metricOf } from '../rank/metrics.ts';
import type { TrialLoad } from '../search/trial.ts';

/** Of one GPU, over one measurement. */
export interface GpuMeasurement {
  readonly uuid: string;
  readonly metrics: Metrics;
}

/** One stable measurement. */
export interface Measurement {
  readonly variant: string;
  readonly batchSize: number;
  readonly load: TrialLoad;
  readonly metrics: Metrics;
  readonly gpus: readonly GpuMeasurement[];
  /** Histograms and slow requests are left out; the windows are there, since they tell how much it varies. */
  readonly level: PerfLevel;
  /** What may have disturbed the measurement (other traffic, heat, a busy generator), as sentences for the user. */
  readonly warnings: readonly string[];
}

/** A variant with what was measured of it; empty facts where it was never loaded. */
export interface VariantRecord {
  readonly name: string;
  /** Text of config.pbtxt, under the name of the model; what makes two variants the same. */
  readonly text: string;
  /** "2:CPU", "1:GPU + 1:CPU". */
  readonly instanceGroup: string;
  readonly instanceCount: number;
  readonly maxBatchSize: number;
  readonly hasDynamicBatching: boolean;
  /** `parameters` of the configuration. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly measurements: readonly Measurement[];
  /** Why it could not be loaded or measured, undefined = it could. */
  readonly failure: string | undefined;
  /** Of the default: by which share it was better, at the objectives, when it was measured once more after the search. */
  readonly drift?: number;
}

/** Of the server process, and what the machine has left. */
export interface ProcessMemory {
  readonly usedByteSize: number;
  readonly availableByteSize: number;
}

const MB = 1e6;

/** `memory` of the server, where it was read. */
export function metricsOf(
  { result }: PerfLevel,
  gpus: readonly GpuMeasurement[],
  memory: ProcessMemory | undefined,
): Metrics {
  const { server } = result;
  const percentile = (rank: string): number => (result.percentilesUs[rank] ?? 0) / 1000;
  return {
    perf_throughput: result.inferPerSecond,
    perf_latency_avg: result.meanUs / 1000,
    perf_latency_p90: percentile('90'),
    perf_latency_p95: percentile('95'),
    perf_latency_p99: percentile('99'),
    perf_client_send_recv: (result.sendUs + result.receiveUs) / 1000,
    perf_client_response_wait: Math.max(0, result.meanUs - result.sendUs - result.receiveUs) / 1000,
    ...(server !== undefined && {
      perf_server_queue: server.queueUs / 1000,
      perf_server_compute_input: server.inputUs / 1000,
      perf_server_compute_infer: server.inferUs / 1000,
      perf_server_compute_output: server.outputUs / 1000,
    }),
    ...overGpus(gpus),
    ...(memory !== undefined && {
      cpu_used_ram: memory.usedByteSize / MB,
      cpu_available_ram: memory.availableByteSize / MB,
    }),
  };
}

/** Memory in MB. */
export function gpuMeasurement(gpu: PerfGpu): GpuMeasurement {
  return {
    uuid: gpu.uuid,
    metrics: {
      gpu_used_memory: gpu.usedByteSize / MB,
      gpu_free_memory: (gpu.totalByteSize - gpu.usedByteSize) / MB,
      gpu_total_memory: gpu.totalByteSize / MB,
      gpu_utilization: gpu.utilizationPercent,
      gpu_power_usage: gpu.powerWatts,
    },
  };
}

const GPU_TAGS: readonly MetricTag[] = [
  'gpu_used_memory',
  'gpu_free_memory',
  'gpu_total_memory',
  'gpu_utilization',
  'gpu_power_usage',
];

function overGpus(gpus: readonly GpuMeasurement[]): Metrics {
  if (gpus.length === 0) return {};
  return Object.fromEntries(
    GPU_TAGS.map((tag) => {
      const total = gpus.reduce((sum, { metrics }) => sum + (metrics[tag] ?? 0), 0);
      return [tag, metricOf(tag).overGpus === 'sum' ? total : total / gpus.length];
    }),
  );
}
