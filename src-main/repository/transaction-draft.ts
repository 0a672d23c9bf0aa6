// What an operation on the repository wants to change, before it is planned.

import type { ModelKey } from './model-identity.ts';
import type { PollResult } from './repository-poller.ts';

/** What one operation wants, found out while no other operation plans. */
export interface TransactionDraft {
  readonly poll: PollResult;
  /** Models to take out. */
  readonly gone: readonly ModelKey[];
  /** Models asked for by name. */
  readonly explicit: ReadonlySet<ModelKey>;
  /** Rebuild although nothing changed. */
  readonly forced: ReadonlySet<ModelKey>;
  /** Also take out what only the gone models needed. */
  readonly unloadDependents: boolean;
}

/** No models. */
export const NOTHING: ReadonlySet<ModelKey> = new Set();
/** For operations that read no folder. */
export const NO_POLL: PollResult = { outcomes: new Map(), refused: new Map(), folders: new Map() };

/** Nothing but `extras`. */
export function draft(poll: PollResult, extras: Partial<Omit<TransactionDraft, 'poll'>>): TransactionDraft {
  return { poll, gone: [], explicit: NOTHING, forced: NOTHING, unloadDependents: false, ...extras };
}
