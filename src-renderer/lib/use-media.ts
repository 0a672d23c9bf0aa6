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

/** A window in which two columns would be squeezed; what stands side by side elsewhere stands below each other. */
export const NARROW = '(max-width: 759px)';
