// Bytes on their way to a host: frames are written one behind the other into memory that is handed to the socket as it
// is, so that a frame costs no buffer of its own.
// Invariant: memory that was given out by `take` is never written again.

const CHUNK_BYTES = 1 << 16;

/** A place of some bytes in a buffer. */
export interface Room {
  readonly buffer: Buffer;
  readonly offset: number;
}

/** For one socket. What `room` gives must be written before `take` is called. */
export class Outgoing {
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  /** What lies between is not yet taken. */
  #start = 0;
  #end = 0;
  /** What is not yet taken of chunks before. */
  #before: Uint8Array[] = [];

  /** Sets room aside behind what was written before. Its content is undefined. */
  room(byteSize: number): Room {
    if (this.#end + byteSize > this.#chunk.byteLength) {
      if (this.#end > this.#start) this.#before.push(this.#chunk.subarray(this.#start, this.#end));
      this.#chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, byteSize));
      this.#start = 0;
      this.#end = 0;
    }
    const offset = this.#end;
    this.#end += byteSize;
    return { buffer: this.#chunk, offset };
  }

  /** Everything that was written since the last time, in order. */
  take(): readonly Uint8Array[] {
    const taken = this.#before;
    if (this.#end > this.#start) taken.push(this.#chunk.subarray(this.#start, this.#end));
    this.#before = [];
    this.#start = this.#end;
    return taken;
  }
}
