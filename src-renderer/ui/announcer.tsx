// Sentences for screen readers: said once, politely, without moving focus. Those that come at once are shown one behind the
// other: what is replaced before it was drawn is never said.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** A sentence is drawn, and noticed by readers, before the next one takes its place. */
const SHOWN_MS = 200;
/** The last one goes then: who reads the page to its end would take it for news. */
const LEFT_MS = 5000;

const store = createStore(() => ({ text: '', count: 0 }));
const waiting: string[] = [];
let isShowing = false;
let leaving: ReturnType<typeof setTimeout> | undefined;

/** The same sentence twice is said twice. */
export function announce(text: string): void {
  waiting.push(text);
  if (!isShowing) showNext();
}

function showNext(): void {
  const text = waiting.shift();
  isShowing = text !== undefined;
  clearTimeout(leaving);
  if (text === undefined) {
    leaving = setTimeout(() => store.setState({ text: '' }), LEFT_MS);
    return;
  }
  store.setState({ text, count: store.getState().count + 1 });
  setTimeout(showNext, SHOWN_MS);
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
