// One tooltip for all icon buttons: it shows the text in the `data-tip` of the control under the pointer or with the
// focus. A list of a thousand rows has no tooltip of its own per button, so a row costs no more than its buttons.

import { Tooltip as Base } from '@base-ui/react/tooltip';
import { useEffect, useState } from 'react';

import { cx } from './cx.ts';
import { wasFocusMoved } from './focus-moves.ts';

/** Where a tooltip stands, when there is room. */
export type TipSide = 'top' | 'bottom' | 'left' | 'right';

const OPEN_AFTER_MS = 450;
/** Long enough for the pointer to get into the tooltip itself. */
const CLOSE_AFTER_MS = 120;

interface Tip {
  readonly element: HTMLElement;
  readonly text: string;
  readonly side: TipSide;
  /** Opened by the keyboard: it lets clicks on its neighbours pass. */
  readonly isByFocus: boolean;
}

/** Shows the tooltips of the window; rendered once. */
export function TipHost() {
  const [tip, setTip] = useState<Tip>();
  useEffect(() => followTips(setTip), []);
  if (tip === undefined) return null;
  return (
    <Base.Root open>
      <Base.Portal>
        <Base.Positioner
          anchor={tip.element}
          side={tip.side}
          sideOffset={6}
          className={cx('z-50 data-[anchor-hidden]:hidden', tip.isByFocus && '!pointer-events-none')}
        >
          <Base.Popup data-tip-popup className={TIP_LOOK}>
            {tip.text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Classes of a tooltip, for those that are not of this host. */
export const TIP_LOOK =
  'max-w-80 rounded bg-tip px-2 py-1 text-sm text-on-tip shadow-float forced-colors:border';

/** Opens after a rest of the pointer, at once when a key moved the focus there; Escape and a press close. Returns the off-switch. */
function followTips(show: (tip: Tip | undefined) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: HTMLElement | undefined;
  const later = (ms: number, next: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(next, ms);
  };
  const close = (): void => {
    clearTimeout(timer);
    current = undefined;
    show(undefined);
  };
  const open = (element: HTMLElement, isByFocus = false): void => {
    clearTimeout(timer);
    current = element;
    const { tip: text = '', tipSide } = element.dataset;
    if (text !== '' && element.isConnected)
      show({ element, text, side: (tipSide ?? 'bottom') as TipSide, isByFocus });
  };
  const onPointerOver = ({ target, pointerType }: PointerEvent): void => {
    if (pointerType === 'touch') return;
    const element = tipOf(target);
    if (element === undefined) {
      const isInTip = target instanceof Element && target.closest('[data-tip-popup]') !== null;
      if (isInTip) clearTimeout(timer);
      else later(CLOSE_AFTER_MS, close);
    } else if (element === current) clearTimeout(timer);
    // From one control straight to the next without waiting again.
    else if (current !== undefined) open(element);
    else later(OPEN_AFTER_MS, () => open(element));
  };
  const onFocusIn = ({ target }: FocusEvent): void => {
    const element = tipOf(target);
    if (element?.matches(':focus-visible') === true && wasFocusMoved()) open(element, true);
    else if (current !== undefined) close();
  };
  document.addEventListener('pointerover', onPointerOver, { signal });
  document.addEventListener('focusin', onFocusIn, { signal });
  document.addEventListener('focusout', close, { signal });
  document.addEventListener('pointerdown', close, { signal, capture: true });
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && current !== undefined && close(), {
    signal,
  });
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}

function tipOf(target: EventTarget | null): HTMLElement | undefined {
  return target instanceof Element ? (target.closest<HTMLElement>('[data-tip]') ?? undefined) : undefined;
}
