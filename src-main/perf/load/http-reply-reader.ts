// Reads one HTTP response after another from the chunks of a connection. Knows status, length and chunked transfer
// only, and keeps bodies only where somebody looks at them, so that the client costs little beside the server.

const HEAD_END = Buffer.from('\r\n\r\n');
const EMPTY = Buffer.alloc(0);

type Framing = 'head' | 'length' | 'chunked' | 'until-close';

/** One reply at a time, of one connection; `reset` before the bytes of another. */
export class HttpReplyReader {
  status = 0;
  /** The server closes the connection after this response. */
  closes = false;
  #framing: Framing = 'head';
  #pending: Buffer = EMPTY;
  #left = 0;
  #headText = '';
  #keeps: boolean;
  readonly #keepsAll: boolean;
  readonly #body: Buffer[] = [];

  constructor(options: { readonly keepsBodies: boolean }) {
    this.#keepsAll = options.keepsBodies;
    this.#keeps = options.keepsBodies;
  }

  /** Body of the response that just ended; empty for successes when bodies are not kept. */
  get body(): Buffer {
    const [only] = this.#body;
    return this.#body.length === 1 && only !== undefined ? only : Buffer.concat(this.#body);
  }

  /** Of the response that just ended, in any case of letters; undefined when it has none of that name. */
  header(name: string): string | undefined {
    return new RegExp(`^${name}: *(.*)$`, 'im').exec(this.#headText)?.[1]?.trim();
  }

  /** What comes next is from another connection: a reply that was cut off has no rest there. */
  reset(): void {
    this.#framing = 'head';
    this.#pending = EMPTY;
    this.#body.length = 0;
  }

  /** True when the response is complete. */
  push(chunk: Buffer): boolean {
    switch (this.#framing) {
      case 'head':
        return this.#head(chunk);
      case 'length':
        return this.#counted(chunk);
      case 'chunked':
        return this.#chunked(chunk);
      case 'until-close':
        this.#keep(chunk);
        return false;
    }
  }

  /** The connection ended. True when that completes the response. */
  end(): boolean {
    return this.#framing === 'until-close' && this.#finish();
  }

  #head(chunk: Buffer): boolean {
    const joined = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const end = joined.indexOf(HEAD_END);
    if (end < 0) {
      this.#pending = joined;
      return false;
    }
    this.#pending = EMPTY;
    const head = joined.toString('latin1', 0, end);
    const rest = joined.subarray(end + HEAD_END.length);
    this.status = Number(head.slice(9, 12));
    if (this.status < 200) return rest.length > 0 && this.#head(rest);
    this.#headText = head;
    this.#body.length = 0;
    this.#keeps = this.#keepsAll || this.status !== 200;
    this.closes = /^connection: *close/im.test(head);
    if (/^transfer-encoding: *chunked/im.test(head)) {
      this.#framing = 'chunked';
      return this.#chunked(rest);
    }
    const length = /^content-length: *(\d+)/im.exec(head)?.[1];
    if (length === undefined) {
      this.#framing = 'until-close';
      this.#keep(rest);
      return false;
    }
    this.#framing = 'length';
    this.#left = Number(length);
    return this.#counted(rest);
  }

  #counted(chunk: Buffer): boolean {
    this.#keep(chunk);
    this.#left -= chunk.length;
    return this.#left <= 0 && this.#finish();
  }

  #chunked(chunk: Buffer): boolean {
    let data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const lineEnd = data.indexOf('\r\n');
      if (lineEnd < 0) break;
      const size = Number.parseInt(data.toString('latin1', 0, lineEnd), 16);
      const next = lineEnd + 2 + size + 2;
      if (data.length < next) break;
      this.#keep(data.subarray(lineEnd + 2, lineEnd + 2 + size));
      data = data.subarray(next);
      if (size === 0) {
        this.#pending = EMPTY;
        return this.#finish();
      }
    }
    this.#pending = data;
    return false;
  }

  #keep(chunk: Buffer): void {
    if (this.#keeps && chunk.length > 0) this.#body.push(chunk);
  }

  #finish(): boolean {
    this.#framing = 'head';
    return true;
  }
}
