// What each model version takes of the memory of its GPUs: a look before its sessions are made, one when they are ready, and
// the difference. Looks are waited for half a second at most, so a tool that hangs holds up no load. What could not be told
// apart is not known; no number is made up.

import type { GpuMemoryShare, GpuMemoryUnknown } from '../../src-shared/contract/gpu-memory.ts';
import type { Clock } from '../base/clock.ts';
import { settledBefore } from '../base/deadline.ts';
import type { ActivityScope, DeviceRuns, DeviceWatch } from './device-activity.ts';
import { DeviceActivity } from './device-activity.ts';
import type { MemorySources } from './memory-sources.ts';
import type { GpuMemoryLook, MemorySource, MemoryTool } from './memory-tool.ts';

const PATIENCE_MS = 500;
/** A load that hangs must not hold up for good what waits for it. */
const LONGEST_WAIT_MS = 60_000;

/** Who tells of the memory of GPUs, and for which process. */
export interface GpuMemoryMeterOptions {
  readonly clock: Clock;
  /** Asked for with each load: GPUs are found after the meter is made. */
  readonly sources: () => MemorySources;
  /** Of the process in which sessions are made. */
  readonly pid: number;
}

/** An instance that is on a GPU. */
export interface PlacedOnGpu {
  /** Its id, as configurations write it. */
  readonly device: number;
  /** "cuda", "webgpu"; undefined where it is the affair of another process. */
  readonly provider: string | undefined;
  /** Of the process that runs it; undefined = this one, or one that has ended. */
  readonly pid: number | undefined;
}

type Looks = ReadonlyMap<string, GpuMemoryLook> | 'silent' | 'failed';
type LooksByTool = ReadonlyMap<MemoryTool, Looks>;

/** Shared by all models of a server. */
export class GpuMemoryMeter {
  readonly activity = new DeviceActivity();
  readonly pid: number;
  readonly #clock: Clock;
  readonly #sources: () => MemorySources;
  readonly #hanging = new Set<MemoryTool>();
  readonly #used = new Set<number>();

  /** For a server that knows nothing of the machine's GPUs. */
  static blind(clock: Clock): GpuMemoryMeter {
    const sources: MemorySources = { tools: [], sourceOf: () => 'untold' };
    return new GpuMemoryMeter({ clock, sources: () => sources, pid: process.pid });
  }

  constructor({ clock, sources, pid }: GpuMemoryMeterOptions) {
    this.#clock = clock;
    this.#sources = sources;
    this.pid = pid;
  }

  /** Where readings come from now; may change once GPUs have been detected. */
  get sources(): MemorySources {
    return this.#sources();
  }

  /** A load begins whose instances are to be on these devices; to be asked before anything of it is made there. */
  begin(devices: readonly number[], scope: ActivityScope): GpuTenant {
    return new GpuTenant(this, [...new Set(devices)], scope);
  }

