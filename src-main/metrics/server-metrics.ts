// Everything the metrics port shows: families of models, machine, GPUs, response cache and process, on one registry.
// Values come from sources handed in and from pollers of its own; a scrape only reads.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Registry } from './metric-library.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import { CpuSampler } from './cpu-sampler.ts';
import type { CpuReading } from './cpu-sampler.ts';
import { CustomMetrics } from './custom-metrics.ts';
import type { FamilyObject, FamilyReading } from './family-reading.ts';
import { familyReading } from './family-reading.ts';
import type { GpuReading } from './gpu-sampler.ts';
import { GpuSampler } from './gpu-sampler.ts';
import type { MetricsConfig } from './metrics-config.ts';
import { ModelFamilies } from './model-families.ts';
import type { ModelMetricsHandle, ModelMetricsSource } from './model-source.ts';
import { PulledFamily } from './pulled-family.ts';

/** Counters of the server-wide response cache. */
export interface CacheMetrics {
  readonly entryCount: number;
  readonly lookupCount: number;
  readonly hitCount: number;
  readonly missCount: number;
  readonly evictionCount: number;
  readonly lookupNs: number;
  readonly insertionNs: number;
  /** 0..1. */
  readonly utilization: number;
}

/** Which families there are, and how often machine and GPUs are asked. */
export interface ServerMetricsOptions {
  readonly config: MetricsConfig;
  /** What is wrong in the configuration, told with every model. */
  readonly configFaults?: readonly string[];
  readonly clock: Clock;
  readonly cpu: boolean;
  readonly gpu: boolean;
  /** Readings are taken every half of it. */
  readonly intervalMs: number;
  /** Value of CUDA_VISIBLE_DEVICES. */
  readonly visibleDevices?: string | undefined;
  /** The response cache; undefined = the server has none. */
  readonly cache?: (() => CacheMetrics) | undefined;
  /** Size of the pool; undefined = there is none. */
  readonly pinnedMemory?: (() => { readonly totalBytes: number; readonly usedBytes: number }) | undefined;
}

const LOOP_DELAY_RESOLUTION_MS = 20;

/** Samples every `--metrics-interval-ms`. Text is in the Prometheus format. */
export class ServerMetrics {
  readonly #options: ServerMetricsOptions;
  readonly #registry = new Registry();
  readonly #models: ModelFamilies;
  readonly #cpu: CpuSampler | undefined;
  readonly #gpu: GpuSampler | undefined;
  readonly #loopDelay: ReturnType<typeof monitorEventLoopDelay>;
  readonly #logger = getLogger('metrics');
  #timer: Timer | undefined;
  /** Metrics of backends and models. */
  readonly custom: CustomMetrics;

