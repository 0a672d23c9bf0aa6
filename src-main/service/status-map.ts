// One table: what a StatusCode is on each protocol. Changing a cell is a compatibility decision.

import type { StatusCode } from '../../src-shared/errors.ts';

interface WireStatus {
  readonly http: number;
  /** Number of the gRPC status. */
  readonly grpc: number;
}

/** The statuses of HTTP and gRPC for each code of an error. */
export const STATUS_MAP: Readonly<Record<StatusCode, WireStatus>> = {
  UNKNOWN: { http: 400, grpc: 2 },
  INTERNAL: { http: 500, grpc: 13 },
  NOT_FOUND: { http: 404, grpc: 5 },
  INVALID_ARG: { http: 400, grpc: 3 },
  UNAVAILABLE: { http: 503, grpc: 14 },
  UNSUPPORTED: { http: 501, grpc: 12 },
  ALREADY_EXISTS: { http: 400, grpc: 6 },
  CANCELLED: { http: 400, grpc: 1 },
};
