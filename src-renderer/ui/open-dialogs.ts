// How many modal dialogs are open: what comes up over the window must leave their buttons free.

import { useEffect } from 'react';
import { createStore } from 'zustand/vanilla';

/** Counted by the dialogs themselves. */
export const openDialogs = createStore(() => ({ count: 0 }));

/** Counts one dialog for as long as it is mounted. */
export function OpenDialog() {
  useEffect(() => {
    const add = (change: number): void => openDialogs.setState(({ count }) => ({ count: count + change }));
    add(1);
    return () => add(-1);
  }, []);
  return null;
}
