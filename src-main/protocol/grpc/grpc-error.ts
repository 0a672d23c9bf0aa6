// Errors as gRPC statuses: the message is the status text, without details or trailers.

import { toServerError } from '../../../src-shared/errors.ts';
import { getLogger } from '../../base/log.ts';
import { STATUS_MAP } from '../../service/status-map.ts';

const log = getLogger('grpc');

/** `code` is the number of a gRPC status, never 0; `details` its text as the client reads it. */
export interface GrpcFault {
  readonly code: number;
  readonly details: string;
}

/** Whatever was thrown as a status; what is no ServerError is logged here, once. */
export function toGrpcFault(thrown: unknown, method: string): GrpcFault {
  const error = toServerError(thrown);
  if (error !== thrown) log.error(`${method} failed: ${error.message}`, { stack: error.stack });
  return { code: STATUS_MAP[error.code].grpc, details: error.message };
}
