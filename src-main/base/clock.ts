// Time as an option: everything that waits takes a Clock, so tests move time by hand (testing/fake-clock.ts).
// Monotonic stamps are numbers of nanoseconds from the system's monotonic clock, comparable across worker threads
// of one process; wall-clock time is for log lines, traces and statistics stamps only.

/** A running timer. Cancelling twice, or after it fired, does nothing. */
export interface Timer {
  /** The callback is not called from now on; one that runs already goes on. */
  cancel(): void;
}

/** The time, and waiting. Tests hand in one that they move by hand. */
export interface Clock {
  /** Monotonic nanoseconds; same origin in every thread. */
  nowNs(): number;
  /** Milliseconds since the Unix epoch. */
  wallMs(): number;
  /** Runs `callback` once after `delayMs` (fractions allowed; below 1 ms it is exact). Timers never keep the process alive. */
  after(delayMs: number, callback: () => void): Timer;
  /** Runs `callback` every `periodMs` until cancelled. */
  every(periodMs: number, callback: () => void): Timer;
  /** Resolves after `delayMs`; rejects with the signal's reason when it aborts first. */
  wait(delayMs: number, options?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
}

const MAX_TIMEOUT_MS = 2 ** 31 - 1;

class SystemClock implements Clock {
  nowNs(): number {
    return Number(process.hrtime.bigint());
  }

  wallMs(): number {
    return Date.now();
  }

  after(delayMs: number, callback: () => void): Timer {
    if (delayMs < 1) return pollUntil(this.nowNs() + delayMs * 1e6, callback);
    const handle = setTimeout(callback, Math.min(Math.max(0, delayMs), MAX_TIMEOUT_MS));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  }

  every(periodMs: number, callback: () => void): Timer {
    const handle = setInterval(callback, periodMs);
    handle.unref();
    return { cancel: () => clearInterval(handle) };
  }

  wait(delayMs: number, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const onAbort = (): void => {
        clearTimeout(handle);
        reject(signal?.reason as Error);
      };
      const handle = setTimeout(
        () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
        Math.min(Math.max(0, delayMs), MAX_TIMEOUT_MS),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/**
 * Timers of the system cannot be shorter than a millisecond, queue delays often are: such a short wait goes round the
 * event loop until its time has come.
 */
function pollUntil(dueNs: number, callback: () => void): Timer {
  let handle: NodeJS.Immediate;
  const look = (): void => {
    if (Number(process.hrtime.bigint()) >= dueNs) callback();
    else handle = setImmediate(look);
  };
  handle = setImmediate(look);
  return { cancel: () => clearImmediate(handle) };
}

/** The time of the machine; whatever waits gets it, or a fake one in tests. */
export const systemClock: Clock = new SystemClock();
