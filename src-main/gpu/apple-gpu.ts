// Apple's GPU as macOS tells of it to every user: how busy it is, and how much of the machine's memory is in use for it, by
// all programs together. The registry of the system's drivers keeps both for each accelerator.
// Source: `man ioreg`; the keys are those that Activity Monitor shows.

import type { Clock } from '../base/clock.ts';
import type { GpuUseReading } from './gpu-use.ts';
import type { MemoryTool } from './memory-tool.ts';
import type { RunTool } from './run-tool.ts';

const COMMAND = ['-r', '-d', '1', '-w', '0', '-c', 'IOAccelerator'];
/** A program is started for each reading. */
const PERIOD_MS = 2000;

/** The name under which Apple's one GPU is asked for. */
export const APPLE_GPU = 'apple';

/** What the registry of macOS tells of a GPU. */
export interface AppleGpuReading {
  /** "Apple M3"; the class of its driver where the registry has no model. */
  readonly name: string;
  /** 0..1; undefined where the driver does not tell. */
  readonly utilization: number | undefined;
  /** Memory in use for it, of the machine's; undefined where the driver does not tell. */
  readonly memoryUsedBytes: number | undefined;
}

/** One for each accelerator that `ioreg` lists; an accelerator without statistics is left out. */
export function parseAccelerators(text: string): readonly AppleGpuReading[] {
  // Each entry begins at the margin: "+-o AGXAcceleratorG15X  <class AGXAcceleratorG15X, id 0x1000004a5, ...>".
  const entries = text.split(/^\+-o /m).slice(1);
  return entries.flatMap((entry) => {
    const statistics = /^[\s|]*"PerformanceStatistics" = \{([^}]*)\}/m.exec(entry)?.[1];
    if (statistics === undefined) return [];
    const busy = statistic(statistics, 'Device Utilization %');
    return [
      {
        name: property(entry, 'model') ?? /^\S+/.exec(entry)?.[0] ?? '',
        utilization: busy === undefined ? undefined : Math.min(1, busy / 100),
        memoryUsedBytes: statistic(statistics, 'In use system memory'),
      },
    ];
  });
}

/** What all programs together use; macOS tells no process's part. */
export function appleMemory(run: RunTool): MemoryTool {
  return {
    name: 'ioreg',
    look: async () => {
      const [gpu] = parseAccelerators(await run('ioreg', COMMAND));
      return new Map([[APPLE_GPU, { processBytes: undefined, deviceBytes: gpu?.memoryUsedBytes }]]);
    },
  };
}

/** Readings for the charts. A Mac whose registry tells nothing is asked once. */
export class AppleGpuUse {
  readonly #options: { readonly clock: Clock; readonly run: RunTool; readonly totalBytes: number };
  #readings: readonly GpuUseReading[] = [];
  #reading: Promise<void> | undefined;
  #readAtNs = -Infinity;
  #isWithout = false;

  /** `totalBytes`: the memory of the machine, which is the GPU's too. */
  constructor(options: { readonly clock: Clock; readonly run: RunTool; readonly totalBytes: number }) {
    this.#options = options;
  }

  /** As they were read last; asking has them read again when they are two seconds old. */
  latest(): readonly GpuUseReading[] {
    const isOld = this.#options.clock.nowNs() - this.#readAtNs >= PERIOD_MS * 1e6;
    if (!this.#isWithout && isOld) void this.read();
    return this.#readings;
  }

  /** Never rejects. One reading at a time. */
  read(): Promise<void> {
    this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    const { clock, run, totalBytes } = this.#options;
    this.#readAtNs = clock.nowNs();
    const gpus = parseAccelerators(await run('ioreg', COMMAND).catch(() => ''));
    const isFirst = this.#readings.length === 0;
    this.#readings = gpus.flatMap(({ name, utilization, memoryUsedBytes }) =>
      utilization === undefined
        ? []
        : [{ name, source: 'ioreg', utilization, memoryUsedBytes, memoryTotalBytes: totalBytes }],
    );
    this.#isWithout = isFirst && this.#readings.length === 0;
  }
}

/** `"Device Utilization %"=57` among others; the whole key, since longer ones begin alike. */
function statistic(statistics: string, key: string): number | undefined {
  const at = statistics.indexOf(`"${key}"=`);
  return at < 0 ? undefined : number(/^\d+/.exec(statistics.slice(at + key.length + 3))?.[0]);
}

/** `"model" = "Apple M3"` on a line of its own. */
function property(entry: string, key: string): string | undefined {
  const line = entry.split('\n').find((each) => each.includes(`"${key}" = `));
  return line
    ?.slice(line.indexOf(' = ') + 3)
    .replace(/^"|"$/g, '')
    .trim();
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
