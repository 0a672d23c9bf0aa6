// CPU, memory and event-loop delay of this process, for the status bar.

import { monitorEventLoopDelay } from 'node:perf_hooks';

import type { Clock } from '../../base/clock.ts';

/** How busy the server's process is. */
export interface ProcessReading {
  /** 100 = one core. */
  readonly cpuPercent: number;
  readonly rssBytes: number;
  /** 99th percentile since the last reading. */
  readonly loopDelayMs: number;
}

/** Each reading covers the time since the one before. 100 percent is one core. */
export class ProcessMeter {
  readonly #clock: Clock;
  readonly #delay = monitorEventLoopDelay({ resolution: 20 });
  #cpuUs = 0;
  #atNs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(): void {
    this.#delay.enable();
    this.read();
  }

  close(): void {
    this.#delay.disable();
  }

  read(): ProcessReading {
    const { user, system } = process.cpuUsage();
    const nowNs = this.#clock.nowNs();
    const elapsedUs = (nowNs - this.#atNs) / 1000;
    const cpuPercent =
      this.#atNs === 0 || elapsedUs <= 0 ? 0 : ((user + system - this.#cpuUs) / elapsedUs) * 100;
    this.#cpuUs = user + system;
    this.#atNs = nowNs;
    const loopDelayMs = Math.max(0, this.#delay.percentile(99) / 1e6 - 20);
    this.#delay.reset();
    return { cpuPercent, rssBytes: process.memoryUsage.rss(), loopDelayMs };
  }
}
