// What an HTTP/2 connection tells whoever serves its calls.

import type { HeaderOverflow } from './hpack-decoder.ts';
import type { RequestFields } from './request-fields.ts';
import type { ServerStream, StreamUser } from './server-stream.ts';

/** What a connection of the server tells whoever serves calls on it. */
export interface ConnectionUser {
  /** A call has begun; with `overflow` its fields are more than is taken, and end before the one that it names. */
  onStream(stream: ServerStream, request: RequestFields, overflow: HeaderOverflow | undefined): StreamUser;
  /** True ends the connection for pinging too often. `sentBytes`: everything sent so far. */
  onPing(sentBytes: number): boolean;
  /** GOAWAY for a fault has been written; what is sent on open streams now still goes out behind it. */
  onFault(): void;
  /** An answer to `ping`. */
  onPong(): void;
  /** Something of ours failed; the connection ends. */
  onFailure(thrown: unknown): void;
  /** The socket is gone. Called once, and last. */
  onClose(): void;
}
