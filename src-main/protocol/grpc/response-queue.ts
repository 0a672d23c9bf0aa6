// The outgoing side of one inference stream. Messages of non-decoupled requests leave in the order of the requests;
// those of decoupled requests leave as they come. Each decoupled request may have a limited number of messages
// waiting; its producer then waits until the client has taken one. (docs/reference/grpc.md#streams)

import type { WireMessage } from '../../grpc-wire/wire-message.ts';

/** Writes one message; false means that the client is behind and `onDrain` will follow. */
export interface MessageSink {
  /** Takes the message in any case, also when it answers false. */
  write(message: WireMessage): boolean;
}

interface Entry {
  readonly messages: WireMessage[];
  isDone: boolean;
}

/** The place of one request among the answers of a stream. */
export interface ResponseSlot {
  /** Takes one message. The promise, if any, resolves when the producer may send more. */
  send(message: WireMessage): void | Promise<void>;
  /** No message follows. */
  end(): void;
}

/** For one stream. `onIdle` is called each time nothing waits and no request is open any more. */
export class ResponseQueue {
  readonly #sink: MessageSink;
  readonly #maxWaitingPerRequest: number;
  readonly #onIdle: () => void;
  readonly #ordered: Entry[] = [];
  readonly #blocked: { readonly message: WireMessage; readonly taken: () => void }[] = [];
  #openCount = 0;
  #isWritable = true;
  #isClosed = false;

  constructor(
    sink: MessageSink,
    options: { readonly maxWaitingPerRequest: number; readonly onIdle: () => void },
  ) {
    this.#sink = sink;
    this.#maxWaitingPerRequest = options.maxWaitingPerRequest;
    this.#onIdle = options.onIdle;
  }

  /** Requests whose last message was not handed over yet. */
  get openCount(): number {
    return this.#openCount;
  }

  /** A place for a request whose messages keep their turn behind earlier ordered requests. */
  openOrdered(): ResponseSlot {
    const entry: Entry = { messages: [], isDone: false };
    this.#ordered.push(entry);
    this.#openCount += 1;
    return {
      send: (message) => {
        entry.messages.push(message);
        this.#flush();
      },
      end: () => {
        entry.isDone = true;
        this.#flush();
      },
    };
  }

  /** A place for a decoupled request: its messages leave at once, or wait for the client. */
  openFree(): ResponseSlot {
    this.#openCount += 1;
    let waiting = 0;
    let isEnded = false;
    let resume: (() => void) | undefined;
    return {
      send: (message) => {
        if (this.#isClosed) return undefined;
        if (this.#isWritable && this.#blocked.length === 0) {
          this.#write(message);
          return undefined;
        }
        waiting += 1;
        this.#blocked.push({
          message,
          taken: () => {
            waiting -= 1;
            resume?.();
            resume = undefined;
            if (isEnded && waiting === 0) this.#closeOne();
          },
        });
        if (waiting < this.#maxWaitingPerRequest) return undefined;
        return new Promise<void>((resolve) => (resume = resolve));
      },
      end: () => {
        isEnded = true;
        if (waiting === 0) this.#closeOne();
      },
    };
  }

  /** The client has taken what was written. */
  drained(): void {
    this.#isWritable = true;
    this.#flush();
  }

  /** Drops everything that waits and lets producers go on. */
  close(): void {
    this.#isClosed = true;
    for (const { taken } of this.#blocked.splice(0)) taken();
    this.#ordered.length = 0;
  }

  #write(message: WireMessage): void {
    if (!this.#isClosed) this.#isWritable = this.#sink.write(message);
  }

  #flush(): void {
    while (this.#isWritable) {
      const next = this.#blocked.shift();
      if (next === undefined) break;
      this.#write(next.message);
      next.taken();
    }
    for (let head = this.#ordered[0]; head !== undefined; head = this.#ordered[0]) {
      for (const message of head.messages.splice(0)) this.#write(message);
      if (!head.isDone) return;
      this.#ordered.shift();
      this.#closeOne();
    }
  }

  #closeOne(): void {
    this.#openCount -= 1;
    if (this.#openCount === 0) this.#onIdle();
  }
}
