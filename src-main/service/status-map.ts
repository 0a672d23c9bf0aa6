// One table: what a StatusCode is on each protocol. Changing a cell is a compatibility decision.

import type { StatusCode } from '../../src-shared/errors.ts';

interface WireStatus {
  readonly http: number;
  /** Number of the gRPC status. */
  readonly grpc: number;
  /** Word used inside composed messages ("Internal: ..."); empty where there is none. */
  readonly word: string;
}

export const STATUS_MAP: Readonly<Record<StatusCode, WireStatus>> = {
  UNKNOWN: { http: 400, grpc: 2, word: 'Unknown' },
  INTERNAL: { http: 500, grpc: 13, word: 'Internal' },
  NOT_FOUND: { http: 404, grpc: 5, word: 'Not found' },
  INVALID_ARG: { http: 400, grpc: 3, word: 'Invalid argument' },
  UNAVAILABLE: { http: 503, grpc: 14, word: 'Unavailable' },
  UNSUPPORTED: { http: 501, grpc: 12, word: 'Unsupported' },
  ALREADY_EXISTS: { http: 400, grpc: 6, word: 'Already exists' },
  CANCELLED: { http: 400, grpc: 1, word: '' },
};
