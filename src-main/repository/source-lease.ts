// What a load took from outside and must give back when the last version built from it is gone: the chain of agents,
// the private folder of a file override. Counted by the versions that were built from it.

import type { AgentChain } from './agents/agent-chain.ts';

/** A folder that was made for one load: of files sent with it, or a copy of what lies in a store. */
export interface OwnFolder {
  /** With all that is in it. Never while a version that was loaded from it is open. */
  remove(): Promise<void>;
}

/**
 * Begins without holders. Agents are told UNLOAD when the last version lets go, and UNLOAD_COMPLETE when all of
 * them are closed; folders of file overrides go last.
 */
export class SourceLease {
  readonly #agents: AgentChain | undefined;
  readonly #files: OwnFolder | undefined;
  readonly #closing: Promise<void>[] = [];
  #holders = 0;
  #ending: Promise<void> | undefined;

  constructor(parts: { readonly agents?: AgentChain | undefined; readonly files?: OwnFolder | undefined }) {
    this.#agents = parts.agents;
    this.#files = parts.files;
  }

  /** One version more was built from it; `release` follows once. */
  retain(): void {
    this.#holders += 1;
  }

  /** One version lets go; `whenClosed` resolves when nothing of it is left. */
  release(whenClosed: Promise<void>): void {
    this.#holders -= 1;
    this.#closing.push(whenClosed);
    if (this.#holders === 0) this.#ending ??= this.#end();
  }

  /** The load succeeded. A lease no version was built from ends at once. */
  async loaded(): Promise<void> {
    await this.#agents?.loadComplete();
    if (this.#holders === 0) await (this.#ending ??= this.#end());
  }

  /** The load failed: nothing of it serves. */
  async failed(): Promise<void> {
    await this.#agents?.loadFail();
    await this.#files?.remove();
  }

  /** Resolves when everything was given back; at once while versions still hold it. */
  async ended(): Promise<void> {
    await this.#ending;
  }

  async #end(): Promise<void> {
    await this.#agents?.unload();
    await Promise.allSettled(this.#closing);
    await this.#agents?.unloadComplete();
    await this.#files?.remove();
  }
}
