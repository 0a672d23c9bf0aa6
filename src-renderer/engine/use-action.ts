// A user's action that calls the engine: says whether it runs, so that its button can show it and not run twice.
// What the action reports (toast, dialog) is its own business; whatever it throws is handed to `onError`, or told in a toast.

import { useCallback, useRef, useState } from 'react';

import { isCancelled, explainedMessage } from './engine-client.ts';
import { toastThrown } from './toast-thrown.ts';

/** `run` does nothing while the action is under way. */
export interface Action<Args extends readonly unknown[]> {
  readonly isRunning: boolean;
  /** Returns at once and never throws. */
  readonly run: (...args: Args) => void;
}

/** `onError` gets the sentence to show, instead of a toast; an action that was cancelled is no error. */
export function useAction<Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<unknown>,
  onError?: (message: string) => void,
): Action<Args> {
  const [isRunning, setIsRunning] = useState(false);
  const running = useRef(false);
  const run = useCallback(
    (...args: Args): void => {
      if (running.current) return;
      running.current = true;
      setIsRunning(true);
      work(...args)
        .catch((thrown: unknown) => {
          if (isCancelled(thrown)) return;
          if (onError === undefined) toastThrown(thrown);
          else onError(explainedMessage(thrown));
        })
        .finally(() => {
          running.current = false;
          setIsRunning(false);
        });
    },
    [work, onError],
  );
  return { isRunning, run };
}
