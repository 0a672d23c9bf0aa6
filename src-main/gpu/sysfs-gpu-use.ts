// How busy the GPUs of AMD and Intel are, out of sysfs on Linux, where their kernel drivers tell it to every user. AMD's
// (amdgpu) says the share of the time itself, and the memory in use; Intel's (i915, xe) counts the milliseconds in which
// the device slept, and says nothing of memory. NVIDIA's tell only their own tool.

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

import type { Clock } from '../base/clock.ts';
import type { GpuUseReading } from './gpu-use.ts';

/** Where the kernel's files lie; tests have theirs. */
export interface SysfsGpuUseOptions {
  readonly clock: Clock;
  /** Default: /sys/class/drm. */
  readonly drm?: string;
}

const BUSY_PERCENT = 'device/gpu_busy_percent';
const VRAM_USED = 'device/mem_info_vram_used';
const VRAM_TOTAL = 'device/mem_info_vram_total';
/** Milliseconds asleep: i915's, and xe's. */
const SLEEP_COUNTERS = ['gt/gt0/rc6_residency_ms', 'device/tile0/gt0/gtidle/idle_residency_ms'];

const NOTHING = { source: 'sysfs', memoryUsedBytes: undefined, memoryTotalBytes: undefined } as const;

interface Slept {
  readonly ms: number;
  readonly atNs: number;
}

/** Shares are percent of the time since the reading before. A machine without such devices is asked once. */
export class SysfsGpuUse {
  readonly #clock: Clock;
  readonly #drm: string;
  readonly #slept = new Map<string, Slept>();
  #readings: readonly GpuUseReading[] = [];
  #reading: Promise<void> | undefined;
  #isWithout = false;

  constructor({ clock, drm = '/sys/class/drm' }: SysfsGpuUseOptions) {
    this.#clock = clock;
    this.#drm = drm;
  }

  /** As they were read last; asking has them read again, so whoever asks every second sees what is a second old. */
  latest(): readonly GpuUseReading[] {
    if (!this.#isWithout) void this.read();
    return this.#readings;
  }

  /** Never rejects; a device that cannot be read is left out. One reading at a time. */
  read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    const names = await readdir(this.#drm).catch(() => []);
    const cards = names.filter((name) => /^card\d+$/.test(name)).sort();
    const readings = await Promise.all(cards.map((card) => this.#readCard(card)));
    this.#readings = readings.filter((reading) => reading !== undefined);
    // A machine without such a device is asked once.
    this.#isWithout = this.#readings.length === 0 && this.#slept.size === 0;
  }

  async #readCard(card: string): Promise<GpuUseReading | undefined> {
    const busy = await this.#number(card, BUSY_PERCENT);
    if (busy !== undefined) {
      return {
        ...NOTHING,
        name: card,
        utilization: share(busy / 100),
        memoryUsedBytes: await this.#number(card, VRAM_USED),
        memoryTotalBytes: await this.#number(card, VRAM_TOTAL),
      };
    }
    for (const counter of SLEEP_COUNTERS) {
      const ms = await this.#number(card, counter);
      if (ms === undefined) continue;
      const now: Slept = { ms, atNs: this.#clock.nowNs() };
      const before = this.#slept.get(card);
      this.#slept.set(card, now);
      // The first reading of a counter tells nothing yet.
      if (before === undefined || now.atNs <= before.atNs) return undefined;
      const passedMs = (now.atNs - before.atNs) / 1e6;
      return { ...NOTHING, name: card, utilization: share(1 - (now.ms - before.ms) / passedMs) };
    }
    return undefined;
  }

  async #number(card: string, file: string): Promise<number | undefined> {
    const text = await readFile(path.join(this.#drm, card, file), 'utf8').catch(() => '');
    return /^\d+\s*$/.test(text) ? Number(text) : undefined;
  }
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
