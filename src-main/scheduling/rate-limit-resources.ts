// The resources of the rate limiter: who asks for how much, how much there is, how much is taken. Without explicit
// amounts every pool is as large as its hungriest instance needs; one explicit amount switches all defaults off.

import type { InstanceSlot } from './instance-slot.ts';
import { rateLimitErrors } from './rate-limit-errors.ts';

/** One `--rate-limit-resource`. */
export interface ResourceAmount {
  readonly name: string;
  readonly count: number;
  /** undefined = every device, and the global pool of that name. */
  readonly deviceId: number | undefined;
}

interface ResourceNeed {
  readonly name: string;
  readonly isGlobal: boolean;
  readonly deviceId: number;
  readonly count: number;
  /** Identifies the pool. */
  readonly pool: string;
}

/**
 * Amounts are whole numbers without a unit. A pool is one resource of one device, or of the whole server for a
 * global one.
 */
export class RateLimitResources {
  readonly #amounts: readonly ResourceAmount[];
  readonly #needs = new Map<InstanceSlot, readonly ResourceNeed[]>();
  readonly #taken = new Map<string, number>();
  /** One of each pool that was ever asked for; explicit amounts outlive those who asked. */
  readonly #pools = new Map<string, ResourceNeed>();

  constructor(amounts: readonly ResourceAmount[]) {
    this.#amounts = smallestOfEach(amounts);
  }

  /** Throws INVALID_ARG when the instance could never run, or names a resource both globally and per device. */
  register(slot: InstanceSlot): void {
    const needs = needsOf(slot);
    for (const need of needs) this.#checkScope(need, needs);
    for (const need of needs) this.#checkAmount(need);
    this.#needs.set(slot, needs);
    for (const need of needs) this.#pools.set(need.pool, need);
  }

  /** Forgets what the instance needs; default amounts may become smaller. It must have given back all. */
  unregister(slot: InstanceSlot): void {
    this.#needs.delete(slot);
  }

  /** What there is of each resource, in the words that the reference logs. */
  describe(): string {
    const lines: string[] = [];
    const pools = [...this.#pools.values()].filter((pool) => this.#available(pool) > 0).sort(byDeviceAndName);
    let device = '';
    for (const pool of pools) {
      if (deviceName(pool) !== device) lines.push(`\tDevice: ${(device = deviceName(pool))}\n`);
      lines.push(`\t\tResource: ${pool.name}\t Count: ${this.#available(pool)}\n`);
    }
    return `\nMax Resource Map===>\n${lines.join('')}`;
  }

  /** Takes everything the instance needs, or nothing. */
  tryTake(slot: InstanceSlot): boolean {
    const needs = this.#needs.get(slot) ?? [];
    for (const need of needs) {
      if ((this.#taken.get(need.pool) ?? 0) + need.count > this.#available(need)) return false;
    }
    this.take(slot);
    return true;
  }

  /** Takes without looking at what is left. */
  take(slot: InstanceSlot): void {
    for (const need of this.#needs.get(slot) ?? []) {
      this.#taken.set(need.pool, (this.#taken.get(need.pool) ?? 0) + need.count);
    }
  }

  /** What `tryTake` or `take` took for the instance, once for each of them. */
  giveBack(slot: InstanceSlot): void {
    for (const need of this.#needs.get(slot) ?? []) {
      this.#taken.set(need.pool, (this.#taken.get(need.pool) ?? 0) - need.count);
    }
  }

  #checkScope(need: ResourceNeed, own: readonly ResourceNeed[]): void {
    for (const needs of [own, ...this.#needs.values()]) {
      const isBoth = needs.some((other) => other.name === need.name && other.isGlobal !== need.isGlobal);
      if (!isBoth) continue;
      throw rateLimitErrors.bothScopes({ resource: need.name });
    }
  }

  #checkAmount(need: ResourceNeed): void {
    if (this.#amounts.length === 0) return;
    const available = this.#explicit(need);
    if (need.count <= available) return;
    throw rateLimitErrors.tooFew({ resource: need.name, available, needed: need.count });
  }

  #available(need: ResourceNeed): number {
    if (this.#amounts.length > 0) return this.#explicit(need);
    let largest = 0;
    for (const needs of this.#needs.values()) {
      for (const other of needs) if (other.pool === need.pool) largest = Math.max(largest, other.count);
    }
    return largest;
  }

  #explicit(need: ResourceNeed): number {
    let largest = 0;
    for (const { name, count, deviceId } of this.#amounts) {
      const isMeant = need.isGlobal || deviceId === undefined || deviceId === need.deviceId;
      if (name === need.name && isMeant) largest = Math.max(largest, count);
    }
    return largest;
  }
}

/** Of what was told more than once of one resource and device the smallest amount counts, as in the reference. */
function smallestOfEach(amounts: readonly ResourceAmount[]): readonly ResourceAmount[] {
  const smallest = new Map<string, ResourceAmount>();
  for (const amount of amounts) {
    const key = `${amount.deviceId ?? 'any'}:${amount.name}`;
    const before = smallest.get(key);
    if (before === undefined || amount.count < before.count) smallest.set(key, amount);
  }
  return [...smallest.values()];
}

const deviceName = ({ isGlobal, deviceId }: ResourceNeed): string => (isGlobal ? 'GLOBAL' : String(deviceId));

function byDeviceAndName(a: ResourceNeed, b: ResourceNeed): number {
  if (a.isGlobal !== b.isGlobal) return a.isGlobal ? -1 : 1;
  if (!a.isGlobal && a.deviceId !== b.deviceId) return a.deviceId - b.deviceId;
  return a.name < b.name ? -1 : 1;
}

/** Instances that are not on a GPU use device 0. */
function needsOf(slot: InstanceSlot): ResourceNeed[] {
  const deviceId = slot.spec.kind === 'KIND_GPU' ? slot.spec.deviceId : 0;
  return (slot.rateLimiter?.resources ?? []).map(({ name, global: isGlobal, count }) => ({
    name,
    isGlobal,
    deviceId,
    count,
    pool: isGlobal ? `global:${name}` : `${deviceId}:${name}`,
  }));
}
