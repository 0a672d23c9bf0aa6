// Clients send the same request again and again, with other tensors. What was read of the last one on a connection is
// used for the next one whose bytes are the same.

import type { InferParseOptions } from '../infer-parser.ts';
import { parseInfer } from '../infer-parser.ts';
import type { ParsedInfer } from '../parsed-infer.ts';
import type { PlainHead } from './plain-head.ts';
import { readPlainHead } from './plain-head.ts';

/** Longer ones are read each time: comparing costs too, and connections are many. */
const MAX_REMEMBERED_BYTES = 2048;

/**
 * One for each connection. Keeps one head and one JSON part of 2 KiB at most; what it gives back is shared and
 * must not be changed.
 */
export class RequestMemory {
  #headText = '';
  #head: PlainHead | undefined;
  #json = '';
  #jsonOf: InferParseOptions | undefined;
  #parsed: ParsedInfer | undefined;

  /** `text` as readPlainHead takes it. */
  head(text: string): PlainHead | undefined {
    if (text === this.#headText) return this.#head;
    const head = readPlainHead(text);
    if (text.length <= MAX_REMEMBERED_BYTES) {
      this.#headText = text;
      this.#head = head;
    }
    return head;
  }

  /** As `parseInfer`, whose faults it throws; nothing of a faulty text is kept. */
  parse(json: Buffer, options: InferParseOptions): ParsedInfer {
    if (json.length > MAX_REMEMBERED_BYTES) return parseInfer(json, options);
    const text = json.toString('latin1');
    const known = this.#jsonOf;
    if (
      this.#parsed !== undefined &&
      text === this.#json &&
      known?.modelName === options.modelName &&
      known.binaryByteSize === options.binaryByteSize
    ) {
      return this.#parsed;
    }
    const parsed = parseInfer(json, options);
    if (isRepeatable(parsed)) {
      this.#json = text;
      this.#jsonOf = options;
      this.#parsed = parsed;
    }
    return parsed;
  }
}

/** Nothing in it belongs to one request: no tensor, and no map that the request would take over. */
function isRepeatable(parsed: ParsedInfer): boolean {
  return (
    parsed.fault === undefined &&
    parsed.parameters === undefined &&
    parsed.inputs.every(({ json }) => json === undefined)
  );
}
