// What passes between the engine thread and an instance worker. Jobs themselves are flat lists of numbers
// (session, slot, session, slot, ...); their contents lie in shared memory slots both sides can see. Everything rare
// is an object with a `kind`.

import type { WireError } from '../../../src-shared/errors.ts';

export interface WorkerSetup {
  /** Niceness of the thread on systems that have one per thread (Linux): 0 = as the engine, 19 = last. */
  readonly niceLevel: number;
}

export type ToWorker =
  /** Pairs of (session id, slot number): run what lies in that slot. */
  | readonly number[]
  | { readonly kind: 'open'; readonly session: number; readonly init: unknown }
  | { readonly kind: 'close'; readonly session: number }
  /** The memory behind a slot number; replaces what it was before. */
  | {
      readonly kind: 'slot';
      readonly session: number;
      readonly slot: number;
      readonly buffer: SharedArrayBuffer;
    };

export type FromWorker =
  /** Pairs of (session id, slot number): done, the result lies in the slot. */
  | readonly number[]
  | { readonly kind: 'opened'; readonly session: number; readonly info: unknown }
  | { readonly kind: 'openFailed'; readonly session: number; readonly error: WireError }
  | { readonly kind: 'closed'; readonly session: number }
  /** Done, with values too large for the slot; their buffers were transferred. */
  | { readonly kind: 'value'; readonly session: number; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly session: number; readonly slot: number; readonly error: WireError };
