// The bytes with which a client begins.

import { ConnectionFault, FAULT, PREFACE } from './codes.ts';

/** For one connection; hands everything on unchanged once the preface is complete. */
export class PrefaceReader {
  #received: Buffer | undefined = Buffer.alloc(0);

  /** What comes behind the preface; undefined while it is not complete. Throws for other bytes. */
  read(chunk: Buffer): Buffer | undefined {
    if (this.#received === undefined) return chunk;
    const bytes = Buffer.concat([this.#received, chunk]);
    const length = Math.min(bytes.length, PREFACE.length);
    if (bytes.compare(PREFACE, 0, length, 0, length) !== 0) {
      throw new ConnectionFault(FAULT.protocol, 'no HTTP/2 preface');
    }
    if (bytes.length < PREFACE.length) {
      this.#received = bytes;
      return undefined;
    }
    this.#received = undefined;
    return bytes.subarray(PREFACE.length);
  }
}
