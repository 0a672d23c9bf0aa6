// CPU and memory use of the machine, from the kernel's text files. Linux only; elsewhere there are no readings.

import { readFile } from 'node:fs/promises';

/** The processors and memory of the machine, not of this process. */
export interface CpuReading {
  /** 0..1, between the last two polls. */
  readonly utilization: number;
  readonly memoryTotalBytes: number;
  readonly memoryUsedBytes: number;
}

interface CpuTimes {
  readonly busy: number;
  readonly idle: number;
}

/** First line of /proc/stat: user nice system idle iowait irq softirq steal. */
export function parseCpuTimes(stat: string): CpuTimes {
  const [, user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = (
    stat.split('\n', 1)[0] ?? ''
  )
    .trim()
    .split(/\s+/)
    .map(Number);
  return { busy: user + nice + system + irq + softirq + steal, idle: idle + iowait };
}

/** Total and used bytes of /proc/meminfo; used = total - available. */
export function parseMemory(text: string): { readonly totalBytes: number; readonly usedBytes: number } {
  const kilobytes = (key: string): number =>
    Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const totalBytes = kilobytes('MemTotal') * 1024;
  return { totalBytes, usedBytes: Math.max(0, totalBytes - kilobytes('MemAvailable') * 1024) };
}

/** Share of busy time between two polls; time that runs backwards counts as none. */
export function utilizationBetween(before: CpuTimes, after: CpuTimes): number {
  const busy = Math.max(0, after.busy - before.busy);
  const idle = Math.max(0, after.idle - before.idle);
  return busy + idle === 0 ? 0 : busy / (busy + idle);
}

/** Reads at each `poll`; the use of the CPU is that between the last two of them, memory is in bytes. */
export class CpuSampler {
  readonly #read: (path: string) => Promise<string>;
  #times: CpuTimes | undefined;
  reading: CpuReading | undefined;

  constructor(read: (path: string) => Promise<string> = (path) => readFile(path, 'utf8')) {
    this.#read = read;
  }

  /** Takes one reading; rejects where the files do not exist. */
  async poll(): Promise<void> {
    const [stat, memory] = await Promise.all([this.#read('/proc/stat'), this.#read('/proc/meminfo')]);
    const times = parseCpuTimes(stat);
    const { totalBytes, usedBytes } = parseMemory(memory);
    const utilization = this.#times === undefined ? 0 : utilizationBetween(this.#times, times);
    this.#times = times;
    this.reading = { utilization, memoryTotalBytes: totalBytes, memoryUsedBytes: usedBytes };
  }
}
