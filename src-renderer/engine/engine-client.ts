// What the window needs of the engine: calls and events. RpcClient has this shape; EngineConnection keeps it alive over
// reconnects, so features never see a channel.

import type {
  CallArgs,
  CallName,
  CallResult,
  EventName,
  EventPayload,
} from '../../src-shared/contract/contract.ts';
import { ServerError } from '../../src-shared/errors.ts';
import { rpcErrors } from '../../src-shared/rpc/rpc-errors.ts';

/** Calls and events of the contract, from the page's side. */
export interface EngineClient {
  /** Rejects with ServerError; with the signal's reason when aborted. */
  call<N extends CallName>(
    name: N,
    args: CallArgs<N>,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<CallResult<N>>;
  /** Returns the off-switch. */
  subscribe<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): () => void;
}

/** The sentence to show for anything thrown by a call. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** What may be done about it, as the catalogue of errors says; undefined where it says nothing. */
export function remedyOf(thrown: unknown): string | undefined {
  const remedy = thrown instanceof ServerError ? thrown.details?.['remedy'] : undefined;
  return typeof remedy === 'string' ? remedy : undefined;
}

/** Both as one text, for where there is one place for them. */
export function explainedMessage(thrown: unknown): string {
  const message = messageOf(thrown);
  const remedy = remedyOf(thrown);
  if (remedy === undefined) return message;
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${remedy}`;
}

/** True when a call ended because its caller gave up, which is never shown to the user. */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}

/** Whether the user ended it: here, or in the list of tasks. Whoever cancelled needs no message that it failed. */
export function isCancelled(thrown: unknown): boolean {
  return isAbort(thrown) || (thrown instanceof ServerError && thrown.code === 'CANCELLED');
}

/** Whether nobody was there to answer: what a call asked for was not begun, or nobody knows. */
export function isConnectionLost(thrown: unknown): boolean {
  return thrown instanceof ServerError && thrown.message === rpcErrors.lost().message;
}
