// How long a load took.

/** How long each step of a load took, in order; the last one grows while the load runs. */
export interface LoadTimings {
  readonly startedAtMs: number;
  readonly totalMs: number;
  readonly phases: readonly { readonly text: string; readonly ms: number }[];
}
