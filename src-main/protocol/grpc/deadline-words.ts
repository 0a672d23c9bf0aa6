// The library's words for a deadline that passed, spelled as clients of the reference know them.

import type { ServerInterceptor } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';

const THEIRS = 'Deadline exceeded';
const OURS = 'Deadline Exceeded';

/** Must come first: the library's own timer speaks to the innermost call, which is what the first interceptor gets. */
export const spellDeadline: ServerInterceptor = (_, call) => {
  const send = call.sendStatus.bind(call);
  call.sendStatus = (sent) => {
    const isLate = sent.code === status.DEADLINE_EXCEEDED && sent.details === THEIRS;
    send(isLate ? { ...sent, details: OURS } : sent);
  };
  // Nothing is intercepted: the call itself goes on.
  return call as ReturnType<ServerInterceptor>;
};
