// One place from which requests are sent, with at most one outstanding: a connection, a call or a stream. Its time
// stamps describe the latest exchange and are overwritten by the next, so that the hot path allocates nothing.

/** One encoded request, ready for the wire. */
export interface LoadMessage {
  readonly bytes: Buffer;
  /** Entry of the data set it was made from, for validation and export; the first one of a batch. */
  readonly stream: number;
  readonly step: number;
  /** 0 = no sequence. */
  readonly sequenceId: number;
  readonly isSequenceEnd: boolean;
  /** Inferences that it asks for: rows of its batch. */
  readonly rowCount: number;
}

/** What a lane that has sent nothing yet holds in place of a request. */
export const NO_MESSAGE: LoadMessage = {
  bytes: Buffer.alloc(0),
  stream: 0,
  step: 0,
  sequenceId: 0,
  isSequenceEnd: false,
  rowCount: 1,
};

/** What the receiver of a finished lane wants to see of the answers; bodies are dropped otherwise. */
export interface LaneOptions {
  readonly keepsResponses: boolean;
  /** Called for each response of a stream, before `onDone`. */
  readonly onResponse?: (lane: Lane) => void;
}

/** Sends one request and waits for its last response; what travels is up to the lanes below. */
export abstract class Lane {
  /** Where a sequence or a place in the data belongs to. */
  slot = 0;
  message: LoadMessage = NO_MESSAGE;
  /** When it should have been sent; the start itself in closed loops. */
  dueNs = 0;
  startNs = 0;
  /** The last byte was handed to the system. */
  sentNs = 0;
  firstNs = 0;
  endNs = 0;
  /** Of the answer or the connection; undefined = success. */
  error: string | undefined;
  /** The connection broke, as against an answer with an error. */
  isTransportError = false;
  responseCount = 0;
  /** Arrival of each response, and their bytes, when they are kept. */
  readonly responseNs: number[] = [];
  readonly responses: Buffer[] = [];
  /** Set by whoever holds the lane before it sends; the lane's fields may be read until it sends again. */
  onDone: (lane: Lane) => void = () => undefined;

  /** Sends; `onDone` is called exactly once per call, never within it. */
  abstract send(message: LoadMessage): void;
  /** Ends the exchange, if there is one, without calling `onDone`. */
  abstract close(): void;

  protected begin(message: LoadMessage, nowNs: number): void {
    this.message = message;
    this.startNs = nowNs;
    this.sentNs = 0;
    this.firstNs = 0;
    this.endNs = 0;
    this.error = undefined;
    this.isTransportError = false;
    this.responseCount = 0;
    this.responseNs.length = 0;
    this.responses.length = 0;
  }
}