  /**
   * For work of other processes that would only spoil what is measured, and can wait: resolves when no load is going on,
   * after a minute at the latest. The returned function ends that work.
   */
  async apart(): Promise<() => void> {
    const late = new Promise<void>((resolve) => void this.#clock.after(LONGEST_WAIT_MS, resolve));
    await Promise.race([this.activity.quiet(), late]);
    return this.activity.begin('all', 'elsewhere');
  }

  /** What these tools tell now. Never rejects. */
  async look(tools: Iterable<MemoryTool>, pids: readonly number[]): Promise<LooksByTool> {
    const each = [...new Set(pids)];
    const looks = [...new Set(tools)].map(async (tool) => [tool, await this.#ask(tool, each)] as const);
    return new Map(await Promise.all(looks));
  }

  /** A tool that has not answered an earlier question is not asked another one. */
  async #ask(tool: MemoryTool, pids: readonly number[]): Promise<Looks> {
    if (this.#hanging.has(tool)) return 'silent';
    const asked: Promise<Looks> = tool.look(pids).catch(() => 'failed');
    const answer = await settledBefore(this.#clock, this.#clock.nowNs() + PATIENCE_MS * 1e6, asked);
    if (answer !== undefined) return answer;
    this.#hanging.add(tool);
    void asked.then(() => this.#hanging.delete(tool));
    return 'silent';
  }

  /** Whether this process comes to this device for the first time. */
  takesFirst(device: number): boolean {
    const isFirst = !this.#used.has(device);
    this.#used.add(device);
    return isFirst;
  }
}

/** One model version on its GPUs, from its load to its end. */
export class GpuTenant {
  readonly #meter: GpuMemoryMeter;
  readonly #scope: ActivityScope;
  readonly #watches: readonly DeviceWatch[];
  readonly #before: Promise<LooksByTool>;
  readonly #endActivity: () => void;
  #shares: readonly GpuMemoryShare[] = [];
  #leave: readonly (() => void)[] = [];

  constructor(meter: GpuMemoryMeter, devices: readonly number[], scope: ActivityScope) {
    this.#meter = meter;
    this.#scope = scope;
    this.#watches = devices.map((device) => meter.activity.watch(device));
    this.#endActivity = meter.activity.begin(devices, scope, this.#watches);
    // Of processes that do not exist yet there is nothing to see.
    const isAsked = scope === 'process' && devices.length > 0;
    this.#before = meter.look(isAsked ? meter.sources.tools : [], [meter.pid]);
  }

  /** What is known; empty until the load is done, and for a model on no GPU. */
  get shares(): readonly GpuMemoryShare[] {
    return this.#shares;
  }

  /** The look before has been taken, or is given up: sessions may be made. */
  async ready(): Promise<void> {
    await this.#before;
  }

  /** The instances are made and serve from now on; resolves when their memory was looked at. Never rejects. */
  async settle(placed: readonly PlacedOnGpu[], runs: () => DeviceRuns): Promise<void> {
    const providers = new Map(placed.map(({ device, provider }) => [device, provider]));
    const found = [...providers].map(
      ([device, provider]) => [device, this.#meter.sources.sourceOf(device, provider)] as const,
    );
    const tools = found.flatMap(([, source]) => (typeof source === 'string' ? [] : [source.tool]));
    // A process that has ended meanwhile has nothing any more.
    const own = this.#scope === 'process' ? [this.#meter.pid] : [];
    const after = await this.#meter.look(
      tools,
      placed.flatMap(({ pid }) => pid ?? own),
    );
    const before = await this.#before;
    this.#shares = found.map(([device, source]) => this.#shareOf(device, source, before, after));
    this.#stay(runs);
    this.#endLoad();
  }

  /** Instances are about to come or go while the model serves. */
  changing(wanted: readonly number[]): {
    /** They came and went: what the rest takes is not known. */
    changed(placed: readonly PlacedOnGpu[], runs: () => DeviceRuns): void;
    /** The last of those that went is closed, or nothing was changed. */
    end(): void;
  } {
    const devices = [...this.#shares.map(({ device }) => device), ...wanted];
    return {
      changed: (placed, runs) => {
        const left = new Set(placed.map(({ device }) => device));
        this.#shares = [...left].map((device) => unknownShare(device, 'changed'));
        this.#stay(runs);
      },
      end: this.#meter.activity.begin(devices, this.#scope),
    };
  }

  /** What the model holds is being given back; the returned function says that all of it is. */
  closing(): () => void {
    const devices = this.#shares.map(({ device }) => device);
    const end = this.#meter.activity.begin(devices, this.#scope);
    return () => {
      end();
      this.close();
    };
  }

  /** Gives up what is not settled. Idempotent. */
  close(): void {
    this.#endLoad();
    this.#shares = [];
    this.#stay(() => ({ executionCount: 0, inFlightCount: 0 }));
  }

  #endLoad(): void {
    this.#endActivity();
    for (const watch of this.#watches) watch.end();
  }

  /** On the devices of the shares, and on no other one. */
  #stay(runs: () => DeviceRuns): void {
    for (const leave of this.#leave) leave();
    this.#leave = this.#shares.map(({ device }) => this.#meter.activity.join(device, this.#scope, runs));
  }

  #shareOf(
    device: number,
    source: MemorySource | GpuMemoryUnknown,
    before: LooksByTool,
    after: LooksByTool,
  ): GpuMemoryShare {
    const isNew = this.#scope === 'process' && this.#meter.takesFirst(device);
    if (typeof source === 'string') return unknownShare(device, source);
    const last = lookOf(source, after);
    if (typeof last === 'string') return unknownShare(device, last);
    if (this.#scope === 'elsewhere') {
      const bytes = last.processBytes ?? 0;
      if (bytes === 0) return unknownShare(device, 'not-listed');
      return known(source, { device, bytes, way: 'host', isFirst: true });
    }
    const watch = this.#watches.find((each) => each.device === device);
    const first = lookOf(source, before);
    if (typeof first === 'string') return unknownShare(device, first);
    const isListed = (last.processBytes ?? 0) > 0 && first.processBytes !== undefined;
    const [low, high] = isListed
      ? [first.processBytes, last.processBytes]
      : [first.deviceBytes, last.deviceBytes];
    if (low === undefined || high === undefined || watch === undefined) {
      return unknownShare(device, 'untold');
    }
    // What other processes do is not in the numbers of this one.
    const scopes: readonly ActivityScope[] = isListed ? ['process'] : ['process', 'elsewhere'];
    const disturbance = watch.disturbance(scopes);
    if (disturbance !== undefined) return unknownShare(device, disturbance);
    if (high <= low) return unknownShare(device, 'not-grown');
    const isFirst = isListed ? low === 0 : isNew;
    return known(source, { device, bytes: high - low, way: isListed ? 'process' : 'device', isFirst });
  }
}

function lookOf({ tool, key }: MemorySource, looks: LooksByTool): GpuMemoryLook | GpuMemoryUnknown {
  const found = looks.get(tool);
  return typeof found === 'string' ? found : (found?.get(key) ?? 'untold');
}

function known(
  { tool }: MemorySource,
  share: Pick<GpuMemoryShare, 'device' | 'bytes' | 'way' | 'isFirst'>,
): GpuMemoryShare {
  return { ...share, unknown: undefined, tool: tool.name };
}

function unknownShare(device: number, unknown: GpuMemoryUnknown): GpuMemoryShare {
  return { device, bytes: undefined, unknown, way: undefined, tool: undefined, isFirst: false };
}
