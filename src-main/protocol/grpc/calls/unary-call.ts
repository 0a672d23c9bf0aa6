// Calls of one message: it is collected, decoded, and handed to whoever answers it once the client has sent all.

import type { WireMessage } from '../../../grpc-wire/wire-message.ts';
import { CODE } from './codes.ts';
import type { CallHandler, ServerCall } from './server-call.ts';

/** A decoded request and the call that it came by. */
export type UnaryStart<Request> = (call: ServerCall, request: Request, handler: UnaryCall<Request>) => void;

/** Further messages are left alone; none at all, and bytes that do not decode, are INTERNAL, as grpc++ answers them. */
export class UnaryCall<Request> implements CallHandler {
  readonly #call: ServerCall;
  readonly #decode: (message: WireMessage) => Request;
  readonly #start: UnaryStart<Request>;
  #message: WireMessage | undefined;
  /** Called when the client has gone. */
  onGone: (() => void) | undefined;

  constructor(call: ServerCall, decode: (message: WireMessage) => Request, start: UnaryStart<Request>) {
    this.#call = call;
    this.#decode = decode;
    this.#start = start;
  }

  onMessage(message: WireMessage): void {
    this.#message ??= message;
  }

  onHalfClose(): void {
    let request: Request;
    try {
      if (this.#message === undefined) throw new RangeError('no message');
      request = this.#decode(this.#message);
    } catch {
      this.#call.fail({ code: CODE.internal, details: 'Unable to parse request' });
      return;
    }
    this.#start(this.#call, request, this);
  }

  onDrain(): void {
    // One message goes out, and the call ends with it.
  }

  onCancelled(): void {
    this.onGone?.();
  }
}
