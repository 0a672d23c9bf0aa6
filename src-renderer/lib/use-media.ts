// Whether a media query of CSS holds now, for what a style sheet cannot decide.

import { useSyncExternalStore } from 'react';

/** Draws anew when the answer changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}
