// The execution-count rate limiter, one per server: instances of all models queue for resources in the order of how
// often they ran times their priority. Only the first in that order is tried, even if a later one would fit.

import type { Clock, Timer } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import type { ExecutionLimiter } from './execution-limiter.ts';
import type { InstanceSlot } from './instance-slot.ts';
import type { ResourceAmount } from './rate-limit-resources.ts';
import { RateLimitResources } from './rate-limit-resources.ts';

const log = getLogger('scheduling');

/** A payload that waited this long for resources runs without them. */
const MAX_WAIT_MS = 300_000;

interface StagedSlot {
  readonly slot: InstanceSlot;
  readonly start: () => void;
  readonly overdue: Timer;
}

/**
 * `--rate-limit=execution_count`. Models without a `rate_limiter` block need no resources but wait in the same
 * order; whoever waits for five minutes starts without them.
 */
export class RateLimiter implements ExecutionLimiter {
  readonly #clock: Clock;
  readonly #resources: RateLimitResources;
  readonly #staged: StagedSlot[] = [];
  readonly #allocated = new Set<InstanceSlot>();
  #isAllocating = false;

  constructor(options: { readonly clock: Clock; readonly resources: readonly ResourceAmount[] }) {
    this.#clock = options.clock;
    this.#resources = new RateLimitResources(options.resources);
  }

  register(slot: InstanceSlot): void {
    // An instance that is refused is told of like one that came and went.
    try {
      this.#resources.register(slot);
    } finally {
      this.#logResources();
    }
  }

  unregister(slot: InstanceSlot): void {
    if (this.#allocated.delete(slot)) this.#resources.giveBack(slot);
    this.#resources.unregister(slot);
    this.#logResources();
    this.#allocate();
  }

  scaledPriority(slot: InstanceSlot): number {
    return slot.executionCount * Math.max(1, slot.rateLimiter?.priority ?? 0);
  }

  stage(slot: InstanceSlot, start: () => void): void {
    const overdue = this.#clock.after(MAX_WAIT_MS, () => this.#startOverdue(slot));
    this.#staged.push({ slot, start, overdue });
    this.#allocate();
  }

  release(slot: InstanceSlot, restage: () => void): void {
    if (this.#allocated.delete(slot)) this.#resources.giveBack(slot);
    restage();
    this.#allocate();
  }

  #logResources(): void {
    if (log.isVerbose(1)) log.verbose(1, this.#resources.describe());
  }

  /** Starts the staged instances in order until the first one does not fit. */
  #allocate(): void {
    if (this.#isAllocating) return;
    this.#isAllocating = true;
    try {
      for (let first = this.#mostUrgent(); first !== undefined; first = this.#mostUrgent()) {
        if (!this.#resources.tryTake(first.slot)) return;
        this.#start(first);
      }
    } finally {
      this.#isAllocating = false;
    }
  }

  #mostUrgent(): StagedSlot | undefined {
    let best: StagedSlot | undefined;
    for (const staged of this.#staged) {
      if (best === undefined || this.scaledPriority(staged.slot) < this.scaledPriority(best.slot)) {
        best = staged;
      }
    }
    return best;
  }

  #start(staged: StagedSlot): void {
    staged.overdue.cancel();
    this.#staged.splice(this.#staged.indexOf(staged), 1);
    this.#allocated.add(staged.slot);
    staged.start();
  }

  #startOverdue(slot: InstanceSlot): void {
    const staged = this.#staged.find((candidate) => candidate.slot === slot);
    if (staged === undefined) return;
    log.error(
      `rate limiter: instance '${slot.spec.name}' waited ${MAX_WAIT_MS / 1000} s for its resources and runs without them`,
      { instance: slot.spec.name },
    );
    this.#resources.take(slot);
    this.#start(staged);
  }
}
