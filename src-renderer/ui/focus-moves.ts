// Whether the user moved the focus with a key just now. A focus that came back by itself, from a dialog that closed, is
// not one that anybody moved: no tooltip opens for it.

const MOVES = /^(Tab|F6|Home|End|Page|Arrow)/;

let isMoving = false;

if (typeof window !== 'undefined') {
  window.addEventListener('keydown', ({ key }) => (isMoving = MOVES.test(key)), true);
  window.addEventListener('pointerdown', () => (isMoving = false), true);
}

/** Ask within the focus event: a moment later it is false again. */
export function wasFocusMoved(): boolean {
  return isMoving;
}
