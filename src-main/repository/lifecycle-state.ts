// The states of one model version and the only legal moves between them. A version that fails or is unloaded ends
// UNAVAILABLE with a reason; whoever changes a state goes through `transition`, so an illegal move is found at once.

import { internal } from '../../src-shared/errors.ts';

/** The states of the repository index. */
export type VersionState = 'UNKNOWN' | 'LOADING' | 'READY' | 'UNLOADING' | 'UNAVAILABLE';

/** Reason of a version that was unloaded on request; readiness looks for exactly this text. */
export const UNLOADED_REASON = 'unloaded';

const LEGAL_MOVES: Readonly<Record<VersionState, readonly VersionState[]>> = {
  UNKNOWN: ['LOADING'],
  LOADING: ['READY', 'UNAVAILABLE'],
  READY: ['UNLOADING'],
  UNLOADING: ['UNAVAILABLE'],
  UNAVAILABLE: ['LOADING'],
};

/** Returns `to`, or throws INTERNAL naming the version when the move is not legal. */
export function transition(subject: string, from: VersionState, to: VersionState): VersionState {
  if (!LEGAL_MOVES[from].includes(to)) {
    throw internal(`unexpected lifecycle move of ${subject}: ${from} to ${to}`);
  }
  return to;
}
