// Asks before the window goes away with text that is not saved: a browser by its own dialog, the desktop app by the
// system's.

import { useEffect } from 'react';

import { useWorkspace } from '../lib/workspace-store.ts';

/** Mounted once; does nothing while all text is saved. */
export function useUnsavedGuard(): void {
  const hasUnsaved = useWorkspace(({ dirty }) => dirty.size > 0);
  useEffect(() => {
    if (!hasUnsaved) return undefined;
    const stop = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', stop);
    return () => window.removeEventListener('beforeunload', stop);
  }, [hasUnsaved]);
}
