// Asks again and again while somebody looks: at once when its subject changes, when the page comes back into view and
// when the engine is connected again; never while the page is hidden or `isHeld`.

import { useEffect } from 'react';

import { useConnection } from '../../engine/engine-context.tsx';

/** `ask` must keep its identity while it asks for the same thing, and must not reject. */
export function usePolling(
  ask: (signal: AbortSignal) => Promise<void>,
  periodMs: number,
  isHeld: boolean,
  /** Another value asks at once. */
  turn: number,
): void {
  const generation = useConnection((state) => state.generation);
  useEffect(() => {
    if (isHeld) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    const next = (): void => {
      clearTimeout(timer);
      if (isAsking || document.hidden || signal.aborted) return;
      isAsking = true;
      void ask(signal).finally(() => {
        isAsking = false;
        if (!signal.aborted) timer = setTimeout(next, periodMs);
      });
    };
    document.addEventListener('visibilitychange', next, { signal });
    next();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [ask, periodMs, isHeld, turn, generation]);
}
