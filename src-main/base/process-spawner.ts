// How the engine starts other programs of ours (load generator, analyzer's trial server, tries of a GPU's provider). The
// shell hands a spawner in: a headless parent forks Node processes, Electron's main process forks utility processes.

/** How a process ended. */
export interface ProcessEnd {
  /** undefined when a signal ended it or it could not be started. */
  readonly code: number | undefined;
  /** "exit code 1", "signal SIGSEGV", or why it could not be started. */
  readonly detail: string;
  /** The end of what it wrote to its standard error, where that is kept: of a program file. */
  readonly said?: string;
}

/** A running child. Messages are structured clones of plain data; order is kept. */
export interface SpawnedProcess {
  /** undefined until the system has started it. */
  readonly pid: number | undefined;
  /** Messages to a child that has ended go nowhere. */
  send(message: unknown): void;
  /** Every listener gets every message that comes after it was added. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called once. */
  onExit(listener: (end: ProcessEnd) => void): void;
  /** Asks it to end; a second call ends it by force. */
  kill(): void;
}

/** A file of the build that is a program of its own, with a message channel. */
export interface ProgramFile {
  readonly path: string;
  /** Set in its environment besides that of this process. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts processes of ours. Whoever starts one waits for its end, or kills it. */
export interface ProcessSpawner {
  /** Starts the command line `conch <args>`, or a program file with these arguments, with a message channel. */
  spawn(args: readonly string[], file?: ProgramFile): SpawnedProcess;
}
