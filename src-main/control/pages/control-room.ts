// The form of one room of control: the calls about a noun, and the life of what answers them.

import type { EventName, EventPayload } from '../../../src-shared/contract/contract.ts';

/** One noun of the contract: its handlers, and what it follows and holds. */
export interface ControlRoom<Handlers = object> {
  /** One handler for each call of the room's noun. */
  readonly handlers: Handlers;
  /** Begins to follow what happens; before models load. */
  start?(): Promise<void> | void;
  /** Ends what the room started; no call comes any more. */
  close?(): Promise<void> | void;
}

/** Tells all pages. */
export type Publish = <N extends EventName>(name: N, payload: EventPayload<N>) => void;
