// The panel at the right of the window. The frame offers the place, and the view that has the focus of attention fills
// it; without a filler the frame says so.

import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

const slot = createStore<{ readonly element: HTMLElement | null }>(() => ({ element: null }));

/** Called by the frame alone, with null when the panel is closed. */
export function setInspectorElement(element: HTMLElement | null): void {
  slot.setState({ element });
}

/** Draws `children` in the inspector while it is open. */
export function InInspector({ children }: { readonly children: ReactNode }) {
  const element = useStore(slot, (state) => state.element);
  return element === null ? null : createPortal(children, element);
}
