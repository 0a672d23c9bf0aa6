// What every part of a playground needs to know of where it is.

import type { PlaygroundStore } from './playground-store.ts';
import type { Readiness } from './send-actions.ts';

/** One model's playground, as its parts are given it. */
export interface PlaygroundContext {
  readonly name: string;
  /** Version chosen in the header; "" = the server's choice. */
  readonly version: string;
  readonly store: PlaygroundStore;
  readonly readiness: Readiness;
  /** Sends the request as it is in the form. */
  readonly send: () => void;
}
