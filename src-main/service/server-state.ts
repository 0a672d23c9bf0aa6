// Where the server is in its life. Moves forward only; every answer about liveness and admission is read from here.

import { serverErrors } from './server-errors.ts';

/**
 * `starting`: the start set is being loaded. `ready`: it was tried. `failed`: it could not be (no repository), nothing
 * is served. `exiting`: stopping; what is in flight continues. `stopped`: nothing is left.
 */
export type ServerPhase = 'starting' | 'ready' | 'failed' | 'exiting' | 'stopped';

const ORDER: readonly ServerPhase[] = ['starting', 'ready', 'failed', 'exiting', 'stopped'];

/** starting, ready, exiting, stopped; or failed. The checks throw UNAVAILABLE with the reference's words. */
export class ServerState {
  #phase: ServerPhase = 'starting';

  /** Only `advance` changes it. */
  get phase(): ServerPhase {
    return this.#phase;
  }

  /** Moving back is ignored: a late start never revives a server that is stopping. */
  advance(phase: ServerPhase): void {
    if (ORDER.indexOf(phase) > ORDER.indexOf(this.#phase)) this.#phase = phase;
  }

  /** Stopping has begun, or is done. */
  get isExiting(): boolean {
    return this.#phase === 'exiting' || this.#phase === 'stopped';
  }

  /** Starting or ready; false once stopping began, and after a failed start. */
  get isLive(): boolean {
    return this.#phase === 'starting' || this.#phase === 'ready';
  }

  /**
   * Inference and questions about models. They go on while exiting, for running sequences and ensembles; schedulers refuse
   * the rest.
   */
  checkServing(): void {
    if (this.#phase === 'failed' || this.#phase === 'stopped') throw serverErrors.notReady();
  }

  /** Loads and unloads by clients. */
  checkControl(): void {
    if (this.#phase !== 'ready') throw this.isExiting ? serverErrors.exiting() : serverErrors.notReady();
  }
}
