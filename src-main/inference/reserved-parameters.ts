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
