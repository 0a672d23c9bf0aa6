// Choices that look random and are the same for the same seed.

import { randomNumbers } from './random-numbers.ts';

/** Draws from lists, with chances between 0 and 1. */
export class RandomChoice {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = randomNumbers(seed);
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  some<T>(list: readonly T[], share: number): T[] {
    return list.filter(() => this.chance(share));
  }
}
