// Messages of the contract's transport. The page speaks first with `hello`; both sides refuse another version.

import type { WireError } from '../errors.ts';

/** Grows when a message changes so that an older page could not read it. */
export const WIRE_VERSION = 1;

/** What passes over a channel, in both directions. */
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

/** Fields of what a page may send, by the type of the message. */
const PAGE_FIELDS: Readonly<Record<string, Readonly<Record<string, 'number' | 'string'>>>> = {
  hello: { version: 'number' },
  call: { id: 'number', name: 'string' },
  cancel: { id: 'number' },
  subscribe: { name: 'string' },
  unsubscribe: { name: 'string' },
  ack: { sequence: 'number' },
};

/** Whether a value that came over a channel is a message that a page may send. Its arguments are checked by the call. */
export function isPageMessage(value: unknown): value is WireMessage {
  if (typeof value !== 'object' || value === null) return false;
  const message = value as Readonly<Record<string, unknown>>;
  const { type } = message;
  if (typeof type !== 'string' || !Object.hasOwn(PAGE_FIELDS, type)) return false;
  return Object.entries(PAGE_FIELDS[type] ?? {}).every(([field, kind]) => typeof message[field] === kind);
}
