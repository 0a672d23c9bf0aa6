// The message of something that failed, with what the server says may be done about it.

import { toastError } from '../ui/toast.tsx';
import { messageOf, remedyOf } from './engine-client.ts';

/** Whatever a call to the engine threw. */
export function toastThrown(thrown: unknown): void {
  toastError(messageOf(thrown), undefined, undefined, remedyOf(thrown));
}
