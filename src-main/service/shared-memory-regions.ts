// The one name space of shared-memory regions, system and CUDA. Knows names and kinds; what a region is made of stays
// with the service of its kind.

import { notFound, ServerError } from '../../src-shared/errors.ts';

export type RegionKind = 'system' | 'CUDA';

export class SharedMemoryNames {
  readonly #kinds = new Map<string, RegionKind>();

  /** Throws ALREADY_EXISTS when either kind has a region of that name. */
  checkFree(name: string): void {
    if (this.#kinds.has(name)) {
      throw new ServerError('ALREADY_EXISTS', `shared memory region '${name}' already in manager`);
    }
  }

  add(name: string, kind: RegionKind): void {
    this.#kinds.set(name, kind);
  }

  remove(name: string): void {
    this.#kinds.delete(name);
  }

  /** Throws NOT_FOUND unless a region of that name and kind exists. */
  checkKind(name: string, kind: RegionKind): void {
    const found = this.#kinds.get(name);
    if (found === kind) return;
    if (found === undefined) {
      throw notFound(
        `Unable to find ${kind === 'system' ? 'system' : 'cuda'} shared memory region: '${name}'`,
      );
    }
    throw notFound(
      `The region named '${name}' is registered as ${found} shared memory, not ${kind} shared memory`,
    );
  }
}

/** Refusal while clients may not register regions. */
export function clientMemoryDisabled(): ServerError {
  return new ServerError(
    'UNSUPPORTED',
    "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.",
  );
}
