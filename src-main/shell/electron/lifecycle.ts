// When the app ends, and what must have happened before: windows close and are remembered, the engine drains, the exit
// code is the engine's. Nothing here waits without a limit: the supervisor ends an engine that does not.

import { app, powerMonitor } from 'electron';
import type { BrowserWindow } from 'electron';

import { getLogger } from '../../base/log.ts';

const log = getLogger('shell');

/** Systems end programs after about five seconds when a session ends. */
const SESSION_END_SEC = 3;

/** What has to be brought to its end with the app. */
export interface LifecycleParts {
  readonly windows: {
    show(): void;
    leave(): void;
    remember(): void;
    readonly current: BrowserWindow | undefined;
  };
  readonly supervisor: {
    /** `withinSec`: drains no longer than that; default the exit timeout. */
    stop(withinSec?: number): void;
    readonly ended: Promise<number>;
  };
  /** The app stays without a window. */
  readonly keepsServing: () => boolean;
  /** The engine ended by itself before it served, or for good. */
  readonly onFailed: (exitCode: number) => Promise<void>;
  /** Last chance to let go of what outlives windows. */
  readonly onEnd: () => void;
}

/** Quitting twice is quitting once. The end of the session does not ask about unsaved text. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  #isQuitting = false;
  #isSessionEnding = false;
  #hasEnded = false;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  get isQuitting(): boolean {
    return this.#isQuitting;
  }

  /** The user chose to stay in a window that was about to close. */
  stay(): void {
    this.#isQuitting = false;
  }

  start(): void {
    const { windows, supervisor, keepsServing } = this.#parts;
    app.on('activate', () => windows.show());
    app.on('window-all-closed', () => {
      // A window that asked about unsaved text has stopped the quit before.
      if (this.#isQuitting || (!keepsServing() && process.platform !== 'darwin')) app.quit();
    });
    app.on('before-quit', () => {
      this.#isQuitting = true;
    });
    // All windows are closed here, and have been remembered.
    app.on('will-quit', (event) => {
      if (this.#hasEnded) return;
      event.preventDefault();
      if (this.#isSessionEnding) supervisor.stop(SESSION_END_SEC);
      else supervisor.stop();
    });
    powerMonitor.on('shutdown', ((event?: { preventDefault(): void }) => {
      event?.preventDefault();
      this.endSession();
    }) as () => void);
    app.on('browser-window-created', (_event, window) => {
      // Windows asks every window, and ends the app soon after.
      window.on('session-end' as never, () => this.endSession());
    });
    void supervisor.ended.then((exitCode) => this.#end(exitCode));
  }

  /** Saves and drains in the time that the system gives; asks nothing. */
  endSession(): void {
    if (this.#isSessionEnding) return;
    this.#isSessionEnding = true;
    this.#isQuitting = true;
    log.info('the session ends');
    this.#parts.windows.remember();
    this.#parts.windows.leave();
    this.#parts.supervisor.stop(SESSION_END_SEC);
    app.quit();
  }

  async #end(exitCode: number): Promise<void> {
    this.#hasEnded = true;
    if (exitCode !== 0) log.warn(`the engine ended with exit code ${exitCode}`);
    if (!this.#isQuitting && exitCode !== 0) await this.#parts.onFailed(exitCode);
    this.#parts.windows.remember();
    this.#parts.onEnd();
    app.exit(exitCode);
  }
}
