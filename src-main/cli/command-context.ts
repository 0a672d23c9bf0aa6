// What a command may do with the process it runs in, so that tests need none.

/** What commands use of their process. The signal aborts when the user interrupts. */
export interface CommandContext {
  /** Standard output. */
  print(text: string): void;
  printError(text: string): void;
  setExitCode(code: number): void;
  readonly version: string;
  readonly signal: AbortSignal;
}
