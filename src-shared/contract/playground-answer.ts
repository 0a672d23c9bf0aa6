// What the window shows of an answer: its responses, and their tensors in part.

/** One tensor of an answer, with as much of it as a page shows at once. */
export interface PlaygroundOutput {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly byteSize: number;
  /** First elements as texts (at most 2000); all of them through the blob. */
  readonly preview: readonly string[];
  /** For blob/read: the elements as bytes, in the layout of the datatype. */
  readonly blob: string;
  /** Range and mean of the finite elements, undefined without any. */
  readonly stats:
    | {
        readonly min: number | undefined;
        readonly max: number | undefined;
        readonly mean: number | undefined;
        readonly nanCount: number;
        readonly infCount: number;
      }
    | undefined;
  /** Top classes when asked for. */
  readonly classes: readonly { readonly score: number; readonly index: number; readonly label: string }[];
}

/** One response; a decoupled model sends several. */
export interface PlaygroundResponse {
  readonly outputs: readonly PlaygroundOutput[];
  /** The server's words; undefined on success. */
  readonly error: string | undefined;
}

/** What a stream has brought of one output. */
export interface StreamedText {
  readonly name: string;
  readonly datatype: string;
  /** Of the newest response. */
  readonly shape: readonly number[];
  /** Single BYTES elements of all responses one after the other, at most their last 4000 characters; else the first values. */
  readonly text: string;
}

/** How far a stream is. */
export interface StreamProgress {
  /** Responses with outputs so far. */
  readonly count: number;
  /** Of their outputs. */
  readonly byteSize: number;
  readonly outputs: readonly StreamedText[];
}
