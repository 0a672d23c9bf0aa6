// A short text for one control, on hover and on focus. Never the only place of an information, and never in the way: a
// focus that was given back opens nothing, and a text that the keyboard opened lets clicks pass.

import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { useState } from 'react';

import type { TipSide } from './tip-host.tsx';
import { cx } from './cx.ts';
import { wasFocusMoved } from './focus-moves.ts';
import { TIP_LOOK, TipHost } from './tip-host.tsx';

/** Around the window, once. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Base.Provider delay={450}>
      {children}
      <TipHost />
    </Base.Provider>
  );
}

/** `children` is the control itself; it must accept a ref and DOM props. */
export function Tooltip({
  text,
  children,
  side = 'bottom',
}: {
  readonly text: ReactNode;
  readonly children: ReactElement<Record<string, unknown>>;
  readonly side?: TipSide;
}) {
  const [isByFocus, setIsByFocus] = useState(false);
  return (
    <Base.Root
      onOpenChange={(isOpen, details) => {
        if (!isOpen) return;
        const isFocus = details.reason === 'trigger-focus';
        if (isFocus && !wasFocusMoved()) details.cancel();
        else setIsByFocus(isFocus);
      }}
    >
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner
          side={side}
          sideOffset={6}
          className={cx('z-50', isByFocus && '!pointer-events-none')}
        >
          <Base.Popup className={TIP_LOOK}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
