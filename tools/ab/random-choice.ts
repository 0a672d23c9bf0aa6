// Choices that look random and are the same for the same seed.

import { randomNumbers } from './random-numbers.ts';

/** Draws from lists, with chances between 0 and 1. */
export class RandomChoice {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomNumbers(seed);
  }

  /** A whole number from 0 up to, but not including, `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** True in `share` of the draws, from 0 to 1. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** `list` must not be empty. */
  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Each entry with the chance `share`, in their order; there may be none. */
  some<T>(list: readonly T[], share: number): T[] {
    return list.filter(() => this.chance(share));
  }
}
