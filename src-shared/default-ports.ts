// The ports of a server that is not told others, which clients assume as well.

/** Of Triton's HTTP, gRPC and metrics endpoints. */
export const DEFAULT_PORTS = { http: 8000, grpc: 8001, metrics: 8002 } as const;
