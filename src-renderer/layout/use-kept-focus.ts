// The focus is never lost with a view, a panel or a button that an act took away: what stands in its place takes it, else the
// panel around, else the main area. The ring is drawn only for those who use keys.

import type { RefObject } from 'react';
import { useEffect, useLayoutEffect, useRef } from 'react';

import { watchLostFocus } from './lost-focus.ts';

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/** `view` names what is shown in `main`; `panels` changes with those around it. */
export function useKeptFocus(main: RefObject<HTMLElement | null>, view: string, panels: string): void {
  const isByKey = useRef(false);
  const isInDialog = useRef(false);
  const seen = useRef(view);
  const isLedHere = useRef(false);
  useEffect(() => {
    const onInput = ({ type }: Event): void => {
      isByKey.current = type === 'keydown';
      isLedHere.current = false;
    };
    const onFocusIn = ({ target }: FocusEvent): void => {
      isInDialog.current = target instanceof Element && target.closest(DIALOG) !== null;
      if (!isLedHere.current || isInDialog.current) return;
      isLedHere.current = false;
      // A dialog that led to the view gives the focus back to where one is no more.
      const { current } = main;
      if (current !== null && !current.contains(target as Node)) moveFocus(current, isByKey.current);
    };
    window.addEventListener('keydown', onInput, true);
    window.addEventListener('pointerdown', onInput, true);
    window.addEventListener('focusin', onFocusIn, true);
    return () => {
      window.removeEventListener('focusin', onFocusIn, true);
      window.removeEventListener('keydown', onInput, true);
      window.removeEventListener('pointerdown', onInput, true);
    };
  }, [main]);
  useEffect(
    () =>
      watchLostFocus((next) => {
        // The header of a page has no panel: what it leads to is the one that is shown.
        const target = next ?? main.current?.querySelector<HTMLElement>('[role="tabpanel"]') ?? main.current;
        if (target !== null) moveFocus(target, isByKey.current);
      }),
    [main],
  );
  // Before a dialog that closes at the same time gives the focus back.
  useLayoutEffect(() => {
    isLedHere.current = seen.current !== view && isInDialog.current;
    seen.current = view;
  }, [view]);
  useEffect(() => {
    // Dialogs that close at the same time give the focus back in this frame.
    const frame = requestAnimationFrame(() => {
      const { activeElement } = document;
      const isUnseen = isByKey.current && activeElement === main.current && !showsFocus(main.current);
      if (activeElement !== document.body && !isUnseen) return;
      // A focus that is kept keeps its looks: the ring comes with a new one only.
      if (isUnseen) main.current?.blur();
      if (main.current !== null) moveFocus(main.current, isByKey.current);
    });
    return () => cancelAnimationFrame(frame);
  }, [main, view, panels]);
}

function showsFocus(main: HTMLElement | null): boolean {
  return main?.matches(':focus-visible:not([data-focus-quiet])') === true;
}

/** Browsers older than the option `focusVisible` draw the ring by their own rules, so it is taken away there. */
function moveFocus(target: HTMLElement, isByKey: boolean): void {
  target.toggleAttribute('data-focus-quiet', !isByKey);
  const options: FocusOptions & { focusVisible: boolean } = { preventScroll: true, focusVisible: isByKey };
  target.focus(options);
  target.addEventListener('blur', () => target.removeAttribute('data-focus-quiet'), { once: true });
}
