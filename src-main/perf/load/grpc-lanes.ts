// gRPC calls as lanes: one unary call at a time, or one stream that stays open and carries one request at a time. All
// lanes share one connection.

import type { Clock } from '../../base/clock.ts';
import type { LoadChannel, LoadStream } from '../../client/grpc-load-channel.ts';
import type { LaneOptions, LoadMessage } from './lane.ts';
import { Lane } from './lane.ts';

/** A call for each request, over the channel that all lanes share. */
export class GrpcUnaryLane extends Lane {
  readonly #channel: LoadChannel;
  readonly #clock: Clock;
  readonly #keeps: boolean;
  #call: { cancel(): void } | undefined;

  constructor(channel: LoadChannel, options: LaneOptions & { readonly clock: Clock }) {
    super();
    this.#channel = channel;
    this.#clock = options.clock;
    this.#keeps = options.keepsResponses;
  }

  override send(message: LoadMessage): void {
    this.begin(message, this.#clock.nowNs());
    const call = this.#channel.unary(message.bytes, (error, response, isTransport) => {
      if (this.#call !== call) return;
      this.#call = undefined;
      this.endNs = this.#clock.nowNs();
      this.firstNs = this.endNs;
      this.error = error;
      this.isTransportError = isTransport;
      this.responseCount = 1;
      if (this.#keeps && response !== undefined) {
        this.responseNs.push(this.endNs);
        this.responses.push(response);
      }
      this.onDone(this);
    });
    this.#call = call;
    this.sentNs = this.#clock.nowNs();
  }

  override close(): void {
    const call = this.#call;
    this.#call = undefined;
    call?.cancel();
  }
}

/** One stream for all requests of the lane; it is opened again after it broke. */
export class GrpcStreamLane extends Lane {
  readonly #channel: LoadChannel;
  readonly #clock: Clock;
  readonly #options: LaneOptions;
  #stream: LoadStream | undefined;
  #isWaiting = false;

  constructor(channel: LoadChannel, options: LaneOptions & { readonly clock: Clock }) {
    super();
    this.#channel = channel;
    this.#clock = options.clock;
    this.#options = options;
  }

  override send(message: LoadMessage): void {
    this.begin(message, this.#clock.nowNs());
    this.#isWaiting = true;
    this.#stream ??= this.#open();
    this.#stream.send(message.bytes);
    this.sentNs = this.#clock.nowNs();
  }

  override close(): void {
    this.#isWaiting = false;
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.cancel();
  }

  #open(): LoadStream {
    const stream = this.#channel.stream({
      onMessage: (bytes, { error, isFinal, isEmpty }) => {
        if (!this.#isWaiting || stream !== this.#stream) return;
        // A trailing response that only says "final" is no answer: the one before it was the last.
        if (error !== '' || !isEmpty) this.#note(bytes);
        if (error !== '') this.error = error;
        if (isFinal) this.#finish();
      },
      onEnd: (error) => {
        if (stream !== this.#stream) return;
        this.#stream = undefined;
        if (!this.#isWaiting) return;
        this.error = error ?? 'the server ended the stream';
        this.isTransportError = true;
        this.#finish();
      },
    });
    return stream;
  }

  #note(bytes: Buffer): void {
    const nowNs = this.#clock.nowNs();
    if (this.firstNs === 0) this.firstNs = nowNs;
    this.endNs = nowNs;
    this.responseCount += 1;
    if (this.#options.keepsResponses) {
      this.responseNs.push(nowNs);
      this.responses.push(bytes);
    }
    this.#options.onResponse?.(this);
  }

  #finish(): void {
    this.#isWaiting = false;
    if (this.endNs === 0) this.endNs = this.#clock.nowNs();
    if (this.firstNs === 0) this.firstNs = this.endNs;
    this.onDone(this);
  }
}
