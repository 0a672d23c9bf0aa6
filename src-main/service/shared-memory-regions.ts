// The one name space of shared-memory regions, system and CUDA. Knows names and kinds; what a region is made of stays
// with the service of its kind.

import { memoryErrors } from './memory-errors.ts';

/** Which of the two services a region belongs to. */
export type RegionKind = 'system' | 'CUDA';

/** Of one server. `add` and `remove` check nothing: the service asks first. */
export class SharedMemoryNames {
  readonly #kinds = new Map<string, RegionKind>();

  /** Throws ALREADY_EXISTS when either kind has a region of that name. */
  checkFree(name: string): void {
    if (this.#kinds.has(name)) throw memoryErrors.taken({ name });
  }

  /** From now on neither kind can have another region of that name. */
  add(name: string, kind: RegionKind): void {
    this.#kinds.set(name, kind);
  }

  /** The name is free again, for either kind. */
  remove(name: string): void {
    this.#kinds.delete(name);
  }

  /** Throws NOT_FOUND unless a region of that name and kind exists. */
  checkKind(name: string, kind: RegionKind): void {
    const found = this.#kinds.get(name);
    if (found === kind) return;
    if (found === undefined) {
      throw kind === 'system' ? memoryErrors.unknownSystem({ name }) : memoryErrors.unknownCuda({ name });
    }
    throw memoryErrors.otherKind({ name, found, kind });
  }
}
