// When the app ends, and what must have happened before: windows close and are remembered, the engine drains, the exit
// code is the engine's. Nothing here waits without a limit: the supervisor ends an engine that does not.

import type { App, BrowserWindow, PowerMonitor } from 'electron';

import { getLogger } from '../../base/log.ts';
import { exitCodeText } from '../../base/exit-text.ts';

const log = getLogger('shell');

/** Systems end programs after about five seconds when a session ends. */
const SESSION_END_SEC = 3;

/** What has to be brought to its end with the app. */
export interface LifecycleParts {
  /** Those of Electron. */
  readonly app: Pick<App, 'on' | 'quit' | 'exit'>;
  readonly powerMonitor: Pick<PowerMonitor, 'on'>;
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
  /** Titles of work that would be missed when it ends with the app. */
  readonly longWork: () => readonly string[];
  /** Asks the user whether that work may end. */
  readonly mayEndWork: (titles: readonly string[]) => Promise<boolean>;
  /** The app stays without a window. */
  readonly keepsServing: () => boolean;
  /** The engine ended by itself before it served, or for good. */
  readonly onFailed: (exitCode: number) => Promise<void>;
  /** Last chance to let go of what outlives windows. */
  readonly onEnd: () => void;
}

/** Quitting twice is quitting once. The end of the session asks about nothing: neither unsaved text nor running work. */
export class Lifecycle {
  readonly #parts: LifecycleParts;
  #isQuitting = false;
  /** Running work may be lost: the user said so. */
  #mayEndWork = false;
  #isAsking = false;
  #isSessionEnding = false;
  #hasEnded = false;

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  /** The app was asked to quit and nothing stands against it. For tests. */
  get isQuitting(): boolean {
    return this.#isQuitting;
  }

  /** The user chose to stay in a window that was about to close. */
  stay(): void {
    this.#isQuitting = false;
    this.#mayEndWork = false;
  }

  /** Follows the app and the power of the machine from now on. Call it once, before the first window. */
  start(): void {
    const { app, powerMonitor, windows, supervisor, keepsServing } = this.#parts;
    app.on('activate', () => windows.show());
    app.on('window-all-closed', () => {
      // A window that asked about unsaved text has stopped the quit before.
      if (this.#isQuitting || (!keepsServing() && process.platform !== 'darwin')) app.quit();
    });
    app.on('before-quit', (event) => {
      const work = this.#mayEndWork || this.#isSessionEnding || this.#hasEnded ? [] : this.#parts.longWork();
      this.#isQuitting = work.length === 0;
      if (this.#isQuitting) return;
      event.preventDefault();
      void this.#askToQuit(work);
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
      window.on('session-end', () => this.endSession());
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
    this.#parts.app.quit();
  }

  async #askToQuit(work: readonly string[]): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const { app, mayEndWork, windows } = this.#parts;
    this.#mayEndWork = await mayEndWork(work);
    this.#isAsking = false;
    if (this.#mayEndWork) app.quit();
    // Its window may have been closed before.
    else if (!this.#isSessionEnding) windows.show();
  }

  async #end(exitCode: number): Promise<void> {
    this.#hasEnded = true;
    if (exitCode !== 0) log.warn(`the engine ended with ${exitCodeText(exitCode)}`);
    if (!this.#isQuitting && exitCode !== 0) await this.#parts.onFailed(exitCode);
    this.#parts.windows.remember();
    this.#parts.onEnd();
    this.#parts.app.exit(exitCode);
  }
}
