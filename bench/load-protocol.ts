// What the bench tells its load process, and what it gets back.

/** One measurement that the load process is asked for. */
export interface LoadJob {
  readonly port: number;
  /** A complete HTTP request, base64. */
  readonly messageBase64: string;
  readonly connectionCount: number;
  readonly warmupMs: number;
  readonly durationMs: number;
}

/** What it measured; latencies are of single requests. */
export interface LoadResult {
  readonly requestCount: number;
  readonly perSecond: number;
  /** Microseconds. */
  readonly p50Us: number;
  readonly p90Us: number;
  readonly p99Us: number;
  readonly maxUs: number;
}

/** The result, or why there is none. */
export type LoadReply = { readonly result: LoadResult } | { readonly error: string };
