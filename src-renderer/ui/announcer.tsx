// Sentences for screen readers: said once, politely, without moving focus.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

const store = createStore(() => ({ text: '', count: 0 }));

/** The same sentence twice is said twice. */
export function announce(text: string): void {
  store.setState({ text, count: store.getState().count + 1 });
}

/** Rendered once, near the root. Two nodes take turns, so that a repeated sentence is said again. */
export function Announcer() {
  const { text, count } = useStore(store);
  return (
    <div className="sr-only" aria-live="polite" data-testid="announcer">
      <span>{count % 2 === 0 ? text : ''}</span>
      <span>{count % 2 === 1 ? text : ''}</span>
    </div>
  );
}