  constructor(options: ServerMetricsOptions) {
    this.#options = options;
    this.#models = new ModelFamilies(this.#registry, options.config, options.clock);
    this.#cpu = options.cpu ? new CpuSampler() : undefined;
    this.#gpu = options.gpu
      ? new GpuSampler({
          clock: options.clock,
          intervalMs: options.intervalMs / 2,
          visibleDevices: options.visibleDevices,
        })
      : undefined;
    this.#loopDelay = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS });
    this.#models.registerCounters();
    if (options.gpu) this.#registerEnergy();
    this.#models.registerGauges();
    this.#registerGauges();
    this.#models.registerHistograms();
    this.#models.registerSummaries();
    this.custom = new CustomMetrics(this.#registry);
  }

  /** Begins polling the machine. */
  start(): void {
    this.#loopDelay.enable();
    this.#gpu?.start();
    if (this.#cpu === undefined) return;
    this.#logger.info('Collecting CPU metrics');
    this.#pollCpu();
    this.#timer = this.#options.clock.every(Math.max(1, this.#options.intervalMs / 2), () => this.#pollCpu());
  }

  /** Ends polling, and the GPU tool. Scrapes still work. */
  close(): void {
    this.#timer?.cancel();
    this.#gpu?.close();
    this.#loopDelay.disable();
  }

  /** Publishes a loaded version until the handle is closed. */
  addModel(source: ModelMetricsSource): ModelMetricsHandle {
    for (const fault of this.#options.configFaults ?? []) this.#logger.error(fault);
    return this.#models.add(source);
  }

  /** The latest GPU readings; empty without GPUs. */
  gpus(): readonly GpuReading[] {
    return this.#gpu?.readings() ?? [];
  }

  /** The latest machine reading; undefined before the first one and where there is none. */
  cpu(): CpuReading | undefined {
    return this.#cpu?.reading;
  }

  /** Mean delay of the event loop since the server started, in ms. */
  loopDelayMs(): number {
    const { mean } = this.#loopDelay;
    return Number.isFinite(mean) ? Math.max(0, mean / 1e6 - LOOP_DELAY_RESOLUTION_MS) : 0;
  }

  /** Text exposition, format 0.0.4. A family that has no metric now is left out, as in the reference. */
  async text(): Promise<string> {
    const names = this.#registry.getMetricsAsArray().map(({ name }) => name);
    const families = await Promise.all(names.map((name) => this.#registry.getSingleMetricAsString(name)));
    return `${families.filter(hasSeries).map(withoutEmptyHelp).join('\n\n')}\n`;
  }

  /** The same as numbers. */
  async families(): Promise<readonly FamilyReading[]> {
    const read = await Promise.all(this.#registry.getMetricsAsArray().map((family) => objectOf(family)));
    return read.flatMap((family) => familyReading(family) ?? []);
  }

  #pollCpu(): void {
    this.#cpu?.poll().catch((thrown: unknown) => {
      this.#timer?.cancel();
      this.#logger.info(`No CPU metrics: ${(thrown as Error).message}`);
    });
  }

  #registerEnergy(): void {
    const help = 'GPU energy consumption in joules since the Triton Server started';
    this.#perGpu('nv_energy_consumption', help, 'counter', (gpu) => gpu.energyJoules);
  }

  #registerGauges(): void {
    const { pinnedMemory, cache, cpu, gpu } = this.#options;
    const pinned = pinnedMemory ?? (() => ({ totalBytes: 0, usedBytes: 0 }));
    this.#plain(
      'nv_pinned_memory_pool_total_bytes',
      'Pinned memory pool total memory size, in bytes',
      () => pinned().totalBytes,
    );
    this.#plain(
      'nv_pinned_memory_pool_used_bytes',
      'Pinned memory pool used memory size, in bytes',
      () => pinned().usedBytes,
    );
    if (gpu) this.#registerGpu();
    if (cpu) this.#registerCpu();
    if (cache !== undefined) this.#registerCache(cache);
    this.#registerProcess();
  }

  #registerGpu(): void {
    this.#perGpu('nv_gpu_utilization', 'GPU utilization rate [0.0 - 1.0)', 'gauge', (gpu) => gpu.utilization);
    this.#perGpu(
      'nv_gpu_memory_total_bytes',
      'GPU total memory, in bytes',
      'gauge',
      (gpu) => gpu.memoryTotalBytes,
    );
    this.#perGpu(
      'nv_gpu_memory_used_bytes',
      'GPU used memory, in bytes',
      'gauge',
      (gpu) => gpu.memoryUsedBytes,
    );
    this.#perGpu('nv_gpu_power_usage', 'GPU power usage in watts', 'gauge', (gpu) => gpu.powerUsageWatts);
    this.#perGpu(
      'nv_gpu_power_limit',
      'GPU power management limit in watts',
      'gauge',
      (gpu) => gpu.powerLimitWatts,
    );
  }

  #registerCpu(): void {
    const reading = (): CpuReading | undefined => this.#cpu?.reading;
    this.#plain('nv_cpu_utilization', 'CPU utilization rate [0.0 - 1.0]', () => reading()?.utilization);
    this.#plain(
      'nv_cpu_memory_total_bytes',
      'CPU total memory (RAM), in bytes',
      () => reading()?.memoryTotalBytes,
    );
    this.#plain(
      'nv_cpu_memory_used_bytes',
      'CPU used memory (RAM), in bytes',
      () => reading()?.memoryUsedBytes,
    );
  }

  #registerCache(cache: () => CacheMetrics): void {
    this.#plain('nv_cache_util', 'Cache utilization [0.0 - 1.0]', () => cache().utilization);
    this.#plain(
      'nv_cache_num_entries',
      'Number of responses stored in response cache',
      () => cache().entryCount,
    );
    this.#plain('nv_cache_num_hits', 'Number of cache hits in response cache', () => cache().hitCount);
    this.#plain('nv_cache_num_misses', 'Number of cache misses in response cache', () => cache().missCount);
    this.#plain(
      'nv_cache_num_lookups',
      'Number of cache lookups in response cache',
      () => cache().lookupCount,
    );
    this.#plain(
      'nv_cache_num_evictions',
      'Number of cache evictions in response cache',
      () => cache().evictionCount,
    );
    this.#plain(
      'nv_cache_lookup_duration',
      'Total cache lookup duration (hit and miss), in microseconds',
      () => Math.trunc(cache().lookupNs / 1000),
    );
    this.#plain('nv_cache_insertion_duration', 'Total cache insertion duration, in microseconds', () =>
      Math.trunc(cache().insertionNs / 1000),
    );
  }

  /** Not of the reference: what this process itself uses, under the names that Prometheus tools know. */
  #registerProcess(): void {
    this.#plain('process_resident_memory_bytes', 'Resident memory size in bytes.', () =>
      process.memoryUsage.rss(),
    );
    const cpu = {
      name: 'process_cpu_seconds_total',
      help: 'Total user and system CPU time spent in seconds.',
    };
    new PulledFamily(this.#registry, { ...cpu, kind: 'counter' }, () => {
      const { user, system } = process.cpuUsage();
      return [{ labels: {}, value: (user + system) / 1e6 }];
    });
    this.#plain(
      'nodejs_eventloop_lag_mean_seconds',
      'The mean of the recorded event loop delays.',
      () => this.loopDelayMs() / 1000,
    );
  }

  /** A gauge without labels; undefined = no series yet. */
  #plain(name: string, help: string, read: () => number | undefined): void {
    new PulledFamily(this.#registry, { name, help, kind: 'gauge' }, () => {
      const value = read();
      return value === undefined ? [] : [{ labels: {}, value }];
    });
  }

  #perGpu(name: string, help: string, kind: 'gauge' | 'counter', read: (gpu: GpuReading) => number): void {
    new PulledFamily(this.#registry, { name, help, kind }, () =>
      this.gpus().map((gpu) => ({ labels: { gpu_uuid: gpu.uuid }, value: read(gpu) })),
    );
  }
}

/** The package declares `get` for each kind apart. */
function objectOf(family: unknown): Promise<FamilyObject> {
  return (family as { get(): Promise<FamilyObject> }).get();
}

/** A family's text is its HELP and TYPE lines, then one line for each series. */
function hasSeries(family: string): boolean {
  return /^[^#\n]/m.test(family);
}

/** A description that is empty has no line, as in the reference. */
function withoutEmptyHelp(family: string): string {
  return family.replace(/^# HELP \S+ *\n/, '');
}
