// Whether what is drawn below may still be true. While the window has lost its server, buttons that would ask it are
// off and say why, and states are shown as the last known ones. What works without a server says so itself.

import { createContext, use } from 'react';

/** Reason to show; undefined while connected. */
export const OfflineContext = createContext<string | undefined>(undefined);

/** A sentence for a tooltip; undefined while the server is there. */
export function useOfflineReason(): string | undefined {
  return use(OfflineContext);
}
