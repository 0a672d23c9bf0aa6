// One measurement by the load generator, in a process of its own; repeated, each time longer, while its windows do not agree
// or are too short for a single answer.

import os from 'node:os';

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import type { Clock } from '../../base/clock.ts';
import { residentBytesOf } from '../../base/process-memory.ts';
import type { ProcessSpawner } from '../../base/process-spawner.ts';
import { scanPerfOptions } from '../../perf/options/perf-arguments.ts';
import { planFromOptions } from '../../perf/options/plan-from-options.ts';
import { GeneratorRun } from '../../perf/runs/generator-run.ts';
import { GpuSampler } from '../../perf/server/gpu-sampler.ts';
import { analyzeErrors } from '../analyze-errors.ts';
import type { Given } from '../options/given-values.ts';
import type { GpuMeasurement, Measurement, ProcessMemory } from '../results/measurement.ts';
import { gpuMeasurement, metricsOf } from '../results/measurement.ts';
import type { TrialLoad } from '../search/trial.ts';
import type { AnalyzerServer } from './analyzer-server.ts';

/** What each repetition is longer by. */
const MORE_MS = 1000;
const MORE_REQUESTS = 50;

/** One variant at one load. */
export interface WantedMeasurement {
  /** Name that the server knows it by. */
  readonly served: string;
  readonly variant: string;
  readonly batchSize: number;
  readonly load: TrialLoad;
  readonly perfFlags: Given;
}

/** How every measurement is done. */
export interface MeasurerOptions {
  readonly spawner: ProcessSpawner;
  readonly clock: Clock;
  readonly protocol: 'http' | 'grpc';
  readonly monitoringMs: number;
  readonly timeoutMs: number;
  /** How often a measurement is repeated, each time longer. */
  readonly maxAdjusts: number;
  /** What is not steady is a result as well, and not repeated. */
  readonly keepsUnstable: boolean;
  readonly readsMemory: boolean;
  /** Told why a measurement is made once more, and with which windows. */
  readonly note?: (text: string) => void;
}

/** What an analyzer measures with; tests put their own in its place. */
export interface TrialMeasurer {
  /** Rejects with why nothing could be measured. */
  measure(server: AnalyzerServer, wanted: WantedMeasurement): Promise<Measurement>;
  /** GPUs of an idle server. */
  idle(server: AnalyzerServer, durationMs: number): Promise<readonly GpuMeasurement[]>;
  /** Ends the measurement that goes on, without a result. */
  kill(): void;
}

/** One measurement at a time. */
export class Measurer implements TrialMeasurer {
  readonly #options: MeasurerOptions;
  #run: GeneratorRun | undefined;

  constructor(options: MeasurerOptions) {
    this.#options = options;
  }

  async measure(server: AnalyzerServer, wanted: WantedMeasurement): Promise<Measurement> {
    let plan = measurementPlan(wanted, server, this.#options.protocol);
    const { maxAdjusts, keepsUnstable } = this.#options;
    for (let adjusts = 0; ; adjusts += 1) {
      const found = await this.#once(server, plan);
      const { level } = found;
      const hasNumbers = isMeasured(level);
      if (hasNumbers && (level.state !== 'unstable' || keepsUnstable))
        return { ...found, ...placeOf(wanted) };
      // Longer windows do not help against errors.
      if (!hasNumbers && (level.firstError !== '' || adjusts === maxAdjusts))
        throw analyzeErrors.measuredNothing({ reason: whyNothing(level) });
      if (adjusts === maxAdjusts) throw analyzeErrors.unstable({ count: maxAdjusts + 1 });
      plan = longer(plan);
      this.#options.note?.(repetitionText(wanted, hasNumbers, plan));
    }
  }

  async idle(server: AnalyzerServer, durationMs: number): Promise<readonly GpuMeasurement[]> {
    const sampler = await this.#sampler(server);
    if (sampler === undefined) return [];
    const { clock, monitoringMs } = this.#options;
    sampler.startLevel();
    // At least one look.
    await clock.wait(Math.max(durationMs, monitoringMs * 1.5));
    const gpus = sampler.endLevel();
    await sampler.close();
    return gpus.map(gpuMeasurement);
  }

  kill(): void {
    this.#run?.kill();
  }

  async #once(server: AnalyzerServer, plan: PerfPlan): Promise<Omit<Measurement, keyof Place>> {
    const { spawner, clock, timeoutMs } = this.#options;
    const sampler = await this.#sampler(server);
    sampler?.startLevel();
    const memory = this.#options.readsMemory ? new MemoryWatch(server, this.#options) : undefined;
    const levels: PerfLevel[] = [];
    const run = new GeneratorRun(spawner, plan, {
      prepared: () => undefined,
      progress: () => undefined,
      level: (level) => void levels.push(level),
    });
    this.#run = run;
    let isLate = false;
    const limit = clock.after(timeoutMs, () => {
      isLate = true;
      run.kill();
    });
    try {
      const warnings = await run.done.catch((thrown: unknown) => {
        throw isLate ? analyzeErrors.timedOut({ seconds: timeoutMs / 1000 }) : thrown;
      });
      const [level] = levels;
      if (level === undefined) throw analyzeErrors.measuredNothing({ reason: whyNothing(level) });
      const gpus = (sampler?.endLevel() ?? []).map(gpuMeasurement);
      return { metrics: metricsOf(level, gpus, memory?.highest), gpus, level: slim(level), warnings };
    } finally {
      limit.cancel();
      memory?.close();
      this.#run = undefined;
      await sampler?.close();
    }
  }

