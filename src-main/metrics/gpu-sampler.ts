// GPU readings from one long-running nvidia-smi, which prints a line per GPU and interval: no process is started per
// poll and nothing blocks. A tool that is missing or keeps failing means "no GPU metrics", said once.

import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Clock, Timer } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';

/** What nvidia-smi told of a GPU at the last poll. */
export interface GpuReading {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  /** 0..1. */
  readonly utilization: number;
  readonly memoryTotalBytes: number;
  readonly memoryUsedBytes: number;
  readonly powerUsageWatts: number;
  readonly powerLimitWatts: number;
  /** Joules since the first reading, summed up from power over time. */
  readonly energyJoules: number;
}

/** How often which GPUs are asked. */
export interface GpuSamplerOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Value of CUDA_VISIBLE_DEVICES; undefined = all. */
  readonly visibleDevices?: string | undefined;
  readonly command?: string;
}

const FIELDS = 'index,uuid,name,utilization.gpu,memory.total,memory.used,power.draw,power.limit';
const MIB = 1_048_576;
const MAX_FAILURES = 3;
const RETRY_MS = 10_000;
const MIN_INTERVAL_MS = 100;

type GpuLine = Omit<GpuReading, 'energyJoules'>;

/** One CSV line without units; a quantity that cannot be read is 0. Undefined for other text. */
export function parseGpuLine(line: string): GpuLine | undefined {
  const cells = line.split(',').map((cell) => cell.trim());
  if (cells.length < 8 || !/^\d+$/.test(cells[0] ?? '') || !(cells[1] ?? '').startsWith('GPU-'))
    return undefined;
  // A name may hold commas; the five numbers stand at the end.
  const numbers = cells.slice(-5).map((cell) => {
    const value = Number(cell);
    return Number.isFinite(value) ? value : 0;
  });
  const [utilization = 0, total = 0, used = 0, draw = 0, limit = 0] = numbers;
  return {
    index: Number(cells[0]),
    uuid: cells[1] ?? '',
    name: cells.slice(2, -5).join(', '),
    utilization: utilization * 0.01,
    memoryTotalBytes: total * MIB,
    memoryUsedBytes: used * MIB,
    powerUsageWatts: draw,
    powerLimitWatts: limit,
  };
}

/** True when CUDA_VISIBLE_DEVICES lets this GPU be seen. Entries behind an invalid one do not count. */
export function isVisible(
  gpu: { readonly index: number; readonly uuid: string },
  visible: string | undefined,
): boolean {
  if (visible === undefined) return true;
  for (const entry of visible.split(',').map((text) => text.trim())) {
    const isIndex = /^\d+$/.test(entry);
    if (!isIndex && !entry.startsWith('GPU-')) return false;
    if (isIndex ? Number(entry) === gpu.index : gpu.uuid.startsWith(entry)) return true;
  }
  return false;
}

/** Keeps the newest reading of each GPU; without nvidia-smi there are none. */
export class GpuSampler {
  readonly #options: GpuSamplerOptions;
  readonly #logger = getLogger('metrics');
  readonly #readings = new Map<string, GpuReading & { readonly atNs: number }>();
  #stopTool: (() => void) | undefined;
  #retry: Timer | undefined;
  #failureCount = 0;
  #isClosed = false;

  constructor(options: GpuSamplerOptions) {
    this.#options = options;
  }

  /** By index. Empty before the first line of the tool. */
  readings(): readonly GpuReading[] {
    return [...this.#readings.values()].sort((a, b) => a.index - b.index);
  }

  /** Starts the tool; returns at once. */
  start(): void {
    const { command = 'nvidia-smi', intervalMs } = this.#options;
    const period = String(Math.max(MIN_INTERVAL_MS, Math.trunc(intervalMs)));
    const tool = spawn(
      command,
      [`--query-gpu=${FIELDS}`, '--format=csv,noheader,nounits', `--loop-ms=${period}`],
      { stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true },
    );
    this.#stopTool = () => tool.kill();
    tool.unref();
    if (tool.stdout instanceof Socket) tool.stdout.unref();
    let rest = '';
    tool.stdout.setEncoding('utf8');
    tool.stdout.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.take(line);
    });
    tool.on('error', () => {
      this.#isClosed = true;
      this.#logger.info('No GPU metrics: nvidia-smi is not available');
    });
    tool.on('exit', () => this.#toolEnded());
  }

  /** Ends the tool; readings stay as they are. */
  close(): void {
    this.#isClosed = true;
    this.#retry?.cancel();
    this.#stopTool?.();
  }

  /** One line of the tool. */
  take(line: string): void {
    const parsed = parseGpuLine(line);
    if (parsed === undefined || !isVisible(parsed, this.#options.visibleDevices)) return;
    const atNs = this.#options.clock.nowNs();
    const before = this.#readings.get(parsed.uuid);
    this.#failureCount = 0;
    if (before === undefined) {
      this.#logger.info(`Collecting metrics for GPU ${parsed.index}: ${parsed.name}`);
    }
    const seconds = before === undefined ? 0 : Math.max(0, atNs - before.atNs) / 1e9;
    const energyJoules = (before?.energyJoules ?? 0) + seconds * parsed.powerUsageWatts;
    this.#readings.set(parsed.uuid, { ...parsed, energyJoules, atNs });
  }

  #toolEnded(): void {
    if (this.#isClosed) return;
    this.#failureCount += 1;
    if (this.#failureCount >= MAX_FAILURES) {
      this.#logger.warn('No further GPU metrics: nvidia-smi ended three times in a row');
      return;
    }
    this.#retry = this.#options.clock.after(RETRY_MS, () => this.start());
  }
}
