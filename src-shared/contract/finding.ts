// A finding about a file of a repository, as `conch check` and `conch handover --check` print it and the window shows it.

/** One thing that is wrong, will be wrong somewhere else, or is worth knowing. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'info';
  /** File it is about, absolute; undefined = the server as a whole. */
  readonly file: string | undefined;
  /** 1-based; 0 = the file as a whole. */
  readonly line: number;
  readonly column: number;
  /** Code of the rule, undefined for findings about files. */
  readonly code: string | undefined;
  readonly message: string;
  /** What to do; may be empty. */
  readonly hint: string;
}
