// Header blocks of a connection: put together from HEADERS and CONTINUATION, decoded, and read as a request. A block
// that says the same as the one before is not read again.

import { ConnectionFault, FAULT, FLAG, FRAME } from './codes.ts';
import type { HeaderList } from './hpack-decoder.ts';
import { HpackDecoder } from './hpack-decoder.ts';
import { LIMITS } from './limits.ts';
import type { RequestFields } from './request-fields.ts';
import { readRequestFields } from './request-fields.ts';

/** `isEnd`: no data follows. `isSelfDependent`: the stream names itself as what it depends on, which is a fault. */
export interface Headers {
  readonly stream: number;
  readonly isEnd: boolean;
  readonly isSelfDependent: boolean;
  readonly list: HeaderList;
}

/**
 * One block at a time, as the protocol demands. Throws a ConnectionFault for one that is too long or cannot be
 * decoded.
 */
export class HeaderBlocks {
  readonly #decoder: HpackDecoder;
  #parts: Buffer[] = [];
  #byteSize = 0;
  #stream = 0;
  #isEnd = false;
  #isSelfDependent = false;
  #lastList: HeaderList | undefined;
  #lastRequest: RequestFields | string = '';

  /** `maxListBytes`: of a list that is taken whole, counted as RFC 9113, 6.5.2 does. */
  constructor(maxListBytes: number) {
    this.#decoder = new HpackDecoder(LIMITS.headerTableBytes, maxListBytes);
  }

  /** A block has begun and not ended. */
  get isOpen(): boolean {
    return this.#stream !== 0;
  }

  /** True when the block is complete; `finish` follows. */
  take(type: number, flags: number, stream: number, payload: Buffer): boolean {
    if (type === FRAME.headers) this.#begin(flags, stream, payload);
    else this.#continue(stream, payload);
    return (flags & FLAG.endHeaders) !== 0;
  }

  #begin(flags: number, stream: number, payload: Buffer): void {
    if (stream === 0) throw new ConnectionFault(FAULT.protocol, 'HEADERS without a stream');
    let from = 0;
    let padding = 0;
    if ((flags & FLAG.padded) !== 0) {
      padding = payload[0] ?? payload.length;
      from = 1;
    }
    this.#isSelfDependent = false;
    if ((flags & FLAG.priority) !== 0) {
      if (payload.length < from + 5) throw new ConnectionFault(FAULT.frameSize, 'HEADERS are too short');
      this.#isSelfDependent = (payload.readUInt32BE(from) & 0x7fff_ffff) === stream;
      from += 5;
    }
    if (from + padding > payload.length) throw new ConnectionFault(FAULT.protocol, 'wrong padding');
    this.#stream = stream;
    this.#isEnd = (flags & FLAG.endStream) !== 0;
    this.#add(payload.subarray(from, payload.length - padding));
  }

  #continue(stream: number, payload: Buffer): void {
    if (this.#stream === 0 || stream !== this.#stream) {
      throw new ConnectionFault(FAULT.protocol, 'CONTINUATION of nothing');
    }
    this.#add(payload);
  }

  #add(part: Buffer): void {
    this.#parts.push(part);
    this.#byteSize += part.length;
    if (this.#byteSize > LIMITS.headerBlockBytes || this.#parts.length > LIMITS.headerBlockFrames) {
      throw new ConnectionFault(FAULT.enhanceYourCalm, 'header block is too large');
    }
  }

  /**
   * Decodes the block and is ready for the next one. Every block must be decoded, since it changes the table of the
   * connection.
   */
  finish(): Headers {
    const [first] = this.#parts;
    const block = this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts);
    const stream = this.#stream;
    this.#parts = [];
    this.#byteSize = 0;
    this.#stream = 0;
    const list = this.#decoder.decode(block);
    return { stream, isEnd: this.#isEnd, isSelfDependent: this.#isSelfDependent, list };
  }

  /** The request that a list is, or what is wrong with it. */
  request(list: HeaderList): RequestFields | string {
    if (list !== this.#lastList) {
      this.#lastList = list;
      this.#lastRequest = readRequestFields(list.fields);
    }
    return this.#lastRequest;
  }
}