  /** undefined where the server has no page of metrics. */
  async #sampler({ endpoints }: AnalyzerServer): Promise<GpuSampler | undefined> {
    const { clock, monitoringMs } = this.#options;
    const sampler = new GpuSampler(endpoints.metricsUrl, { clock, periodMs: monitoringMs });
    try {
      await sampler.check();
      return sampler;
    } catch {
      await sampler.close();
      return undefined;
    }
  }
}

type Place = Pick<Measurement, 'variant' | 'batchSize' | 'load'>;

function placeOf({ variant, batchSize, load }: WantedMeasurement): Place {
  return { variant, batchSize, load };
}

/** False when the last window saw no answer at all. */
function isMeasured({ state, result }: PerfLevel): boolean {
  return state !== 'failed' && result.requestCount > 0;
}

/** Options that the analyzer gives win over those of the user. */
export function measurementPlan(
  { served, batchSize, load, perfFlags }: WantedMeasurement,
  { endpoints }: Pick<AnalyzerServer, 'endpoints'>,
  protocol: 'http' | 'grpc',
): PerfPlan {
  const flags = Object.entries(perfFlags).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => flagWords(name, one)),
  );
  const args = [
    ...(perfFlags['measurement-mode'] === undefined ? ['--measurement-mode', 'count_windows'] : []),
    ...flags,
    ...['-m', served, '-b', String(batchSize), '-i', protocol, '-u', endpoints[protocol]],
    ...[load.unit === 'concurrency' ? '--concurrency-range' : '--request-rate-range', String(load.value)],
  ];
  return planFromOptions(scanPerfOptions(args).values).plan;
}

function flagWords(name: string, value: unknown): readonly string[] {
  const option = name.length === 1 ? `-${name}` : `--${name}`;
  if (value === false || value === null) return [];
  return value === true ? [option] : [option, String(value)];
}

/** The same plan with longer windows. */
export function longer(plan: PerfPlan): PerfPlan {
  const { measurement } = plan;
  return {
    ...plan,
    measurement:
      measurement.mode === 'time'
        ? { ...measurement, intervalMs: measurement.intervalMs + MORE_MS }
        : { ...measurement, requestCount: measurement.requestCount + MORE_REQUESTS },
  };
}

function repetitionText({ variant, load }: WantedMeasurement, hasNumbers: boolean, plan: PerfPlan): string {
  const why = hasNumbers ? 'the windows do not agree' : 'no request was answered within a window';
  const { measurement } = plan;
  const windows =
    measurement.mode === 'time'
      ? `${measurement.intervalMs / 1000} s`
      : `${measurement.requestCount} requests`;
  return `${variant}, ${load.unit} ${load.value}: ${why}; measured once more, with windows of ${windows}`;
}

function slim(level: PerfLevel): PerfLevel {
  const bare = { histogram: [], server: undefined };
  return {
    ...level,
    result: { ...level.result, histogram: [] },
    windows: level.windows.map((window) => ({ ...window, ...bare })),
    slowest: [],
  };
}

/** The most memory that the server held while it was measured. */
class MemoryWatch {
  readonly #timer: { cancel(): void };
  highest: ProcessMemory | undefined;

  constructor(server: AnalyzerServer, { clock, monitoringMs }: MeasurerOptions) {
    const look = async (): Promise<void> => {
      const usedByteSize = server.pid === undefined ? undefined : await residentBytesOf(server.pid);
      if (usedByteSize === undefined) return;
      this.highest = {
        usedByteSize: Math.max(usedByteSize, this.highest?.usedByteSize ?? 0),
        availableByteSize: Math.max(os.freemem(), this.highest?.availableByteSize ?? 0),
      };
    };
    void look();
    this.#timer = clock.every(monitoringMs, () => void look());
  }

  close(): void {
    this.#timer.cancel();
  }
}

/** "" stands for no error, and for nothing to say. */
export function whyNothing(level: Pick<PerfLevel, 'firstError' | 'note'> | undefined): string {
  if (level === undefined) return 'nothing was sent';
  return [level.firstError, level.note].find((text) => text !== '') ?? 'none ended while it was measured';
}
