// Whether the user works with keys at the moment: what opens then shows where the keys are.

let isByKey = false;

if (typeof window !== 'undefined') {
  window.addEventListener('keydown', () => (isByKey = true), true);
  window.addEventListener('pointerdown', () => (isByKey = false), true);
  // Of a screen reader, which presses neither: a click of no pointer.
  window.addEventListener('click', ({ detail }) => detail === 0 && (isByKey = true), true);
}

/** Whether the last thing done was a key, or what a screen reader does instead of one. */
export function wasLastInputKey(): boolean {
  return isByKey;
}
