// CPU and memory of this process, for the status bar.

import type { Clock } from '../../base/clock.ts';

/** How busy the server's process is. */
export interface ProcessReading {
  /** 100 = one core. */
  readonly cpuPercent: number;
  readonly rssBytes: number;
}

/** Each reading covers the time since the one before. 100 percent is one core. */
export class ProcessMeter {
  readonly #clock: Clock;
  #cpuUs = 0;
  #atNs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The first reading after it covers the time since. */
  start(): void {
    this.read();
  }

  /** 0 percent at the first call. For one reader. */
  read(): ProcessReading {
    const { user, system } = process.cpuUsage();
    const nowNs = this.#clock.nowNs();
    const elapsedUs = (nowNs - this.#atNs) / 1000;
    const cpuPercent =
      this.#atNs === 0 || elapsedUs <= 0 ? 0 : ((user + system - this.#cpuUs) / elapsedUs) * 100;
    this.#cpuUs = user + system;
    this.#atNs = nowNs;
    return { cpuPercent, rssBytes: process.memoryUsage.rss() };
  }
}
