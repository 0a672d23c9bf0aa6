// Collects a request body as the chunks the socket delivered, without joining them. Beyond the limit of its route the
// bytes are only counted, so that the fault can name the size and memory stays bounded. Tiny chunks are counted too:
// their bookkeeping costs far more than their bytes.

import type { IncomingMessage } from 'node:http';
import { BodyBytes } from './infer-binary.ts';

const MAX_CHUNKS = 65_536;
/** Events smaller than this count as tiny; larger ones cannot be used to waste memory. */
const TINY_BYTES = 512;

/** The request that a body belongs to. */
export interface BodyOwner {
  readonly req: IncomingMessage;
  readonly isAnswered: boolean;
  /** Answers with 400 and cuts the rest of the body off. */
  refuseBody(message: string): void;
}

/** `done` is called once, when the last byte has come; never when the client goes before. */
export class RequestBody<Owner extends BodyOwner> {
  readonly startedAtMs: number;
  readonly #owner: Owner;
  readonly #keepLimit: number;
  readonly #isChunked: boolean;
  readonly #done: (owner: Owner, body: BodyBytes) => void;
  #chunks: Buffer[] = [];
  #tinyCount = 0;
  byteSize = 0;

  /** Bytes beyond `keepLimit` are counted but not kept; the body then comes back empty with its true size. */
  constructor(
    owner: Owner,
    keepLimit: number,
    startedAtMs: number,
    done: (owner: Owner, body: BodyBytes) => void,
  ) {
    this.#owner = owner;
    this.#keepLimit = keepLimit;
    this.#isChunked = owner.req.headers['transfer-encoding'] !== undefined;
    this.startedAtMs = startedAtMs;
    this.#done = done;
  }

  /** The next bytes of the body, which are kept as they are: the caller must not write over them. */
  add(chunk: Buffer): void {
    this.byteSize += chunk.length;
    if (this.byteSize > this.#keepLimit) {
      this.#chunks = [];
      return;
    }
    if (this.#isChunked && chunk.length < TINY_BYTES) {
      this.#tinyCount += 1;
      if (this.#tinyCount > MAX_CHUNKS) {
        this.#chunks = [];
        this.#owner.refuseBody(
          `Chunked request body exceeds maximum of ${MAX_CHUNKS} non-empty chunks. Send fewer or larger HTTP chunks.`,
        );
        return;
      }
    }
    this.#chunks.push(chunk);
  }

  /** The last byte has come. Does nothing where the body was refused before. */
  end(): void {
    if (this.#owner.isAnswered) return;
    this.#done(this.#owner, new BodyBytes(this.#chunks, this.byteSize));
  }
}
