// What the bench tells its load process, and what it gets back.

export interface LoadJob {
  readonly port: number;
  /** A complete HTTP request, base64. */
  readonly messageBase64: string;
  readonly connectionCount: number;
  readonly warmupMs: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly requestCount: number;
  readonly perSecond: number;
  /** Microseconds. */
  readonly p50Us: number;
  readonly p90Us: number;
  readonly p99Us: number;
  readonly maxUs: number;
}

export type LoadReply = { readonly result: LoadResult } | { readonly error: string };
