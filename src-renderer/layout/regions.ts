// F6: the regions of the window in reading order, and moving the focus from one to the next. A region is any element
// with data-region that is visible.

/** Moves the focus to the next region, or to the one before; from the last to the first. */
export function cycleRegion(direction: 1 | -1, root: ParentNode = document): void {
  const regions = [...root.querySelectorAll<HTMLElement>('[data-region]')].filter(isVisible);
  if (regions.length === 0) return;
  const current = regions.findIndex((region) => region.contains(document.activeElement));
  const start = current < 0 ? (direction === 1 ? -1 : 0) : current;
  const next = regions[(start + direction + regions.length) % regions.length];
  if (next !== undefined) focusInside(next);
}

const FOCUSABLE =
  'a[href], button:not([tabindex="-1"]), input, select, textarea, [tabindex]:not([tabindex="-1"])';

/** The first thing that can have the focus, else the region itself. */
function focusInside(region: HTMLElement): void {
  const target = [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isVisible);
  (target ?? region).focus();
}

function isVisible(element: HTMLElement): boolean {
  return element.getClientRects().length > 0;
}
