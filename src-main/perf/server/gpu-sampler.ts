// Reads GPU use from the server's metrics page while levels are measured: means of use and power, maximum of memory.

import type { PerfGpu } from '../../../src-shared/contract/perf-views.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { HttpInferClient } from '../../client/http-client.ts';

const FAMILIES = {
  nv_gpu_utilization: 'utilization',
  nv_gpu_power_usage: 'power',
  nv_gpu_memory_used_bytes: 'used',
  nv_gpu_memory_total_bytes: 'total',
} as const;

type Reading = { utilization?: number; power?: number; used?: number; total?: number };

/** Values by GPU from a metrics page. */
function parseGpuMetrics(text: string): ReadonlyMap<string, Reading> {
  const gpus = new Map<string, Reading>();
  for (const match of text.matchAll(/^(nv_gpu_\w+)\{[^}]*gpu_uuid="([^"]*)"[^}]*\} (\S+)/gm)) {
    const family = FAMILIES[match[1] as keyof typeof FAMILIES] as
      | (typeof FAMILIES)[keyof typeof FAMILIES]
      | undefined;
    const value = Number(match[3]);
    if (family === undefined || !Number.isFinite(value)) continue;
    const uuid = match[2] ?? '';
    gpus.set(uuid, { ...gpus.get(uuid), [family]: value });
  }
  return gpus;
}

/** Samples from its making until `close`; a page that cannot be read gives one sample less. */
export class GpuSampler {
  readonly #client: HttpInferClient;
  readonly #path: string;
  readonly #timer: Timer;
  #samples: ReadonlyMap<string, Reading>[] = [];

  /** `url`: "http://host:port/metrics". */
  constructor(url: string, options: { readonly clock: Clock; readonly periodMs: number }) {
    const parsed = new URL(url);
    const { clock, periodMs } = options;
    this.#client = new HttpInferClient(`${parsed.hostname}:${parsed.port === '' ? '80' : parsed.port}`, {
      clock,
      encoding: 'json',
    });
    this.#path = parsed.pathname;
    this.#timer = clock.every(periodMs, () => void this.#sample());
  }

  /** Rejects when the page cannot be read. */
  async check(): Promise<void> {
    await this.#client.call({ method: 'GET', path: this.#path });
  }

  /** Forgets the samples taken so far. */
  startLevel(): void {
    this.#samples = [];
  }

  /** Means of use and power, and the most memory in use, since `startLevel`; one entry per GPU, by UUID. */
  endLevel(): readonly PerfGpu[] {
    const uuids = new Set(this.#samples.flatMap((sample) => [...sample.keys()]));
    return [...uuids].sort().map((uuid) => {
      const readings = this.#samples.map((sample) => sample.get(uuid) ?? {});
      const known = (pick: (reading: Reading) => number | undefined): number[] =>
        readings.map(pick).filter((value) => value !== undefined);
      return {
        uuid,
        utilizationPercent: mean(known(({ utilization }) => utilization)) * 100,
        powerWatts: mean(known(({ power }) => power)),
        usedByteSize: Math.max(0, ...known(({ used }) => used)),
        totalByteSize: known(({ total }) => total)[0] ?? 0,
      };
    });
  }

  /** Ends sampling and the connection; the run that was given the sampler calls it. */
  async close(): Promise<void> {
    this.#timer.cancel();
    await this.#client.close();
  }

  async #sample(): Promise<void> {
    try {
      const { body } = await this.#client.call({ method: 'GET', path: this.#path });
      this.#samples.push(parseGpuMetrics(body.toString('utf8')));
    } catch {
      // A page that cannot be read now gives one sample less.
    }
  }
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((total, value) => total + value, 0) / values.length;
}
