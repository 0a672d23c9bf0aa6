// The statuses that the protocol itself gives.

/** Numbers of gRPC; those of ServerErrors are mapped elsewhere. */
export const CODE = {
  ok: 0,
  deadlineExceeded: 4,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;
