// What passes between the engine thread and an instance worker. Jobs and their answers are entries of two shared rings
// (session, slot); their contents lie in shared memory slots both sides can see. Everything rare is an object with a
// `kind`, sent through a message port and announced by an entry in the ring, so that the order of both is one.

import type { MessagePort } from 'node:worker_threads';

import type { WireError } from '../../../src-shared/errors.ts';

/** What a worker gets at its start. */
export interface WorkerSetup {
  /** Niceness of the thread on systems that have one per thread (Linux): 0 = as the engine, 19 = last. */
  readonly niceLevel: number;
  /** Ring of jobs, engine to worker. */
  readonly jobs: SharedArrayBuffer;
  /** Ring of answers, worker to engine. */
  readonly answers: SharedArrayBuffer;
  readonly port: MessagePort;
  /** What is sent here wakes the event loop of the engine. */
  readonly alarm: MessagePort;
}

/** In place of a session in a ring: one message waits at the port. */
export const MESSAGE = -1;

/** Rare messages to a worker, announced in the ring of jobs. */
export type ToWorker =
  | { readonly kind: 'open'; readonly session: number; readonly init: unknown }
  | { readonly kind: 'close'; readonly session: number }
  /** The memory behind a slot number; replaces what it was before. */
  | {
      readonly kind: 'slot';
      readonly session: number;
      readonly slot: number;
      readonly buffer: SharedArrayBuffer;
    };

/** An entry (session, slot) in the ring of answers means: done, the result lies in the slot. */
export type FromWorker =
  | { readonly kind: 'opened'; readonly session: number; readonly info: unknown }
  | { readonly kind: 'openFailed'; readonly session: number; readonly error: WireError }
  | { readonly kind: 'closed'; readonly session: number }
  /** Done, with values too large for the slot; their buffers were transferred. */
  | { readonly kind: 'value'; readonly session: number; readonly slot: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly session: number; readonly slot: number; readonly error: WireError };
