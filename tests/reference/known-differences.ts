// What is allowed to differ from the running reference, each with its reason. COMPATIBILITY.md lists the same reasons.

export interface KnownDifference {
  /** Which rows; the name as the report prints it. */
  readonly rows: RegExp;
  readonly reason: string;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];
