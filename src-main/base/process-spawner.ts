// How the engine starts other programs of ours (load generator, analyzer's trial server). The shell hands a spawner in:
// a headless parent forks Node processes, Electron's main process forks utility processes.

/** A running child. Messages are structured clones of plain data; order is kept. */
export interface SpawnedProcess {
  /** undefined until the system has started it. */
  readonly pid: number | undefined;
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once; `code` undefined when a signal ended it or it could not be started. */
  onExit(listener: (exit: { readonly code: number | undefined; readonly detail: string }) => void): void;
  /** Asks it to end; a second call ends it by force. */
  kill(): void;
}

export interface ProcessSpawner {
  /** Starts the command line `conch <args>` as a child with a message channel. */
  spawnConch(args: readonly string[]): SpawnedProcess;
}
