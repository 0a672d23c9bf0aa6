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

/** Bits of a frame's flags; what a bit means follows from the type. */
export const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 0x20 } as const;

/** Identifiers in a SETTINGS frame. */
export const SETTING = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

/** Error codes of RST_STREAM and GOAWAY. */
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

/** What a client sends first, before any frame. */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');
/** Length, type, flags and stream in front of each payload (RFC 9113, 4.1). */
export const FRAME_HEAD_BYTES = 9;
/** Bytes that may be on their way before the other side says otherwise, of a stream and of the connection. */
export const DEFAULT_WINDOW = 65_535;
/** The largest frame that everybody has to take, without its head. */
export const DEFAULT_FRAME_BYTES = 16_384;
/** Bytes; a window that would grow beyond is a fault. */
export const MAX_WINDOW = 2 ** 31 - 1;

/** In a GOAWAY that names no last stream yet (RFC 9113, 6.8). */
export const ANY_STREAM = 2 ** 31 - 1;

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
