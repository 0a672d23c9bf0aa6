// What a command may do with the process it runs in, so that tests need none.

/** What commands use of their process. The signal aborts when the user interrupts. */
export interface CommandContext {
  /** Standard output. */
  print(text: string): void;
  /** Standard error, as it is. */
  printError(text: string): void;
  /** The process ends with it once nothing keeps it alive; the last call counts. */
  setExitCode(code: number): void;
  readonly version: string;
  readonly signal: AbortSignal;
}
