// The message of something that failed, with what the server says may be done about it.

import { toastError } from '../ui/toast.tsx';
import { isConnectionLost, messageOf, remedyOf } from './engine-client.ts';

/** Whatever a call to the engine threw. That the connection is lost stands above everything for as long as it is. */
export function toastThrown(thrown: unknown): void {
  if (isConnectionLost(thrown)) return;
  toastError(messageOf(thrown), undefined, undefined, remedyOf(thrown));
}
