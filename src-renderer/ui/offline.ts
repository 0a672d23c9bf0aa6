// Whether what is drawn below may still be true. While the window has lost its server, buttons that would ask it are
// off and say why, and states are shown as the last known ones. What works without a server says so itself.

import { createContext, use } from 'react';

/** Reason to show; "" while connected. */
export const OfflineContext = createContext('');

/** A sentence for a tooltip; "" while the server is there. */
export function useOfflineReason(): string {
  return use(OfflineContext);
}
