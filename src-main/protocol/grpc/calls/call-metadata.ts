// What a client sends besides the message: its own fields, without those that are the protocol's.

const OF_PROTOCOL = new Set([
  'grpc-timeout',
  'grpc-encoding',
  'grpc-accept-encoding',
  'accept-encoding',
  'te',
  'content-type',
]);

/** Metadata by lower-case key; keys that end in "-bin" hold bytes. */
export type MetadataMap = Readonly<Record<string, Buffer | string>>;

/** Keys are in lower case, as HTTP/2 demands. `map` is made at the first look, since most calls look at nothing. */
export class CallMetadata {
  readonly #fields: readonly string[];
  #map: MetadataMap | undefined;

  /** name, value, name, value ... */
  constructor(fields: readonly string[]) {
    this.#fields = fields;
  }

  /** All values of a key in lower case. */
  get(key: string): readonly string[] {
    const values: string[] = [];
    for (let index = 0; index + 1 < this.#fields.length; index += 2) {
      if (this.#fields[index] === key) values.push(this.#fields[index + 1] ?? '');
    }
    return values;
  }

  /** The last value of each key; those of keys in `-bin` as bytes. */
  map(): MetadataMap {
    if (this.#map !== undefined) return this.#map;
    const map: Record<string, Buffer | string> = {};
    for (let index = 0; index + 1 < this.#fields.length; index += 2) {
      const name = this.#fields[index] ?? '';
      if (name.startsWith(':') || OF_PROTOCOL.has(name)) continue;
      const value = this.#fields[index + 1] ?? '';
      map[name] = name.endsWith('-bin') ? Buffer.from(value.split(',')[0] ?? '', 'base64') : value;
    }
    this.#map = map;
    return map;
  }
}
