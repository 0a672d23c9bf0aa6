// A short text for one control, on hover and on focus. Never the only place of an information.

import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

import { TIP_LOOK, TipHost } from './tip-host.tsx';

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
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
}) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className={TIP_LOOK}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
