// Streams of the playground while they run: how far each is, for a window that asks, and the way to end one and keep
// what has come.

import type { StreamedText, StreamProgress } from '../../src-shared/contract/playground-answer.ts';
import { isDataType } from '../../src-shared/datatypes.ts';
import type { ClientResponse, ClientTensor } from '../client/infer-client.ts';
import { decodeValues } from '../tensor/value-codec.ts';

/** Of texts that are put together the end is shown: it is where something happens. */
const MAX_TEXT = 4000;
const SHOWN_VALUES = 16;

/** One stream, as whoever reads it has it. */
export interface StreamWatch {
  /** For each response, in the order in which they came, errors of the stream included. */
  readonly onResponse: (response: ClientResponse) => void;
  /** Fires when no more responses are wanted. */
  readonly stopped: AbortSignal;
}

interface OpenStream {
  readonly stop: AbortController;
  count: number;
  byteSize: number;
  readonly texts: Map<string, StreamedText>;
}

/** By ids that the page chose. */
export class OpenStreams {
  readonly #open = new Map<string, OpenStream>();

  /** Watches one stream for as long as `work` takes. */
  async during<Result>(id: string, work: (watch: StreamWatch) => Promise<Result>): Promise<Result> {
    const stream: OpenStream = { stop: new AbortController(), count: 0, byteSize: 0, texts: new Map() };
    this.#open.set(id, stream);
    try {
      return await work({ stopped: stream.stop.signal, onResponse: (response) => note(stream, response) });
    } finally {
      this.#open.delete(id);
    }
  }

  /** Undefined when there is no such stream, or none any more. */
  progress(id: string): StreamProgress | undefined {
    const stream = this.#open.get(id);
    if (stream === undefined) return undefined;
    return { count: stream.count, byteSize: stream.byteSize, outputs: [...stream.texts.values()] };
  }

  /** Ends a stream; its responses so far are its answer. Nothing happens when it has ended. */
  stop(id: string): void {
    this.#open.get(id)?.stop.abort(new Error('no more responses are wanted'));
  }
}

function note(stream: OpenStream, { outputs }: ClientResponse): void {
  stream.count += 1;
  for (const output of outputs) {
    stream.byteSize += output.bytes.byteLength;
    stream.texts.set(output.name, textOf(output, stream.texts.get(output.name)));
  }
}

/** Single texts are put together, as a model that writes means them; of anything else the newest counts. */
function textOf(
  { name, datatype, shape, bytes }: ClientTensor,
  before: StreamedText | undefined,
): StreamedText {
  const isText = datatype === 'BYTES' && shape.reduce((product, dim) => product * dim, 1) === 1;
  const values = isDataType(datatype) ? decodeValues(bytes, datatype, SHOWN_VALUES) : [];
  const text = isText ? `${before?.text ?? ''}${values[0] ?? ''}`.slice(-MAX_TEXT) : values.join(', ');
  return { name, datatype, shape: [...shape], text };
}
