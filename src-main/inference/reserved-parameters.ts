/**
 * Names of request parameters with a meaning of their own, which a header of the request must not become
 * (docs/reference/grpc.md#parameters). Those that begin with `triton_` are reserved besides.
 */
export const RESERVED_PARAMETERS: ReadonlySet<string> = new Set([
  'sequence_id',
  'sequence_start',
  'sequence_end',
  'priority',
  'timeout',
  'headers',
  'binary_data_output',
]);

/** A text that names a sequence is no longer than this, in bytes of UTF-8. */
export const MAX_CORRELATION_ID_LENGTH = 128;

/** Whether a text is too long to name a sequence. */
export const isCorrelationIdTooLong = (text: string): boolean =>
  text.length * 3 > MAX_CORRELATION_ID_LENGTH && Buffer.byteLength(text) > MAX_CORRELATION_ID_LENGTH;
