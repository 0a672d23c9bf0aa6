// Messages of the contract's transport. The page speaks first with `hello`; both sides refuse another version.

import type { WireError } from '../errors.ts';

export const WIRE_VERSION = 1;

export type WireMessage =
  | { readonly type: 'hello'; readonly version: number }
  | { readonly type: 'call'; readonly id: number; readonly name: string; readonly args: unknown }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'reply'; readonly id: number; readonly result: unknown }
  | { readonly type: 'error'; readonly id: number; readonly error: WireError }
  | { readonly type: 'subscribe'; readonly name: string }
  | { readonly type: 'unsubscribe'; readonly name: string }
  | { readonly type: 'event'; readonly name: string; readonly payload: unknown; readonly sequence: number }
  /** The page has handled events up to this sequence number. */
  | { readonly type: 'ack'; readonly sequence: number };
