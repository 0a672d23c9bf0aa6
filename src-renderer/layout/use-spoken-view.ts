// Says what the main area shows when that changes while the focus is elsewhere: on the rail, or on a tab of the strip. Where
// the focus goes to the main area itself, its name is read with it.

import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';

import { announce } from '../ui/announcer.tsx';

/** `view` changes with what is shown, `name` is what people call it. */
export function useSpokenView(main: RefObject<HTMLElement | null>, view: string, name: string): void {
  const seen = useRef(view);
  useEffect(() => {
    if (seen.current === view) return;
    seen.current = view;
    // In the frame after the one in which a lost focus is led here.
    const second = { frame: 0 };
    const first = requestAnimationFrame(() => {
      second.frame = requestAnimationFrame(() => {
        if (document.activeElement !== main.current) announce(name);
      });
    });
    return () => {
      cancelAnimationFrame(first);
      cancelAnimationFrame(second.frame);
    };
  }, [main, view, name]);
}
