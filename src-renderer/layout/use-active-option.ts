// Tells readers which option of a list the keys of its field have chosen.

import type { RefObject } from 'react';
import { useEffect } from 'react';

/** `around` holds one combobox and its list. The library behind the palette leaves this out. */
export function useActiveOption(around: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = around.current;
    if (element === null) return undefined;
    const tell = (): void => {
      const chosen = element.querySelector('[role="option"][aria-selected="true"]')?.id ?? '';
      const field = element.querySelector('[role="combobox"]');
      if (chosen === '') field?.removeAttribute('aria-activedescendant');
      else if (field?.getAttribute('aria-activedescendant') !== chosen)
        field?.setAttribute('aria-activedescendant', chosen);
    };
    tell();
    const observer = new MutationObserver(tell);
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['aria-selected', 'id'] });
    return () => observer.disconnect();
  }, [around]);
}
