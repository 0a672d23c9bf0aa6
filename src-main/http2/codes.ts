// Numbers of HTTP/2 (RFC 9113, section 6, 7 and 11).

/** Types of frames. */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

export const SETTING = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const FAULT = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
} as const;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
export const FRAME_HEAD_BYTES = 9;
export const DEFAULT_WINDOW = 65_535;
export const DEFAULT_FRAME_BYTES = 16_384;
export const MAX_WINDOW = 2 ** 31 - 1;

/** A fault of the peer that ends the connection; the text goes out with GOAWAY. */
export class ConnectionFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = 'ConnectionFault';
    this.code = code;
  }
}

/** A fault of the peer that ends one stream. */
export class StreamFault extends Error {
  readonly code: number;
  readonly stream: number;

  constructor(stream: number, code: number, message: string) {
    super(message);
    this.name = 'StreamFault';
    this.stream = stream;
    this.code = code;
  }
}
