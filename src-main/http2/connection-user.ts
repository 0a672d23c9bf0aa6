// What an HTTP/2 connection tells whoever serves its calls.

import type { RequestFields } from './request-fields.ts';
import type { ServerStream, StreamUser } from './server-stream.ts';

/** What a connection of the server tells whoever serves calls on it. */
export interface ConnectionUser {
  /** A call has begun; `fields` may be more than is taken, and are then cut. */
  onStream(stream: ServerStream, request: RequestFields, isTooLarge: boolean): StreamUser;
  /** True ends the connection for pinging too often. `sentBytes`: everything sent so far. */
  onPing(sentBytes: number): boolean;
  /** An answer to `ping`. */
  onPong(): void;
  /** Something of ours failed; the connection ends. */
  onFailure(thrown: unknown): void;
  onClose(): void;
}
